import { inflectionsOf, SMALL_WORDS } from '@larder/core/words/related-words.ts';
import { tokenise } from '@larder/core/words/tokenise.ts';
import { NEGATIONS, wordsOfAll } from '../../meal-words.ts';
import EXCLUDED from './excluded-things.json' with { type: 'json' };

/** The words that a search text excludes, such as "milk" in "coffee without milk". */
export interface Exclusion {
  /** The text without the exclusion; undefined if the exclusion is part of the food, as in "sugar-free cola". */
  readonly rest: string | undefined;
  /** Words for what is excluded, folded, in all languages. */
  readonly words: ReadonlySet<string>;
}

/**
 * Relation of a food to an exclusion: its texts say that it is without the thing, say nothing about it, or
 * contain it.
 */
export type Relation = 'without' | 'silent' | 'with';

const WITHOUT: ReadonlySet<string> = new Set([...NEGATIONS, 'zero']);
/** Words that exclude the next word of a search text. "No" is also Portuguese for "in the". */
const EXCLUDING: ReadonlySet<string> = wordsOfAll(({ without }) => without);
const AND: ReadonlySet<string> = toSet('and or nor und oder et ou ni y o e');
/** Words between "without" and the excluded thing. */
const FILLERS: ReadonlySet<string> = toSet(
  'added any extra ajoute ajoutes anadido anadidos zugesetzten aggiunto adicao',
);
const FREE = /^(?:free|frei(?:e[mnrs]?)?)$/;
/** Words for one thing in English, German, French, Spanish, Italian and Portuguese, with words that imply it. */
const THING_OF: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  EXCLUDED.things.map(toSet).flatMap((words) => [...words].map((word) => [word, words] as const)),
);
/** Words that exclude a thing by themselves, in names of foods and in search texts. */
const LESS: ReadonlyMap<string, string> = new Map(Object.entries(EXCLUDED.less));
/** Shorter words occur inside other words by chance. */
const MIN_INSIDE = 4;
/** Number of words after "without" or before "not" that it refers to. */
const REACH = 3;
const MAX_WORDS = 48;

/** A fast check, since few search texts exclude anything. */
const MAY_EXCLUDE = /\bno\b|without|ohne|kein|sans|\bsin\b|senza|\bsem\b|zonder|\bbez\b|free|frei|less|\bun/i;

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** Finds the words that the text excludes; undefined if it excludes nothing, or consists only of an exclusion. */
export function findExclusion(query: string): Exclusion | undefined {
  if (!MAY_EXCLUDE.test(query)) return undefined;
  const tokens = tokenise(query, MAX_WORDS);
  const excluded: string[] = [];
  const rest: string[] = [];
  let isPart = false;
  for (let at = 0; at < tokens.length; at++) {
    const end = endOfExcluded(tokens, at);
    if (end > at) {
      excluded.push(...tokens.slice(at + 1, end).filter(isContent));
      at = end - 1;
      continue;
    }
    const free = freeOf(tokens, at);
    if (free !== undefined) isPart = true;
    if (free !== undefined) excluded.push(free);
    rest.push(tokens[at]!);
  }
  if (excluded.length === 0 || rest.length === 0) return undefined;
  const isOnlyPart = isPart && rest.length === tokens.length;
  return { rest: isOnlyPart ? undefined : rest.join(' '), words: new Set(excluded.flatMap(wordsFor)) };
}

/** The end of an exclusion that begins here: "without", the next word, and those joined to it by "and". */
function endOfExcluded(tokens: readonly string[], start: number): number {
  if (tokens[start - 1] === 'or') return start;
  const isNo = tokens[start] === 'no' && thingOf(tokens[start + 1] ?? '') !== undefined;
  if (!(isNo || EXCLUDING.has(tokens[start]!))) return start;
  let end = start + 1;
  while (end < tokens.length && !isContent(tokens[end]!)) end++;
  if (end === tokens.length) return start;
  end++;
  while (AND.has(tokens[end] ?? '') && thingOf(tokens[end + 1] ?? '') !== undefined) end += 2;
  return end;
}

function isContent(word: string): boolean {
  return !(SMALL_WORDS.has(word) || FILLERS.has(word));
}

/** The thing that the word here excludes: "gluten" before "free", "zuckerfrei", "skinless". */
function freeOf(tokens: readonly string[], at: number): string | undefined {
  const word = tokens[at]!;
  if (thingOf(word) !== undefined && FREE.test(tokens[at + 1] ?? '')) return word;
  const [, first = ''] = /^(.+?)e?frei(?:e[mnrs]?)?$/.exec(word) ?? [];
  return LESS.get(word) ?? (thingOf(first) === undefined ? undefined : first);
}

function thingOf(word: string): ReadonlySet<string> | undefined {
  const form = THING_OF.has(word) ? word : inflectionsOf(word).find((each) => THING_OF.has(each));
  return form === undefined ? undefined : THING_OF.get(form);
}

function wordsFor(word: string): string[] {
  return [...(thingOf(word) ?? []), word];
}

/** Words of a food's name and aliases that concern the exclusion. */
export function relationTo({ words }: Exclusion, texts: readonly string[]): Relation {
  let relation: Relation = 'silent';
  for (const text of texts) {
    const tokens = tokenise(text, MAX_WORDS);
    for (const [at, token] of tokens.entries()) {
      const free = freeOf(tokens, at);
      if (free !== undefined && words.has(free)) return 'without';
      if (!isAmong(words, token)) continue;
      if (isNegated(tokens, at)) return 'without';
      relation = 'with';
    }
  }
  return relation;
}

function isAmong(words: ReadonlySet<string>, token: string): boolean {
  if (words.has(token) || inflectionsOf(token).some((form) => words.has(form))) return true;
  for (const word of words) {
    if (word.length >= MIN_INSIDE && (token.startsWith(word) || token.endsWith(word))) return true;
  }
  return false;
}

function isNegated(tokens: readonly string[], at: number): boolean {
  if (FREE.test(tokens[at + 1] ?? '') || tokens[at + 1] === 'not') return true;
  return tokens.slice(Math.max(0, at - REACH), at).some((token) => WITHOUT.has(token));
}

/** Whether the texts of a food have every word; function words count only if there are no others. */
export function hasWords(wanted: string, texts: readonly string[]): boolean {
  const words = tokenise(wanted, MAX_WORDS);
  const content = words.filter(isContent);
  return hasEach(content.length > 0 ? content : words, texts);
}

/** Whether the texts of a food have every word, including function words. */
export function hasAllWords(wanted: string, texts: readonly string[]): boolean {
  return hasEach(tokenise(wanted, MAX_WORDS), texts);
}

function hasEach(wanted: readonly string[], texts: readonly string[]): boolean {
  const words = new Set(texts.flatMap((text) => tokenise(text, MAX_WORDS)));
  return wanted.every((word) => words.has(word) || inflectionsOf(word).some((form) => words.has(form)));
}
