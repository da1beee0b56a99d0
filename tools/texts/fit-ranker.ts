/**
 * Fits the weights of the ranker and the coefficients of the confidence to labelled texts, and prints how
 * often both choose right before and after, cross-validated. `npm run fit-texts -- CATALOGUE FILE...`;
 * without `--write` it only prints.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parseFoods } from '@larder/text/parse/parse-foods.ts';
import {
  type ConfidenceFeature,
  type ConfidenceFeatures,
  confidenceOf,
  type FoodCandidate,
} from '@larder/text/parse/ranking/confidence.ts';
import { type Feature, type Features, rankOf } from '@larder/text/parse/ranking/features.ts';
import { Catalogue } from '../../src/foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../../src/foods/catalogue/load-catalogue.ts';
import { isRightAmount, isRightFood, type LabelledText, readLabelledTexts } from './labelled-texts.ts';

const FOLDER = new URL('../../packages/text/src/parse/ranking/', import.meta.url);
const WEIGHTS = new URL('weights.json', FOLDER);
const COEFFICIENTS = new URL('confidence-weights.json', FOLDER);
const FOLDS = 5;
/** Strength of the penalty on leaving the expected weights. */
const REGULARISATION = 8;
const CONFIDENCE_REGULARISATION = 5;
const BINS = 10;
const NEAR_CARBOHYDRATE_G = 7.5;
const STEPS = 250;
const RATE = 0.05;

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

/** Coefficients that stay: labelled lines of recipes were at hand while rules were written, so that they look surer. */
const FIXED_CONFIDENCE: ReadonlySet<ConfidenceFeature> = new Set(['recipe']);

const EXPECTED_CONFIDENCE: Coefficients = {
  base: 1,
  recipe: -0.5,
  odds: 0.25,
  wholeFit: 3,
  headAbsent: -1.5,
  headElsewhere: -0.3,
  otherKind: -0.5,
  lostFood: -0.6,
  lostOther: -0.2,
  lostAddition: -0.3,
  lostOfDependent: -1.5,
  foreign: -0.2,
  otherState: -1.2,
  wholeName: 0.7,
  popularity: 0.4,
  product: -0.3,
  misspelt: -1.5,
  misspeltLost: -1,
  filler: -2,
  unweighed: -0.7,
  assumed: -0.6,
  otherServing: -1.4,
  noAmount: -0.3,
  much: -0.35,
};

/** The candidates of one food in a text, and which of them are right. */
interface Choice {
  readonly text: string;
  readonly weight: number;
  readonly candidates: readonly { readonly features: Features; readonly isRight: boolean }[];
}

type Weights = Record<Feature, number>;
type Coefficients = Record<ConfidenceFeature, number>;

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
const coefficients = JSON.parse(readFileSync(COEFFICIENTS, 'utf8')) as Coefficients;
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

const labelled = texts.flatMap(judgedTexts);
const meals = values.meals === undefined ? [] : judgedMeals(values.meals);
const confidence = fittedConfidence([...labelled, ...meals]);
for (const [title, some] of [
  ['labelled', labelled],
  ['meals', meals],
] as const) {
  console.log(
    `confidence, ${title}: now ${calibrationOf(some, coefficients)}; fitted ${calibrationOf(some, confidence)}`,
  );
}
for (const name of Object.keys(coefficients) as ConfidenceFeature[])
  console.log(
    `${name.padEnd(14)} ${coefficients[name].toFixed(2).padStart(7)} ${confidence[name].toFixed(2).padStart(7)}`,
  );
if (values.write) write(COEFFICIENTS, confidence);

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

/** The confidences of a text's chosen foods: the product is that of the text. */
interface Judged {
  readonly evidence: readonly ConfidenceFeatures[];
  readonly isRight: boolean;
  readonly weight: number;
}

function judgedTexts({ text, foods }: LabelledText): Judged[] {
  const items = parseFoods(text, { finder: catalogue });
  if (items.length !== foods.length && foods.length > 0) return [];
  return items.flatMap(({ candidates: [best], evidence }, at) => {
    if (evidence === undefined || best === undefined) return [];
    const food = foods[at];
    const isRight =
      food !== undefined && isRightFood(best.food, food) && isRightAmount(best.amount?.basisAmount, food);
    return [{ evidence: [evidence], isRight, weight: LABEL_WEIGHT }];
  });
}

function judgedMeals(file: string): Judged[] {
  const [, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n');
  return rows.map((row) => {
    const [, text, , carbohydrates] = row.split('\t');
    const items = parseFoods(text!, { finder: catalogue }).filter(({ candidates }) => candidates.length > 0);
    const sum = items.reduce((total, { candidates }) => total + nutrientsOf(candidates[0]!)[1]!, 0);
    const isRight = Math.abs(sum - Number(carbohydrates)) <= NEAR_CARBOHYDRATE_G;
    return { evidence: items.flatMap(({ evidence = [] }) => evidence), isRight, weight: 1 };
  });
}

function fittedConfidence(some: readonly Judged[]): Coefficients {
  const names = Object.keys(coefficients) as ConfidenceFeature[];
  const rows = some.map((each) => ({
    ...each,
    items: each.evidence.map((features) => Float64Array.from(names, (name) => features[name])),
  }));
  return ascend(EXPECTED_CONFIDENCE, CONFIDENCE_REGULARISATION, (weights, gradient) => {
    for (const { items, isRight, weight } of rows) {
      const each = items.map(
        (own) => 1 / (1 + Math.exp(-own.reduce((sum, value, at) => sum + value * weights[at]!, 0))),
      );
      const all = Math.min(
        1 - 1e-6,
        each.reduce((product, value) => product * value, 1),
      );
      const slope = weight * (isRight ? 1 : -all / (1 - all));
      for (const [item, own] of items.entries())
        for (let at = 0; at < own.length; at++) gradient[at]! += slope * (1 - each[item]!) * own[at]!;
    }
    for (const [at, name] of names.entries()) if (FIXED_CONFIDENCE.has(name)) gradient[at] = 0;
  });
}

/** Expected calibration error, and the share of wrong texts among the confident ones. */
function calibrationOf(some: readonly Judged[], weights: Coefficients): string {
  const bins = Array.from({ length: BINS }, () => ({ said: 0, right: 0, count: 0 }));
  for (const { evidence, isRight } of some) {
    const said = evidence.reduce((product, features) => product * confidenceOf(features, weights), 1);
    const bin = bins[Math.min(BINS - 1, Math.floor(said * BINS))]!;
    bin.said += said;
    bin.right += Number(isRight);
    bin.count++;
  }
  const error = bins.reduce((sum, { said, right }) => sum + Math.abs(said - right), 0) / some.length;
  const { right, count } = bins[BINS - 1]!;
  return `calibration error ${error.toFixed(3)}, sure ${count}, of them wrong ${(1 - right / count).toFixed(3)}`;
}

/** Maximises a function with a penalty on leaving the start, by gradient ascent (Adam). */
function ascend<Name extends string>(
  start: Readonly<Record<Name, number>>,
  regularisation: number,
  add: (weights: Float64Array, gradient: Float64Array) => void,
): Record<Name, number> {
  const names = Object.keys(start) as Name[];
  const from = Float64Array.from(names, (name) => start[name]);
  const weights = from.slice();
  const [mean, square] = [new Float64Array(names.length), new Float64Array(names.length)];
  for (let step = 1; step <= STEPS; step++) {
    const gradient = weights.map((weight, at) => -regularisation * (weight - from[at]!));
    add(weights, gradient);
    for (const [at, slope] of gradient.entries()) {
      mean[at] = 0.9 * mean[at]! + 0.1 * slope;
      square[at] = 0.999 * square[at]! + 0.001 * slope * slope;
      const first = mean[at]! / (1 - 0.9 ** step);
      const second = square[at]! / (1 - 0.999 ** step);
      weights[at]! += (RATE * first) / (Math.sqrt(second) + 1e-8);
      // Features against a food keep a negative weight, features for it a positive one.
      if (weights[at]! * from[at]! < 0) weights[at] = 0;
    }
  }
  return Object.fromEntries(names.map((name, at) => [name, weights[at]!])) as Record<Name, number>;
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
