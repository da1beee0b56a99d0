import { ENGLISH, type LanguageBits } from '@larder/core/name-languages.ts';
import type { NameMatch, QueryWord } from '../food-names.ts';
import { ALTERNATIVE, HEAD, LATER } from './name-sections.ts';

// The score of a name is the weight of shared words, divided by that weight and these shares of the missing ones
// (Tversky's index).
const MISSING_IN_NAME = 0.7;
const MISSING_IN_QUERY = 0.28;
/** Factors for words of the name that the query lacks. */
export const MISSING_HEAD_FACTOR = 1;
const LATER_FACTOR = 0.55;
const FIRST_PART_FACTOR = 1.8;
const ALTERNATIVE_FACTOR = 0.2;
// Bonuses and penalties.
export const SAME_HEAD = 0.05;
/** Penalty of a name that is not the food's first one. */
export const ALIAS_COST = 0.05;
/** Penalties of an English name for a text in another language, and of a name in a third language. */
const SECOND_LANGUAGE_COST = 0.02;
const OTHER_LANGUAGE_COST = 0.05;
export const ADJACENT_BONUS = 0.03;
export const OTHER_HEAD_COST = 0.1;
/** Penalty of a sandwich for "sardines"; its word is too frequent to weigh enough. */
export const SANDWICH_COST = 0.1;
const CARRIERS: ReadonlySet<string> = new Set(
  'bread toast bun roll biscuit muffin bagel croissant'.split(' '),
);

interface NameFit {
  /** Weight of the words in query and name. */
  readonly shared: number;
  /** Weight of the words that only the name has. */
  readonly missing: number;
  /** Shared words that follow one another in the name. */
  readonly adjacent: number;
  readonly hasHead: boolean;
  /** The name is of another kind of food: "salad dressing" for "salad". */
  readonly lacksHead: boolean;
  /** The name is a sandwich, and the query has none. */
  readonly isOther: boolean;
}

export function scoreOf(
  { shared, missing, adjacent, hasHead, lacksHead, isOther }: NameFit,
  total: number,
): number {
  return (
    fitOf(shared, missing, total) +
    adjacent * ADJACENT_BONUS +
    (hasHead ? SAME_HEAD : 0) -
    (lacksHead ? OTHER_HEAD_COST : 0) -
    (isOther ? SANDWICH_COST : 0)
  );
}

export function fitOf(shared: number, missing: number, total: number): number {
  return shared / (shared + MISSING_IN_NAME * (total - shared) + MISSING_IN_QUERY * missing);
}

/** The minimum weight that a name with this fit shares. */
export function leastShared(fit: number, total: number): number {
  return fit <= 0 ? 0 : (fit * MISSING_IN_NAME * total) / (1 - fit * (1 - MISSING_IN_NAME));
}

/** Compares the language of a name with those of the text; all are equal if either is unknown. */
export function languageOfName(name: LanguageBits, text: LanguageBits): NameMatch['language'] {
  if (text === 0 || (name & text) !== 0) return 'own';
  if ((name & ENGLISH) !== 0 || name === 0) return (text & ENGLISH) !== 0 ? 'own' : 'second';
  return 'other';
}

/** The penalties of a name by its language. */
export const LANGUAGE_COSTS: Readonly<Record<NameMatch['language'], number>> = {
  own: 0,
  second: SECOND_LANGUAGE_COST,
  other: OTHER_LANGUAGE_COST,
};

/**
 * The penalty of a name for its language, and for not being the food's first one, unless the first one is in
 * another language.
 */
export function costOfName(isAlias: boolean, name: LanguageBits, text: LanguageBits): number {
  return LANGUAGE_COSTS[languageOfName(name, text)] + (isSecondary(isAlias, name, text) ? ALIAS_COST : 0);
}

/** Whether a name is an alias that does not translate the food's name into the text's language. */
export function isSecondary(isAlias: boolean, name: LanguageBits, text: LanguageBits): boolean {
  return isAlias && ((text & ENGLISH) !== 0 || (name & text) === 0);
}

/** Whether a query has a sandwich: "sardines on toast". */
export function namesSandwich(words: readonly QueryWord[]): boolean {
  return words.some(({ stem }) => CARRIERS.has(stem));
}

/** The factor of a word of the name that the query lacks, by its flags. */
export function factorOf(flags: number): number {
  if ((flags & ALTERNATIVE) !== 0) return ALTERNATIVE_FACTOR;
  if ((flags & HEAD) !== 0) return MISSING_HEAD_FACTOR;
  return (flags & LATER) !== 0 ? LATER_FACTOR : FIRST_PART_FACTOR;
}
