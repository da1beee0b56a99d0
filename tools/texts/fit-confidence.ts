/**
 * Fits the coefficients of the confidence to labelled texts, and prints how well it tells right items from wrong ones,
 * cross-validated: `npm run fit-confidence -- CATALOGUE FILE... [--meals FILE --survey CATALOGUE] [--write]`. Of the set
 * `kept` nothing is used but what is printed.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseFoods } from '@larder/text/parse/parse-foods.ts';
import {
  type ConfidenceFeature,
  type ConfidenceFeatures,
  confidenceOf,
  probabilityOf,
} from '@larder/text/parse/ranking/confidence.ts';
import PRESENT from '@larder/text/parse/ranking/confidence-weights.json' with { type: 'json' };
import { Catalogue } from '../../src/foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../../src/foods/catalogue/load-catalogue.ts';
import { ascend } from './ascend.ts';
import { type LabelledText, matchedFoods, readLabelledTexts, WHOLE } from './labelled-texts.ts';

const FOLDS = 5;
const REGULARISATION = 4;
const BINS = 10;
const SURE = 0.9;
const NEAR_CARBOHYDRATE_G = 7.5;
/** Weight of a meal of which only the nutrients are known, and of a text of a diary, relative to other labelled ones. */
const WEIGHT = { meal: 0.2, everyday: 1.5 };

/** Coefficients of what labelled texts hardly have: words that are no food. */
const FIXED: ReadonlySet<ConfidenceFeature> = new Set([
  'filler',
  'foreign',
  'headAbsent',
  'lostFood',
  'misspelt',
]);

/** Expected coefficients; the fit stays near them if examples are few. */
const EXPECTED: Coefficients = {
  base: 1,
  recipe: -0.5,
  division: 1,
  odds: 0.25,
  few: -0.4,
  exact: 0.8,
  wholeFit: 3,
  exactName: 0,
  adjacent: 0.4,
  headAbsent: -1.9,
  lostFood: -1.3,
  lostOther: -0.2,
  lostAddition: -0.3,
  lostOfDependent: -1.5,
  foreign: -1.6,
  compound: -0.3,
  manyWords: -0.2,
  saidState: 0.3,
  otherState: -1.2,
  wholeName: 0.7,
  popularity: 0.4,
  inflected: -0.4,
  misspelt: -1.6,
  filler: -2,
  unweighed: -0.7,
  assumed: -0.6,
  otherServing: -1.4,
  noAmount: -0.3,
  typical: 0.3,
  anyPackage: -0.8,
  ounce: -0.8,
  noUsual: -0.4,
  offUsual: -0.4,
  outside: -0.5,
  muchEnergy: -0.8,
};

type Coefficients = Record<ConfidenceFeature, number>;

/** The items of a text; the product of their probabilities is that of the text. */
interface Judged {
  readonly text: string;
  readonly group: string;
  readonly items: readonly ConfidenceFeatures[];
  readonly isRight: boolean;
  readonly weight: number;
}

const { values, positionals } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    meals: { type: 'string' },
    survey: { type: 'string' },
  },
  allowPositionals: true,
});
const [image, ...files] = positionals;
if (image === undefined || files.length === 0)
  throw new Error('usage: fit-confidence.ts CATALOGUE FILE... [--meals FILE --survey CATALOGUE]');
const catalogue = Catalogue.open(await loadCatalogueImage(image));
const judged = files.flatMap(readLabelledTexts).flatMap((label) => judgedItems(label, catalogue));
if (values.meals !== undefined) {
  const survey = Catalogue.open(await loadCatalogueImage(values.survey ?? image));
  judged.push(...judgedMeals(values.meals, survey));
}
const own = judged.filter(({ group }) => !group.startsWith('kept'));
const folds = Map.groupBy(own, ({ text }) => createHash('sha256').update(text).digest()[0]! % FOLDS);
const validated = [...folds].flatMap(([fold, some]) => {
  const coefficients = fitted([...folds].flatMap(([other, each]) => (other === fold ? [] : each)));
  return some.map((each) => ({ ...each, coefficients }));
});
const coefficients = fitted(own);
for (const [group, some] of Map.groupBy(judged, (each) => each.group)) {
  print(
    `now, ${group}`,
    some.map((each) => ({ ...each, coefficients: PRESENT })),
  );
  const isKept = group.startsWith('kept');
  const unseen = isKept ? some.map((each) => ({ ...each, coefficients })) : validated;
  print(
    isKept ? 'fitted' : 'cross-validated',
    unseen.filter((each) => each.group === group),
  );
}
for (const name of Object.keys(PRESENT) as ConfidenceFeature[])
  console.log(
    `${name.padEnd(16)} ${PRESENT[name].toFixed(2).padStart(6)} ${coefficients[name].toFixed(2).padStart(6)}`,
  );
if (values.write) {
  const file = new URL('../../packages/text/src/parse/ranking/confidence-weights.json', import.meta.url);
  const rounded = Object.keys(PRESENT).map((name) => [
    name,
    Number(coefficients[name as ConfidenceFeature].toFixed(2)),
  ]);
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(rounded), undefined, 2)}\n`);
}

/** Each item that has a food, right if a label fits it in kind, energy and grams. */
function judgedItems(label: LabelledText, finder: Catalogue): Judged[] {
  const { text, context, set, foods, note } = label;
  const items = parseFoods(text, { finder, context });
  const fits = matchedFoods(items, foods).byItem;
  return items.flatMap(({ food, evidence }, at) =>
    food === undefined || evidence === undefined
      ? []
      : [
          {
            ...{ text, group: `${set} ${context}`, items: [evidence], isRight: fits[at] === WHOLE },
            weight: note.includes('everyday') ? WEIGHT.everyday : 1,
          },
        ],
  );
}

/** Reads meals with recorded nutrients: `set`, `description`, energy, carbohydrate. */
function judgedMeals(file: string, finder: Catalogue): Judged[] {
  const [, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n');
  return rows.flatMap((row) => {
    const [, text = '', , carbohydrates] = row.split('\t');
    const chosen = parseFoods(text, { finder, context: 'meal' }).filter(({ food }) => food !== undefined);
    const sum = chosen.reduce(
      (total, { food, basisAmount = 0 }) => total + (food!.per100.carbohydrates * basisAmount) / 100,
      0,
    );
    const isRight = Math.abs(sum - Number(carbohydrates)) <= NEAR_CARBOHYDRATE_G;
    const items = chosen.flatMap(({ evidence = [] }) => evidence);
    return items.length === 0 ? [] : [{ text, group: 'told meals', items, isRight, weight: WEIGHT.meal }];
  });
}

/** A logistic regression in which the product over the items of a text is the probability of the text. */
function fitted(some: readonly Judged[]): Coefficients {
  const names = Object.keys(EXPECTED) as ConfidenceFeature[];
  const rows = some.map((each) => ({
    ...each,
    values: each.items.map((features) => Float64Array.from(names, (name) => features[name])),
  }));
  return ascend(EXPECTED, REGULARISATION, (weights, gradient) => {
    for (const { values: items, isRight, weight } of rows) {
      const each = items.map(
        (one) => 1 / (1 + Math.exp(-one.reduce((sum, value, at) => sum + value * weights[at]!, 0))),
      );
      const all = Math.min(
        1 - 1e-6,
        each.reduce((product, value) => product * value, 1),
      );
      const slope = weight * (isRight ? 1 : -all / (1 - all));
      for (const [item, one] of items.entries())
        for (let at = 0; at < one.length; at++) gradient[at]! += slope * (1 - each[item]!) * one[at]!;
    }
    for (const [at, name] of names.entries()) if (FIXED.has(name)) gradient[at] = 0;
  });
}

/** Calibration error of probability and confidence, the share of sure texts, and the wrong ones among them. */
function print(title: string, some: readonly (Judged & { readonly coefficients: Coefficients })[]): void {
  const product = (of: typeof confidenceOf) =>
    some.map(({ items, coefficients: each }) => items.reduce((all, features) => all * of(features, each), 1));
  const confidences = product(confidenceOf);
  const sure = some.filter((_, at) => confidences[at]! >= SURE);
  const wrong = sure.filter(({ isRight }) => !isRight).length / sure.length;
  const error = (said: readonly number[]) => calibrationError(said, some).toFixed(3);
  console.log(
    `${title.padEnd(20)} ${some.length}, right ${(some.filter(({ isRight }) => isRight).length / some.length).toFixed(3)}, ` +
      `calibration error ${error(product(probabilityOf))}, of the confidence ${error(confidences)}, ` +
      `sure ${(sure.length / some.length).toFixed(3)}, of them wrong ${wrong.toFixed(3)}`,
  );
}

function calibrationError(said: readonly number[], some: readonly Judged[]): number {
  const gaps = new Float64Array(BINS);
  for (const [at, { isRight }] of some.entries())
    gaps[Math.min(BINS - 1, Math.floor(said[at]! * BINS))]! += said[at]! - Number(isRight);
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / some.length;
}
