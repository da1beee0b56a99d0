import type { Food } from '@larder/core/food.ts';
import type { FoodNames } from './food-names.ts';
import type { FoodAmount } from './grams/to-grams.ts';
import type { MealItem } from './meal-item.ts';
import { nameWords } from './names/name-words.ts';
import { isArticle, type PhraseWord } from './phrases/phrase.ts';
import { FILLER_WEIGHT } from './phrases/word-weights.ts';
import type { Features } from './ranking/features.ts';

export interface FoodCandidate {
  readonly food: Food;
  /** How well its name matches; about 1 for equal words. */
  readonly score: number;
  readonly amount: FoodAmount | undefined;
  /** What speaks for and against it; see `ranking/features.ts`. */
  readonly features: Features;
  /** The weighted sum of the features; candidates are ordered by it. */
  readonly value: number;
}

// Coefficients of a logistic regression on 3,199 meals in words with recorded carbohydrate (NutriBench v1, development
// part), fitted so that the product over a meal's items is the probability that its carbohydrate is within 7.5 g. `npm
// run bench -- parse` prints the calibration error.
const BASE = 5.8;
const OTHER_NAME = -5.92;
const UNWEIGHED = -0.58;
const DIFFERENT_FOODS = -0.34;
const MUCH = -0.72;
const NO_AMOUNT = -2.26;
const OTHER_SERVING = -1.13;

const FULL_SCORE = 1.05;
const COMPARED = 5;

/**
 * The probability that food and amount are right, from 0 to 1. It decreases with a worse name, with an amount that is
 * not weighed or not stated, and with the spread of carbohydrate among the candidates.
 */
export function confidenceOf(candidates: readonly FoodCandidate[], isAmountSaid: boolean): number {
  const [best] = candidates;
  if (best?.amount === undefined) return 0;
  const carbohydrates = carbohydratesOf(best);
  const others = candidates
    .slice(0, COMPARED)
    .map((other) => Math.abs(carbohydratesOf(other) - carbohydrates));
  const difference = others.reduce((sum, each) => sum + each, 0) / others.length;
  const sum =
    BASE +
    OTHER_NAME * Math.max(0, FULL_SCORE - best.score) +
    (best.amount.source === 'weight' ? 0 : UNWEIGHED) +
    DIFFERENT_FOODS * Math.log1p(difference) +
    MUCH * Math.log1p(carbohydrates) +
    (isAmountSaid ? 0 : NO_AMOUNT) +
    OTHER_SERVING * (1 - Math.min(1, best.amount.fit));
  return 1 / (1 + Math.exp(-sum));
}

function carbohydratesOf({ food, amount }: FoodCandidate): number {
  return ((amount?.basisAmount ?? 0) * food.per100.carbohydrates) / 100;
}

/**
 * Minimum of score times certainty; below it a food is only a suggestion. Of 3,199 meals this turns two correct ones
 * wrong; of 105 texts without foods it keeps 101 from becoming food.
 */
const CHOSEN_SCORE = 0.55;
/** Certainty of a word that only resembles one of a food's name. */
const MISSPELT = 0.55;
/** Minimum likeness of a certain word, as in another form: "Eier". */
const SURE_LIKENESS = 0.9;
/** Certainty of words that name no food, such as "tomorrow": only a food with exactly this name matches. */
const ONLY_FILLERS = 0.5;
/** Penalty of a product against a generic food, if the text has neither its brand nor another word of its own. */
const PRODUCT_COST = 0.25;
/** Bonus of a product with all words of the text that no generic name has. */
const BRAND = 0.2;
/** Minimum score of a product; below it, it shares a word with the text by chance. */
const FITTING = 0.75;

/** Whether a name matches too weakly to choose its food without asking. */
export function isGuess(
  { food, score }: FoodCandidate,
  { words, amount }: Pick<MealItem, 'words' | 'amount'>,
  names: FoodNames,
): boolean {
  const said = words.filter(({ weight }) => weight > FILLER_WEIGHT);
  // A weighed or counted thing is food: "28 g of snack mix".
  const isCounted = amount !== undefined && !isArticle(amount);
  const certainty =
    said.length > 0 || isCounted ? certaintyOf(words, names) : ONLY_FILLERS * certaintyOf(words, names);
  return score * certainty < CHOSEN_SCORE && (isProduct(food) || !saysName(said, food));
}

/** The certainty that these words name a food at all, from 0 to 1. */
function certaintyOf(words: readonly PhraseWord[], names: FoodNames): number {
  const said = words.filter(({ weight }) => weight > FILLER_WEIGHT);
  const best = Math.max(...(said.length > 0 ? said : words).map(({ stem }) => names.likenessOf(stem)));
  return best > 0 && best < SURE_LIKENESS ? MISSPELT : 1;
}

/** Whether the text has all words of a name, as "new potatoes" has those of "Potato, NFS". */
function saysName(said: readonly PhraseWord[], { name, aliases }: Food): boolean {
  const stems = new Set(said.map(({ stem }) => stem));
  return [name, ...aliases].some((text) => {
    const words = nameWords(text);
    return words.length > 0 && words.every(({ stem }) => stems.has(stem));
  });
}

export function isProduct({ barcode, source }: Food): boolean {
  return barcode !== undefined && source === 'public_dataset';
}

/** Whether the text has all words of a product's brand. */
export function saysBrand(words: readonly PhraseWord[], { brand }: Food): boolean {
  const stems = nameWords(brand ?? '').map(({ stem }) => stem);
  const said = new Set(words.filter(({ weight }) => weight > FILLER_WEIGHT).map(({ stem }) => stem));
  return stems.length > 0 && stems.every((stem) => said.has(stem));
}

/** The score of a food found by search: a product has to match better than a generic food, unless the text names it. */
export function scoreOfFound(words: readonly PhraseWord[], food: Food, names: FoodNames): number {
  const score = names.scoreOf(words, food);
  if (!isProduct(food)) return score;
  const said = words.filter(({ weight }) => weight > FILLER_WEIGHT).map(({ stem }) => stem);
  const stemsOf = (text: string) => nameWords(text).map(({ stem }) => stem);
  const brand = stemsOf(food.brand ?? '');
  const own = new Set([...brand, ...[food.name, ...food.aliases].flatMap(stemsOf)]);
  const foreign = said.filter((stem) => names.likenessOf(stem) === 0);
  if (foreign.length > 0 && foreign.every((stem) => own.has(stem)))
    return score < FITTING ? score : score + BRAND;
  if (saysBrand(words, food)) return score;
  return said.some((stem) => own.has(stem) && names.likenessOf(stem) < 1) ? score : score - PRODUCT_COST;
}

/** Whether a naming word is in no generic name, so that it may be a brand. */
export function mayNameBrand(words: readonly PhraseWord[], names: FoodNames): boolean {
  return words.some(({ stem, weight }) => weight > FILLER_WEIGHT && names.likenessOf(stem) === 0);
}

/** Minimum score of generic foods that indicate the meaning. */
const COMPARABLE = 0.6;
const ODD_PRODUCT_COST = 0.2;
// Differences per 100 g or ml within which varieties of one food lie.
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
  const generic = candidates.filter(({ food, score }) => score >= COMPARABLE && !isProduct(food));
  if (generic.length === 0) return candidates;
  return candidates.map((each) => {
    const { food, score } = each;
    if (!isProduct(food) || saysBrand(words, food)) return each;
    return generic.some((other) => isAlike(other.food, food))
      ? each
      : { ...each, score: score - ODD_PRODUCT_COST };
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
