import type { Amount } from '../find-amounts.ts';
import type { MealWords } from '../meal-words.ts';
import { isArticle, namesFood, type Phrase } from './phrases/phrase.ts';
import { UNKNOWN_WEIGHT } from './phrases/word-weights.ts';

/** How a text states amounts; it determines what a phrase without an amount may be. */
export interface Manner {
  /** Some amounts are stated, at least articles: "a banana". */
  readonly hasAmounts: boolean;
  readonly countsFoods: boolean;
  readonly weighsFoods: boolean;
  /** The text is a list without sentences, in which words between commas probably name foods. */
  readonly isList: boolean;
}

// Costs of foods without an amount in a text that states or weighs amounts of others: they probably describe
// the weighed foods.
const BARE_COST = 5;
const BARE_BESIDE_ARTICLES_COST = 1.5;
const BARE_EXACT_COST = 1.5;
const BARE_BESIDE_WEIGHTS_COST = 3;
const BARE_EXACT_BESIDE_WEIGHTS_COST = 2.5;
export const BARE_BESIDE_WEIGHTS_FACTOR = 0.4;
/** Cost of a food with an article in a text that weighs others. */
const ARTICLE_BESIDE_WEIGHTS_COST = 1.5;

/** Minimum score of a name with the words of the text and few others. */
export const EXACT_SCORE = 1;
/** Minimum score of an exact name after "and" or "with". */
const LISTED_SCORE = 0.85;

// Costs in the unit of words' weights; see `MealReader`.
const ITEM_COST = 0.6;
const MERGE_COST = 0.05;
/** Costs of an ingredient of a weighed food. */
const BELONGING_COST = 6;
const BELONGING_ARTICLE_COST = 3.5;
/** Cost of a food after "from", "for", "during". */
const NOT_FOOD_COST = 3;
/** Links after a verb: "treated myself to", "opted for". */
const OPTED: ReadonlySet<string> = new Set(['to', 'for']);

const GRAMS: ReadonlySet<string> = new Set(['g', 'kg', 'ml']);

export function mannerOf(amounts: readonly Amount[], isList: boolean): Manner {
  return {
    hasAmounts: amounts.length > 0,
    countsFoods: amounts.some((amount) => !isArticle(amount)),
    weighsFoods: amounts.some(({ unit }) => GRAMS.has(unit ?? '')),
    isList,
  };
}

/** The cost of a food without an amount; lower if its name is exactly that of the text. */
function bareCost(
  isExact: boolean,
  isListed: boolean,
  { hasAmounts, countsFoods, weighsFoods, isList }: Manner,
): number {
  if (isList && isListed && isExact) return 0;
  if (weighsFoods) return isExact ? BARE_EXACT_BESIDE_WEIGHTS_COST : BARE_BESIDE_WEIGHTS_COST;
  if (!countsFoods) return hasAmounts && !isExact ? BARE_BESIDE_ARTICLES_COST : 0;
  return isExact ? BARE_EXACT_COST : BARE_COST;
}

interface FoundFood {
  readonly amount: Amount | undefined;
  /** Score of its name. */
  readonly score: number;
  readonly manner: Manner;
  readonly words: MealWords;
}

/** The cost of reading phrases as a food. `before` is the preceding phrase. */
export function costOfFood(
  span: readonly Phrase[],
  before: Phrase | undefined,
  { amount, score, manner, words }: FoundFood,
): number {
  const { link, belongs } = span[0]!;
  const isUncounted = amount === undefined || isArticle(amount);
  // Matches "at a cafe", but not "opted for a tart".
  const isPlace =
    isUncounted &&
    words.notFoods.has(link) &&
    // Excludes "curry over rice".
    !(words.carrying.has(link) && (before?.words.at(-1)?.weight ?? 0) > UNKNOWN_WEIGHT) &&
    !(before?.begins === true && !namesFood(before) && OPTED.has(link));
  const isListed = link === ',' || words.listing.has(link);
  const isExact = score >= (isListed ? LISTED_SCORE : ADDED_SCORE);
  const articleCost = manner.weighsFoods && isUncounted ? ARTICLE_BESIDE_WEIGHTS_COST : 0;
  return (
    ITEM_COST +
    MERGE_COST * (span.length - 1) +
    (amount === undefined ? bareCost(isExact, isListed || link === '', manner) : articleCost) +
    (belongs ? (amount === undefined ? BELONGING_COST : BELONGING_ARTICLE_COST) : 0) +
    (isPlace ? NOT_FOOD_COST : 0)
  );
}

/** Minimum score of a phrase that names a food by itself. */
export const ADDED_SCORE = 0.95;
/** Matches the manner after "and" in a list. */
const ADDED_IN_LIST = 0.7;

/** Minimum score of a phrase after this link to be a food of its own. */
export function addedScore(link: string, isList: boolean): number {
  if (!isList) return ADDED_SCORE;
  return link === ',' ? LISTED_SCORE : ADDED_IN_LIST;
}

/** Cost of joining a phrase with its own article: "a bar, a Clif Bar". */
const JOIN_COST = 3;
const JOIN_BESIDE_WEIGHTS_COST = 1.5;

export function joinCost({ weighsFoods }: Manner): number {
  return weighsFoods ? JOIN_BESIDE_WEIGHTS_COST : JOIN_COST;
}
