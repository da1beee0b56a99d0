import type { Amount } from '../../text/amounts.ts';
import { isArticle } from './phrase.ts';

/** What a text tells of amounts decides what a phrase without one may be. */
export interface Manner {
  /** At least articles: "a banana". */
  readonly hasAmounts: boolean;
  readonly countsFoods: boolean;
  readonly weighsFoods: boolean;
}

// Foods without an amount, in a text that tells amounts of others, or weighs them: rather descriptions of what was weighed.
const BARE_COST = 5;
const BARE_BESIDE_ARTICLES_COST = 1.5;
const BARE_EXACT_COST = 1.5;
const BARE_BESIDE_WEIGHTS_COST = 3;
const BARE_EXACT_BESIDE_WEIGHTS_COST = 2.5;
export const BARE_BESIDE_WEIGHTS_FACTOR = 0.4;
/** A food with an article, in a text that weighs others. */
export const ARTICLE_BESIDE_WEIGHTS_COST = 1.5;

const GRAMS: ReadonlySet<string> = new Set(['g', 'kg', 'ml']);

export function mannerOf(amounts: readonly Amount[]): Manner {
  return {
    hasAmounts: amounts.length > 0,
    countsFoods: amounts.some((amount) => !isArticle(amount)),
    weighsFoods: amounts.some(({ unit }) => GRAMS.has(unit ?? '')),
  };
}

/** What a food without an amount costs; less if its name is exactly that of the text. */
export function bareCost(isExact: boolean, { hasAmounts, countsFoods, weighsFoods }: Manner): number {
  if (weighsFoods) return isExact ? BARE_EXACT_BESIDE_WEIGHTS_COST : BARE_BESIDE_WEIGHTS_COST;
  if (!countsFoods) return hasAmounts && !isExact ? BARE_BESIDE_ARTICLES_COST : 0;
  return isExact ? BARE_EXACT_COST : BARE_COST;
}
