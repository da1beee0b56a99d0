import { KINDS_OF_FOOD } from './kinds-of-food.ts';
import { SAME_FOOD } from './same-food.ts';
import { tokenise } from './tokenise.ts';

/** Maximum words of a phrase that is looked up. */
export const MAX_PHRASE_WORDS = 3;
const MAX_TOKENS = 8;

type Phrases = ReadonlyMap<string, readonly string[]>;

const SAME: Phrases = collectSame();
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
  for (const line of lines(SAME_FOOD)) {
    const group = phrasesOf(line);
    for (const phrase of group) addTo(others, phrase, group);
  }
  return others;
}

function collectKinds(): Phrases {
  const kinds = new Map<string, string[]>();
  for (const line of lines(KINDS_OF_FOOD)) {
    const [sorts = '', kind = ''] = line.split('>');
    for (const phrase of phrasesOf(sorts)) addTo(kinds, phrase, phrasesOf(kind));
  }
  return kinds;
}

function lines(table: string): string[] {
  return table.trim().split('\n');
}

function phrasesOf(text: string): string[] {
  return text.split(',').map((phrase) => tokenise(phrase, MAX_TOKENS).join(' '));
}

function addTo(table: Map<string, string[]>, phrase: string, others: readonly string[]): void {
  const key = singular(phrase);
  const known = table.get(key) ?? [];
  table.set(key, [...known, ...others.filter((other) => other !== phrase && !known.includes(other))]);
}
