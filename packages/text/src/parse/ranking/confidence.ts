import type { Food } from '@larder/core/food.ts';
import type { FoodNames } from '../food-names.ts';
import type { FoodAmount } from '../grams/food-amount.ts';
import { isStatedBy } from '../grams/to-grams.ts';
import { usualPortionOf } from '../grams/usual-portions.ts';
import type { NamedItem } from '../named-item.ts';
import { wordsOfName } from '../names/name-words.ts';
import { isArticle, type PhraseWord } from '../phrases/phrase.ts';
import { FILLER_WEIGHT } from '../phrases/word-weights.ts';
import type { TextContext } from '../structure/context.ts';
import COEFFICIENTS from './confidence-weights.json' with { type: 'json' };
import type { Feature, Features } from './features.ts';

/** A food as recipes mean it, where the text does not say so. */
export interface AssumedForm {
  readonly form: 'raw' | 'dry';
  /** Id of the same food as it is eaten. */
  readonly asEaten: string;
}

export interface FoodCandidate {
  readonly food: Food;
  /** How well its name matches; about 1 for equal words. */
  readonly score: number;
  readonly amount: FoodAmount | undefined;
  /** Features for and against it; see `ranking/features.ts`. */
  readonly features: Features;
  /** The weighted sum of the features; candidates are ordered by it. */
  readonly value: number;
  /** Set for a food whose form a recipe implies. */
  readonly assumedForm?: AssumedForm;
}

export type ConfidenceFeature = keyof typeof COEFFICIENTS;
/**
 * Features from which the probability of food and amount is computed, each with its coefficient in
 * `confidence-weights.json`.
 */
export type ConfidenceFeatures = Readonly<Record<ConfidenceFeature, number>>;

/** Below this confidence a food, whatever its amount, is only a proposal and not in the totals. */
const MIN_CONFIDENCE = 0.3;
/** Minimum confidence of words that have an amount. */
const MIN_COUNTED = 0.2;
/** Maximum difference in energy for foods to count as the same choice. */
const ALIKE_ENERGY_SHARE = 0.12;
const ALIKE_ENERGY_KCAL = 15;
/** Bound of the logarithm of the odds that the choice is right. */
const MAX_LOG_ODDS = 5;
/** Minimum certainty of a match in another form, such as "Eier". */
const SURE_LIKENESS = 0.9;
/** Candidates below which a food has hardly been compared. */
const FEW = 3;
const USUAL_WORDS = 2;
/** Bounds of the logarithms of the division's probability, and of the usual amounts. */
const MIN_DIVISION = -3;
const MOST_OF_USUAL = 2;
/** Energy of one item from which on it becomes less probable. */
const MUCH_ENERGY_KCAL = 500;
/**
 * Probability in texts like those of the fit from which on an item is sure, i.e. has a confidence of .9, since unseen texts are
 * wrong more often. The confidence rises more slowly before it.
 */
const SURE_FROM = oddsOf(0.97);
const SLOW_FROM = oddsOf(0.85);
const SURE = oddsOf(0.9);

function oddsOf(probability: number): number {
  return Math.log(probability / (1 - probability));
}

/** Features of a food whose name equals the text. */
const EXACT: Features = { wholeFit: 1.05, popularity: 0.5 };

/** The features of the first candidate; there is at least one. */
export function confidenceFeatures(
  candidates: readonly FoodCandidate[],
  { words, amount: said, probability = 1 }: Pick<NamedItem, 'words' | 'amount' | 'probability'>,
  { names, context }: { readonly names: FoodNames; readonly context: TextContext },
): ConfidenceFeatures {
  const { features, amount, food } = candidates[0]!;
  const isExact = features.exact === 1;
  const feature = (name: Feature) => (isExact ? EXACT[name] : features[name]) ?? 0;
  const source = amount?.source ?? '';
  const isWeight = source === 'weight';
  const naming = words.filter(({ weight }) => weight > FILLER_WEIGHT);
  const likenesses = (naming.length > 0 ? naming : words).map(({ stem }) => names.likenessOf(stem));
  const likeness = Math.max(0, ...likenesses);
  const isMisspelt = likeness > 0 && likeness < SURE_LIKENESS;
  return {
    base: 1,
    recipe: Number(context === 'recipe'),
    division: Math.max(MIN_DIVISION, Math.log(probability)),
    odds: logOddsOf(candidates),
    few: Number(candidates.length < FEW),
    exact: Number(isExact),
    wholeFit: feature('wholeFit'),
    exactName: feature('exactName'),
    adjacent: feature('adjacent'),
    headAbsent: feature('headAbsent'),
    lostFood: feature('lostFood'),
    lostOther: feature('lostOther'),
    lostAddition: feature('lostAddition'),
    lostOfDependent: feature('lostOfDependent'),
    foreign: feature('foreign'),
    compound: Number(naming.length === 1 && feature('foreign') > 0),
    manyWords: Math.max(0, naming.length - USUAL_WORDS),
    saidState: feature('saidState') + feature('saidTrait'),
    otherState: feature('otherState') + feature('unusualState'),
    wholeName: Number(!isMisspelt && feature('foreign') + feature('later') === 0),
    popularity: feature('popularity'),
    inflected: Number(likenesses.some((each) => each < 1)),
    misspelt: Number(isMisspelt),
    // Words that are not foods, such as "tomorrow", unless they are weighed or counted.
    filler: Number(naming.length === 0 && (said === undefined || isArticle(said))),
    unweighed: Number(!isWeight),
    assumed: Number(amount?.isAssumed === true && !isWeight),
    otherServing: isWeight ? 0 : 1 - Math.min(1, amount?.fit ?? -1),
    noAmount: Number(said === undefined),
    typical: Number(/^(?:typical|usual)/.test(source)),
    // "typical packet of 30 g" is of no food in particular.
    anyPackage: Number(/^typical \w+ of [^(]*$/.test(source)),
    ounce: Number(said?.unit === undefined && /^serving "\d+ oz/.test(source)),
    // Recipes are of several portions.
    ...usualnessOf(food, context === 'recipe' ? undefined : amount),
  };
}

/** How the grams of a food compare with what people eat at one occasion, as logarithms. */
function usualnessOf(
  food: Food,
  amount: FoodAmount | undefined,
): Pick<ConfidenceFeatures, 'noUsual' | 'offUsual' | 'outside' | 'muchEnergy'> {
  const { basisAmount: grams = 0, source = '' } = amount ?? {};
  const isStated = isStatedBy(source);
  const usual = usualPortionOf(food);
  const bounded = (value: number) => Math.min(MOST_OF_USUAL, Math.max(0, value));
  return {
    noUsual: Number(amount !== undefined && !isStated && usual === undefined),
    offUsual:
      isStated || usual === undefined || !(grams > 0) ? 0 : bounded(Math.abs(Math.log(grams / usual.p50))),
    outside:
      usual === undefined || usual.isOfGroup || !(grams > 0)
        ? 0
        : bounded(Math.max(Math.log(usual.p5 / grams), Math.log(grams / usual.p95))),
    muchEnergy: bounded(Math.log((grams * food.per100.energy) / 100 / MUCH_ENERGY_KCAL)),
  };
}

/** The logarithm of the odds of foods with the first one's energy against all others. */
function logOddsOf(candidates: readonly FoodCandidate[]): number {
  const best = candidates[0]!;
  const { energy } = best.food.per100;
  const margin = Math.max(ALIKE_ENERGY_KCAL, ALIKE_ENERGY_SHARE * energy);
  let [alike, others] = [0, 0];
  for (const { food, value } of candidates) {
    const part = Math.exp(value - best.value);
    if (Math.abs(food.per100.energy - energy) <= margin) alike += part;
    else others += part;
  }
  return Math.min(MAX_LOG_ODDS, Math.log(alike / Math.max(others, Math.exp(-MAX_LOG_ODDS))));
}

/** Values of features that describe only the amount, and of those that a stated amount makes unimportant. */
const ANY_PORTION = {
  ...{ typical: 0, anyPackage: 0, ounce: 0 },
  ...{ noUsual: 0, offUsual: 0, outside: 0, muchEnergy: 0 },
};
const ANY_WEIGHT = { unweighed: 0, assumed: 0, otherServing: 0, division: 0 };

/**
 * The probability that the text means the food. A stated amount does not make it less probable, however uncertain its weight is;
 * words without an amount may not be a food.
 */
export function probabilityOfFood(features: ConfidenceFeatures): number {
  const isStated = features.noAmount === 0;
  return probabilityOf({ ...features, ...ANY_PORTION, ...(isStated && ANY_WEIGHT) });
}

/** Whether the food is probable enough to be logged. */
export function isProbable(features: ConfidenceFeatures): boolean {
  return probabilityOfFood(features) >= (features.noAmount === 1 ? MIN_CONFIDENCE : MIN_COUNTED);
}

/** The probability that food and amount are right in texts like those of the fit, from 0 to 1. */
export function probabilityOf(
  features: ConfidenceFeatures,
  coefficients: Readonly<Record<ConfidenceFeature, number>> = COEFFICIENTS,
): number {
  return 1 / (1 + Math.exp(-logOdds(features, coefficients)));
}

/** The confidence that is reported. */
export function confidenceOf(
  features: ConfidenceFeatures,
  coefficients: Readonly<Record<ConfidenceFeature, number>> = COEFFICIENTS,
): number {
  const odds = logOdds(features, coefficients);
  const slope = (SURE - SLOW_FROM) / (SURE_FROM - SLOW_FROM);
  const slow = SLOW_FROM + (Math.min(odds, SURE_FROM) - SLOW_FROM) * slope + Math.max(0, odds - SURE_FROM);
  return 1 / (1 + Math.exp(-(odds <= SLOW_FROM ? odds : slow)));
}

function logOdds(
  features: ConfidenceFeatures,
  coefficients: Readonly<Record<ConfidenceFeature, number>>,
): number {
  let sum = 0;
  for (const [name, value] of Object.entries(features))
    sum += coefficients[name as ConfidenceFeature] * value;
  return sum;
}

export function isProduct({ barcode, source }: Food): boolean {
  return barcode !== undefined && source === 'public_dataset';
}

/** Whether the text has all words of a product's brand. */
export function statesBrand(words: readonly PhraseWord[], { brand }: Food): boolean {
  const stems = wordsOfName(brand ?? '').map(({ stem }) => stem);
  const said = new Set(words.filter(({ weight }) => weight > FILLER_WEIGHT).map(({ stem }) => stem));
  return stems.length > 0 && stems.every((stem) => said.has(stem));
}

/** Whether a product has all words of the text that no generic name has: "zunkel" of "2 zunkel hash browns". */
export function hasOwnWords(words: readonly PhraseWord[], food: Food, names: FoodNames): boolean {
  const foreign = words.filter(({ stem, weight }) => weight > FILLER_WEIGHT && names.likenessOf(stem) === 0);
  if (foreign.length === 0) return false;
  const own = new Set(
    [food.brand ?? '', food.name, ...food.aliases].flatMap((text) =>
      wordsOfName(text).map(({ stem }) => stem),
    ),
  );
  return foreign.every(({ stem }) => own.has(stem));
}

/** Whether a naming word is in no generic name, so that it may be a brand. */
export function mayNameBrand(words: readonly PhraseWord[], names: FoodNames): boolean {
  return words.some(({ stem, weight }) => weight > FILLER_WEIGHT && names.likenessOf(stem) === 0);
}

/** Minimum score of generic foods to indicate the meaning. */
const COMPARABLE = 0.6;
// Maximum differences per 100 g or ml between varieties of one food.
const SAME_ENERGY_KCAL = 150;
const SAME_GRAMS = 20;

/**
 * Lowers the scores of products that the text does not name by brand and whose composition differs from all matching
 * generic foods: "strong espresso" is a drink, not a product of that name with 56 g of carbohydrate.
 */
export function withOddProductsLower(
  candidates: readonly FoodCandidate[],
  words: readonly PhraseWord[],
): readonly FoodCandidate[] {
  const generic = candidates.filter(
    ({ food, features }) => (features.wholeFit ?? 0) >= COMPARABLE && !isProduct(food),
  );
  if (generic.length === 0) return candidates;
  return candidates.map((each) => {
    const { food } = each;
    if (!isProduct(food) || statesBrand(words, food)) return each;
    return generic.some((other) => isAlike(other.food, food))
      ? each
      : { ...each, features: { ...each.features, odd: 1 } };
  });
}

function isAlike({ per100: one }: Food, { per100: other }: Food): boolean {
  return (
    Math.abs(one.energy - other.energy) <= SAME_ENERGY_KCAL &&
    (['carbohydrates', 'protein', 'fat'] as const).every(
      (key) => Math.abs(one[key] - other[key]) <= SAME_GRAMS,
    )
  );
}
