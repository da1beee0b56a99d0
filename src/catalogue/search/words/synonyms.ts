import KINDS_OF_FOOD from './kinds-of-food.json' with { type: 'json' };
import SAME_FOOD from './same-food.json' with { type: 'json' };

/** Maximum words of a phrase that is looked up. */
export const MAX_PHRASE_WORDS = 3;

type Phrases = ReadonlyMap<string, readonly string[]>;

/** Groups of names that people use for one another, folded as `tokenise` folds. */
const SAME: Phrases = collectSame();
/**
 * What sorts, dishes and brands are. Used in this direction only, and only when what was typed finds too little: for
 * "baguette", bread is better than nothing.
 */
const KINDS: Phrases = collectKinds();

/** Other single words for a single word. */
export function synonymsOf(word: string): readonly string[] {
  return sameFoods(word).filter((phrase) => !phrase.includes(' '));
}

/** Other phrases for the same food, folded, with single spaces. */
export function sameFoods(phrase: string): readonly string[] {
  return find(SAME, phrase);
}

/** Kinds of this food, tried only if the name finds too little. */
export function kindsOf(phrase: string): readonly string[] {
  return find(KINDS, phrase);
}

function find(table: Phrases, phrase: string): readonly string[] {
  return table.get(singular(phrase)) ?? [];
}

/** The last word in the singular, by rule; sufficient because all keys are made in the same way. */
function singular(phrase: string): string {
  if (phrase.endsWith('ies')) return `${phrase.slice(0, -3)}y`;
  return phrase.endsWith('s') && !phrase.endsWith('ss') ? phrase.slice(0, -1) : phrase;
}

function collectSame(): Phrases {
  const others = new Map<string, string[]>();
  for (const group of SAME_FOOD) {
    for (const phrase of group) addTo(others, phrase, group);
  }
  return others;
}

function collectKinds(): Phrases {
  const kinds = new Map<string, string[]>();
  for (const { sorts, kind } of KINDS_OF_FOOD) {
    for (const phrase of sorts) addTo(kinds, phrase, [kind]);
  }
  return kinds;
}

function addTo(table: Map<string, string[]>, phrase: string, others: readonly string[]): void {
  const key = singular(phrase);
  const known = table.get(key) ?? [];
  table.set(key, [...known, ...others.filter((other) => other !== phrase && !known.includes(other))]);
}
