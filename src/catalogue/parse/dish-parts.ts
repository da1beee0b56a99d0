import type { Amount } from '../../text/amounts.ts';
import type { Token } from '../../text/tokens.ts';
import type { MealWords } from './meal-words.ts';
import { stemOf } from './names/name-words.ts';
import { isMeasured, type OpenPhrase } from './phrase.ts';

/** What is read of a text, up to an amount. */
export interface ReadSoFar {
  readonly tokens: readonly Token[];
  readonly words: MealWords;
  /** All of them are closed. */
  readonly phrases: readonly OpenPhrase[];
}

/** Words from an amount on among which a part of a dish is looked for: "a slice of white bread". */
const MAX_PART_WORDS = 4;

/**
 * Whether an amount counts what carries the food before or lies on it, and so no further food: "a cheeseburger with one small
 * patty", "a hot dog on a white bun".
 */
export function isPartOfDish(amount: Amount, { tokens, words, phrases }: ReadSoFar): boolean {
  const link = tokens[amount.firstToken - 1];
  if (isMeasured(amount) || link === undefined || !words.belonging.has(link.folded)) return false;
  const following = tokens.slice(amount.firstToken, amount.firstToken + MAX_PART_WORDS);
  const end = following.findIndex(
    ({ kind, folded }) => kind === 'break' || folded === ',' || words.links.has(folded),
  );
  const near = end === -1 ? following : following.slice(0, end);
  if (!near.some(({ folded }) => words.parts.has(stemOf(folded)))) return false;
  const first = phrases.findLastIndex(({ begins }) => begins);
  return phrases
    .slice(Math.max(0, first))
    .some((phrase) => phrase.words.some(({ stem }) => words.dishes.has(stem)));
}

/** Gives a weight at the end to the food of several phrases: "a burrito with sour cream weighing 272 g". False if it is another one's. */
export function weighWhole(amount: Amount, { phrases }: ReadSoFar): boolean {
  if (!isMeasured(amount)) return false;
  const first = phrases.findLastIndex(({ begins }) => begins);
  const food = phrases[first];
  const parts = phrases.slice(first + 1);
  const isWeighed = food?.before !== undefined && isMeasured(food.before);
  if (food === undefined || isWeighed || parts.length === 0) return false;
  if (parts.some(({ before, after }) => before !== undefined || after !== undefined)) return false;
  food.before = amount;
  for (const part of parts) part.belongs = true;
  return true;
}
