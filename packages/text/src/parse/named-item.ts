import type { FoodsToRead } from './caching-finder.ts';
import { type MealItem, sizeAmong } from './meal-item.ts';
import { MealReader } from './meal-reader.ts';
import { stemOf } from './names/name-words.ts';
import { NamesOfParts } from './phrases/names-of-parts.ts';
import { PhraseReader } from './phrases/phrase-reader.ts';
import { exactNameOf } from './structure/exact-name.ts';
import { readRecipeLine, type TextToRead } from './structure/recipe-line.ts';

/** `name` replaces the words from start to end. */
export interface NamedItem extends MealItem {
  readonly name?: string;
  /** The probability that the text names this food with this amount; 1 if absent. */
  readonly probability?: number;
}

/** The item of a text that is the name of a food. */
export function exactItem(read: TextToRead, finder: FoodsToRead): NamedItem | undefined {
  const exact = exactNameOf(read, finder);
  if (exact === undefined) return undefined;
  const { words, names, budget } = read;
  const tokens = read.tokens.slice(exact.from, exact.to);
  const phrases = new PhraseReader({ ...read, tokens }, names).read([]);
  const item = new MealReader({ ...read, tokens }, names, budget).readOne(phrases, exact.amount);
  if (item === undefined) return undefined;
  const [start, end] = [tokens[0]!.start, tokens.at(-1)!.end];
  const hits = exact.hits.map((hit) => ({ ...hit, words: exact.words, isExact: true as const }));
  const described = read.tokens.filter(({ kind }) => kind === 'word').map(({ folded }) => stemOf(folded));
  const parts = new NamesOfParts(phrases.slice(0, 1), words);
  const named = new Set(hits.map(({ document }) => document));
  const others = item.hits.filter(({ document }) => !named.has(document));
  return { ...item, start, end, described, parts, hits: [...hits, ...others] };
}

/** The only food of a recipe line. */
export function recipeItem(read: TextToRead, isOneFood: boolean): NamedItem[] | undefined {
  const line = readRecipeLine(read, isOneFood);
  if (line === undefined) return undefined;
  const { tokens, words, names, budget, language, isList } = read;
  const { start, end } = line.name;
  const inName = tokens.filter((token) => token.start >= start && token.end <= end);
  const phrases = new PhraseReader({ tokens: inName, words, language, isList }, names).read([]);
  const item = new MealReader({ tokens: inName, words, language, isList }, names, budget).readOne(
    phrases,
    line.amount,
  );
  const described = tokens
    .filter((token, at) => token.kind === 'word' && (token.start < end || !isResult(at, read)))
    .map(({ folded }) => stemOf(folded));
  if (item === undefined) return undefined;
  const endToken = tokens.findLastIndex((token) => token.end <= start) + 1;
  const size = line.size ?? item.size ?? sizeAmong([{ firstToken: 0, endToken }], tokens, language);
  return [{ ...item, start, end, described, name: line.name.text, size }];
}

/** Maximum tokens between "into" and the resulting pieces: "into ¼-inch-thick slices". */
const MAX_RESULT_WORDS = 6;

/** Whether a word after the name only says what the food is made into: "cut into slices", "in Scheiben geschnitten". */
function isResult(at: number, { tokens, words }: TextToRead): boolean {
  return tokens
    .slice(Math.max(0, at - MAX_RESULT_WORDS), at)
    .some(({ folded }) => words.belonging.has(folded) && !words.listing.has(folded));
}
