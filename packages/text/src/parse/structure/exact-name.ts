import type { SearchHit } from '@larder/search/match/top-hits.ts';
import { type Amount, findAmounts } from '../../find-amounts.ts';
import { fold } from '../../tokens.ts';
import type { FoodsToRead } from '../caching-finder.ts';
import type { FoodNames, QueryWord } from '../food-names.ts';
import { nameWords, wordsOfName } from '../names/name-words.ts';
import { isArticle } from '../phrases/phrase.ts';
import type { ListEntry } from './food-list.ts';
import type { TextToRead } from './recipe-line.ts';

/** Maximum words of a name. Longer texts are not names. */
const MAX_WORDS = 20;
const MAX_HITS = 12;
/** Characters between a name and its amount: "rice: 200 g". */
const LOOSE_SIGN = /^[:.,;–—(*•-]$/;
const MAX_AMOUNT_TOKENS = 6;
/** Characters that do not separate foods. */
const NOT_OF_NAMES = /[^\p{L}\p{M}\p{N}%,;+/&]+/gu;

/** The name of a food as in a table, with its tokens and its amount. */
export interface ExactName extends ListEntry {
  readonly amount?: Amount;
  /** The foods with this name; none for a custom food. */
  readonly hits: readonly SearchHit[];
  /** All words of the name, also those that a phrase would leave out, such as "without sugar". */
  readonly words: readonly QueryWord[];
}

/** Number of additional characters and spaces that the same name may have. */
const MAX_SIGNS = 10;

/**
 * A text that consists of the exact name of a food, including commas, and its amount: "100 g White rice,
 * dry". The words after the comma are not a preparation then, and "and" does not begin another food.
 */
export function exactNameOf(read: TextToRead, finder: FoodsToRead): ExactName | undefined {
  const { tokens, amounts } = read;
  if (tokens.length > 2 * MAX_WORDS) return undefined;
  const [first] = amounts;
  if (first?.endToken === tokens.length)
    return named({ from: 0, to: first.firstToken, amount: first }, read, finder);
  const whole = named({ from: 0, to: tokens.length }, read, finder);
  if (whole !== undefined || first?.firstToken !== 0) return whole;
  // The last words of an amount may begin the name: "100 g tub butter", "3 folhas de gelatina".
  for (let from = 1; from < Math.min(first.endToken, MAX_AMOUNT_TOKENS); from++) {
    const [amount] = findAmounts(tokens.slice(0, from), read.language);
    if (amount === undefined || isArticle(amount) || amount.endToken !== from) continue;
    const found = named({ from, to: tokens.length, amount }, read, finder);
    if (found !== undefined) return found;
  }
  const from = read.language.of.at(tokens, first.endToken)?.end ?? first.endToken;
  return named({ from, to: tokens.length, amount: first }, read, finder);
}

function named(
  range: Omit<ExactName, 'hits' | 'words'>,
  read: TextToRead,
  finder: FoodsToRead,
): ExactName | undefined {
  const { text, tokens, names } = read;
  let { from, to } = range;
  while (from < to && LOOSE_SIGN.test(tokens[from]!.text)) from++;
  while (from < to && LOOSE_SIGN.test(tokens[to - 1]!.text)) to--;
  if (to - from < 2) return undefined;
  const said = text.slice(tokens[from]!.start, tokens[to - 1]!.end);
  const words = nameWords(said);
  if (words.length > MAX_WORDS || words.length === 0) return undefined;
  const head = words.findLastIndex(({ part }) => part === 0);
  const query = words.map(({ stem }, at) => ({ stem, weight: 1, isHead: at === head }));
  const hits = foodsNamed(said, query, qualifies(from, to, read), names);
  return hits.length > 0 || finder.findCustomFood?.(said) !== undefined
    ? { ...range, from, to, hits, words: query }
    : undefined;
}

/** Whether a text is the name of a food, as it is written there. */
export function isNameOfFood(said: string, names: FoodNames): boolean {
  const query = nameWords(said).map(({ stem }) => ({ stem, weight: 1, isHead: true }));
  return query.length > 0 && foodsNamed(said, query, false, names).length > 0;
}

/** The foods with this name; `isFree` allows another order of its words. */
function foodsNamed(
  said: string,
  query: readonly QueryWord[],
  isFree: boolean,
  names: FoodNames,
): readonly SearchHit[] {
  if (!names.beginsWithAll(query.map(({ stem }) => stem))) return [];
  const key = isFree ? wordsOf : normalised;
  const asked = key(said);
  const mayBe = (other: string) => isFree || Math.abs(other.length - said.length) <= MAX_SIGNS;
  return names.find(query, MAX_HITS).filter(({ document }) => {
    const food = names.foodAt(document);
    return [food.name, ...food.aliases].some((other) => mayBe(other) && key(other) === asked);
  });
}

/** Whether a comma precedes words that qualify the food, as in "tuna, canned in oil"; then the order of the words is free. */
function qualifies(from: number, to: number, { tokens, language, words }: TextToRead): boolean {
  const commas = [...tokens.keys()].slice(from, to - 1).filter((at) => /^[,(]$/.test(tokens[at]!.text));
  const { descriptors, preparations, preserved } = language;
  const isQuality = (at: number) =>
    words.weak.has(tokens[at]!.folded) ||
    [descriptors, preparations, preserved].some((phrases) => phrases.has(tokens, at));
  return commas.length > 0 && commas.every((at) => isQuality(at + 1));
}

function wordsOf(name: string): string {
  return wordsOfName(name)
    .map(({ stem }) => stem)
    .sort()
    .join(' ');
}

function normalised(name: string): string {
  return fold(name).replace(NOT_OF_NAMES, ' ').trim();
}
