/**
 * Fits the weights of the ranker to labelled texts, and prints how often it chooses right before and after, cross-validated.
 * `npm run fit-texts -- CATALOGUE FILE...`; without `--write` it only prints.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseFoods } from '@larder/text/parse/parse-foods.ts';
import type { FoodCandidate } from '@larder/text/parse/ranking/confidence.ts';
import { type Feature, type Features, rankOf } from '@larder/text/parse/ranking/features.ts';
import { Catalogue } from '../../src/foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../../src/foods/catalogue/load-catalogue.ts';
import { ascend } from './ascend.ts';
import { isRightFood, type LabelledText, readLabelledTexts } from './labelled-texts.ts';

const FOLDER = new URL('../../packages/text/src/parse/ranking/', import.meta.url);
const WEIGHTS = new URL('weights.json', FOLDER);
const FOLDS = 5;
/** Strength of the penalty on leaving the expected weights. */
const REGULARISATION = 8;

/**
 * Maximum difference to the recorded nutrients of a meal, as a share and as an amount, for a candidate to
 * explain them.
 */
const NEAR_SHARE = 0.06;
const NEAR_AMOUNT = 2;
const NEAR_ENERGY = 15;
const RECORDED = ['energy', 'carbohydrates', 'protein', 'fat'] as const;

/** Weight of a hand-labelled food, relative to a food of a meal that is inferred from nutrients. */
const LABEL_WEIGHT = 5;

/** Expected weights for reading recipes and meals; the fit stays near them if examples are few. */
const EXPECTED: Weights = {
  fit: 1,
  wholeFit: 7,
  headFirst: -1,
  headElsewhere: -1,
  headAbsent: -2.5,
  otherKind: -0.3,
  adjacent: 0.7,
  lostFood: -1.5,
  lostOther: -0.4,
  lostAddition: -1,
  lostOfDependent: -1.5,
  foreign: -0.8,
  later: -0.2,
  exact: 8,
  exactName: 0.5,
  alias: -0.4,
  secondLanguage: -0.5,
  otherLanguage: -4,
  saidState: 0.5,
  otherState: -2,
  unusualState: -2.4,
  saidTrait: 0.7,
  fried: -0.7,
  canned: -0.5,
  dried: -1.5,
  preserved: -2,
  frozen: -0.7,
  added: -1,
  reduced: -2,
  special: -0.8,
  powder: -0.7,
  popularity: 1.8,
  shipped: 0.4,
  unspecified: 0.3,
  amountFit: 2.4,
  product: -0.8,
  odd: -3.5,
  brand: 4,
  percentGap: -3,
  favourite: 1,
};

/** Weights that labelled texts cannot determine: of brands and of a user's favourites. */
const FIXED: ReadonlySet<Feature> = new Set([
  'exact',
  'saidState',
  'product',
  'odd',
  'brand',
  'percentGap',
  'favourite',
]);

/** The candidates of one food in a text, and which of them are right. */
interface Choice {
  readonly text: string;
  readonly weight: number;
  readonly candidates: readonly { readonly features: Features; readonly isRight: boolean }[];
}

type Weights = Record<Feature, number>;

const { values, positionals } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    kept: { type: 'boolean', default: false },
    meals: { type: 'string' },
  },
  allowPositionals: true,
});
const [image, ...files] = positionals;
if (image === undefined || files.length === 0) throw new Error('usage: fit-ranker.ts CATALOGUE FILE...');
const catalogue = Catalogue.open(await loadCatalogueImage(image));
const texts = files.flatMap(readLabelledTexts).filter(({ set }) => set !== 'kept' || values.kept);
const choices = [
  ...texts.flatMap(choicesOf),
  ...(values.meals === undefined ? [] : choicesOfMeals(values.meals)),
];
const present = JSON.parse(readFileSync(WEIGHTS, 'utf8')) as Weights;
const usable = choices.filter(({ candidates }) => candidates.some(({ isRight }) => isRight));
console.log(
  `${texts.length} texts, ${choices.length} foods, ${usable.length} with the right one among the candidates`,
);
printShares('now', present);

let [before, after, count] = [0, 0, 0];
for (let fold = 0; fold < FOLDS; fold++) {
  const isTest = (_: Choice, at: number) => at % FOLDS === fold;
  const test = choices.filter(isTest);
  const own = fitted(usable.filter((choice) => !test.includes(choice)));
  before += countRight(test, present);
  after += countRight(test, own);
  count += test.length;
}
console.log(`cross-validated: ${(before / count).toFixed(3)} before, ${(after / count).toFixed(3)} after`);
const weights = fitted(usable);
printShares('fitted', weights);
for (const name of Object.keys(EXPECTED) as Feature[])
  console.log(
    `${name.padEnd(14)} ${present[name].toFixed(2).padStart(7)} ${weights[name].toFixed(2).padStart(7)}`,
  );
if (values.write) write(WEIGHTS, weights);

function write(file: URL, numbers: Readonly<Record<string, number>>): void {
  const rounded = Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [name, Number(value.toFixed(2))]),
  );
  writeFileSync(file, `${JSON.stringify(rounded, undefined, 2)}\n`);
}

function choicesOf({ text, foods }: LabelledText): Choice[] {
  const items = parseFoods(text, { finder: catalogue });
  if (items.length !== foods.length) return [];
  return foods.map((food, at) => ({
    text,
    weight: LABEL_WEIGHT,
    candidates: items[at]!.candidates.map(({ features, food: offered }: FoodCandidate) => ({
      features,
      isRight: isRightFood(offered, food),
    })),
  }));
}

/**
 * Reads meals with recorded nutrients: `set`, `description`, energy, carbohydrate, protein, fat. A candidate
 * is right if the meal has the recorded nutrients with it and the current choice for the other foods.
 */
function choicesOfMeals(file: string): Choice[] {
  const [, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n');
  return rows.flatMap((row) => {
    const [, text, ...numbers] = row.split('\t');
    const recorded = numbers.slice(0, RECORDED.length).map(Number);
    const items = parseFoods(text!, { finder: catalogue }).filter(({ candidates }) => candidates.length > 0);
    const chosen = items.map(({ candidates }) => nutrientsOf(candidates[0]!));
    return items.flatMap(({ candidates }, at) => {
      const judged = candidates.map((candidate) => {
        const own = nutrientsOf(candidate);
        const isRight = recorded.every((value, nutrient) => {
          const others = chosen.reduce((sum, each, index) => sum + (index === at ? 0 : each[nutrient]!), 0);
          const margin = Math.max(nutrient === 0 ? NEAR_ENERGY : NEAR_AMOUNT, NEAR_SHARE * value);
          return Math.abs(others + own[nutrient]! - value) <= margin;
        });
        return { features: candidate.features, isRight };
      });
      const right = judged.filter(({ isRight }) => isRight).length;
      return right > 0 && right < judged.length ? [{ text: text!, weight: 1, candidates: judged }] : [];
    });
  });
}

function nutrientsOf({ food, amount }: FoodCandidate): number[] {
  return RECORDED.map((key) => (food.per100[key] * (amount?.basisAmount ?? 0)) / 100);
}

/** Maximises the likelihood of the right foods, with a penalty on leaving the current weights. */
function fitted(some: readonly Choice[]): Weights {
  const names = Object.keys(EXPECTED) as Feature[];
  const rows = some.map(({ weight, candidates }) => ({
    weight,
    candidates: candidates.map(({ features, isRight }) => ({
      values: Float64Array.from(names, (name) => features[name] ?? 0),
      isRight,
    })),
  }));
  return ascend(EXPECTED, REGULARISATION, (weights, gradient) => {
    for (const { weight, candidates } of rows) addGradient(candidates, weight, weights, gradient);
    for (const [at, name] of names.entries()) if (FIXED.has(name)) gradient[at] = 0;
  });
}

interface Row {
  readonly values: Float64Array;
  readonly isRight: boolean;
}

function addGradient(
  row: readonly Row[],
  weight: number,
  weights: Float64Array,
  gradient: Float64Array,
): void {
  const ranks = row.map(({ values: own }) => own.reduce((sum, value, at) => sum + value * weights[at]!, 0));
  const most = Math.max(...ranks);
  const exps = ranks.map((rank) => Math.exp(rank - most));
  const all = exps.reduce((sum, each) => sum + each, 0);
  const right = exps.reduce((sum, each, at) => sum + (row[at]!.isRight ? each : 0), 0);
  for (const [at, { values: own, isRight }] of row.entries()) {
    const pull = weight * ((isRight ? exps[at]! / right : 0) - exps[at]! / all);
    for (let index = 0; index < own.length; index++) gradient[index]! += pull * own[index]!;
  }
}

function countRight(some: readonly Choice[], weights: Weights): number {
  return some.filter(({ candidates }) => {
    let best: (typeof candidates)[number] | undefined;
    for (const each of candidates)
      if (best === undefined || rankOf(each.features, weights) > rankOf(best.features, weights)) best = each;
    return best?.isRight === true;
  }).length;
}

function printShares(title: string, weights: Weights): void {
  const labelled = choices.filter(({ weight }) => weight > 1);
  const told = choices.filter(({ weight }) => weight === 1);
  console.log(`${title}: right of labelled ${share(labelled, weights)}, of meals ${share(told, weights)}`);
}

function share(some: readonly Choice[], weights: Weights): string {
  return (countRight(some, weights) / some.length).toFixed(3);
}
