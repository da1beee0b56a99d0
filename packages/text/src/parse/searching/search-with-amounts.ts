import { tokenise as splitWords } from '@larder/core/words/tokenise.ts';
import { mergeRanked } from '@larder/search/merge-ranked.ts';
import { ENOUGH_ANSWERS } from '@larder/search/query/query-limits.ts';
import { MISSING, SAME_NAME } from '@larder/search/query/ranking-weights.ts';
import { type Amount, findAmounts } from '../../find-amounts.ts';
import { detectLanguage } from '../../language.ts';
import { mayHoldAmount } from '../../may-hold-amount.ts';
import { tokenise } from '../../tokens.ts';
import { UNITS } from '../../units.ts';
import type { FoodHit } from '../food-finder.ts';
import { findExclusion, hasAllWords, hasWords, relationTo } from './exclusions.ts';

/** A food with the texts that are compared with a query. */
interface NamedFood {
  readonly id: unknown;
  readonly name: string;
  readonly brand?: string;
  readonly aliases?: readonly string[];
}

type Hit = FoodHit<NamedFood>;

/** A search text without its amounts, such as "eggs" for "2 eggs". */
interface FoodWords {
  readonly text: string;
  /** The text begins with an amount. An amount at the end is often part of a product's name: "cola 330 ml". */
  readonly isLed: boolean;
  /** The amount is in digits. Counting words may be part of a name: "four loko", "seven seas". */
  readonly isSure: boolean;
}

/**
 * Penalty of a food found without the amount, which gives names with the amount in them a chance: "5 croissants with
 * chocolate".
 */
const WITHOUT_AMOUNT = 40;
/**
 * Penalty of a food with the words far apart, whose number belongs to something else: "bread with 2% milk and
 * eggs".
 */
const APART = MISSING;
/** A fixed number of results, so that the order does not depend on the limit. */
const LOOKED_THROUGH = ENOUGH_ANSWERS;
/** Maximum score of a food that lacks a word of the query, or has it in a long name. */
const POOR = -40;
/**
 * Minimum score of a food for which counting words are an amount. If no food has all words, it is enough that they
 * begin a name.
 */
const NAMED_WELL = 60;
/** Minimum length of the text without amounts; shorter ones match too much. */
const MIN_LENGTH = 2;
/** Number of foods that are reordered if the query excludes something. */
const EXCLUSION_WINDOW = 50;
/** Maximum words of a name that are compared with the query. */
const MAX_WORDS = 48;

/**
 * The best `limit` foods for a query that may contain an amount. Merges the results of `search` with and
 * without the amount; foods with exactly the typed name stay first. Excluded foods are never first. A shorter
 * list is a prefix of a longer one, if that holds for the lists of `search`.
 */
export function searchWithAmounts<Found extends Hit>(
  query: string,
  limit: number,
  search: (text: string, limit: number) => readonly Found[],
): readonly Found[] {
  return searchWithoutExcluded(query, limit, (text, most) => searchAmounts(text, most, search));
}

/**
 * If the query excludes something ("coffee without milk"): first the foods of its other words that say they
 * are without it, then those that do not mention it, and last those that contain it.
 */
function searchWithoutExcluded<Found extends Hit>(
  query: string,
  limit: number,
  search: (text: string, limit: number) => readonly Found[],
): readonly Found[] {
  const exclusion = findExclusion(query);
  if (exclusion === undefined) return search(query, limit);
  const most = Math.max(limit, EXCLUSION_WINDOW);
  const typed = search(query, most);
  const relationOf = ({ food }: Found) => relationTo(exclusion, textsOf(food));
  const { rest } = exclusion;
  const others = rest === undefined ? typed : search(rest, most);
  const isWithout = (hit: Found) => {
    const texts = textsOf(hit.food);
    if (rest === undefined) return false;
    return hasAllWords(query, texts) || (relationOf(hit) === 'without' && hasWords(rest, texts));
  };
  // A fixed number of foods is reordered, so that the order does not depend on the limit.
  const first = others.slice(0, EXCLUSION_WINDOW);
  return distinct([
    ...[...typed.slice(0, EXCLUSION_WINDOW), ...first].filter(isWithout),
    ...first.filter((hit) => relationOf(hit) !== 'with'),
    ...first,
    ...others,
  ]).slice(0, limit);
}

function searchAmounts<Found extends Hit>(
  query: string,
  limit: number,
  search: (text: string, limit: number) => readonly Found[],
): readonly Found[] {
  if (!mayHoldAmount(query)) return search(query, limit);
  const words = foodWordsOf(query);
  if (words === undefined) return search(query, limit);
  const typed = search(query, Math.max(limit, LOOKED_THROUGH));
  const isPoor = (typed[0]?.score ?? POOR) <= POOR;
  if (!words.isLed && !isPoor) return typed.slice(0, limit);
  const others = search(words.text, limit);
  const isNamed = (others[0]?.score ?? 0) >= NAMED_WELL || (isPoor && beginsWith(others[0], words.text));
  if (!words.isSure && !isNamed) return typed.slice(0, limit);
  const phrase = phraseOf(query);
  const together = typed.slice(0, LOOKED_THROUGH).filter((hit) => hasPhrase(hit, phrase));
  const named = together.filter(({ score }) => score >= SAME_NAME);
  const lists = [
    together.filter((hit) => !named.includes(hit)),
    others.map((hit) => ({ ...hit, score: hit.score - WITHOUT_AMOUNT })),
    typed.filter((hit) => !together.includes(hit)).map((hit) => ({ ...hit, score: hit.score - APART })),
  ];
  const merged = mergeRanked(lists, Number.POSITIVE_INFINITY);
  return distinct([...named, ...merged]).slice(0, limit);
}

/** The words that name the food; undefined if the query has no amount or only an amount. */
function foodWordsOf(query: string): FoodWords | undefined {
  const tokens = tokenise(query);
  const language = detectLanguage(tokens);
  const of = (amount: Amount) => language.of.at(tokens, amount.endToken);
  const found = findAmounts(tokens, language).filter(
    (amount) =>
      !isArticle(amount) &&
      amount.quantity > 0 &&
      (of(amount) !== undefined || !language.units.has(tokens, amount.firstToken)),
  );
  const isLed = found[0]?.firstToken === 0;
  const amounts = isLed ? found : found.filter(isMeasured);
  if (amounts.length === 0) return undefined;
  let text = '';
  let at = 0;
  for (const amount of amounts) {
    text += `${query.slice(at, amount.start)} `;
    at = tokens[of(amount)?.end ?? amount.endToken]?.start ?? query.length;
  }
  text = (text + query.slice(at)).trim();
  if (text.length < MIN_LENGTH || !/\p{L}/u.test(text)) return undefined;
  return { text, isLed, isSure: tokens.some(({ kind }) => kind === 'number') };
}

/** Whether the amount is an article as in "a banana", which search ignores. */
function isArticle({ article, unit, each }: Amount): boolean {
  return article === true && unit === undefined && each === undefined;
}

function isMeasured({ unit, each }: Amount): boolean {
  const measure = each?.unit ?? unit;
  return measure !== undefined && ['mass', 'volume'].includes(UNITS[measure].kind);
}

function beginsWith(hit: Hit | undefined, text: string): boolean {
  return hit !== undefined && `${phraseOf(hit.food.name)} `.startsWith(`${phraseOf(text)} `);
}

/** The words of a phrase; the last one may be incomplete. */
function phraseOf(text: string): string {
  return ` ${splitWords(text, MAX_WORDS).join(' ')}`;
}

/** Whether a food has the phrase; the brand may precede or follow the name. */
function hasPhrase({ food: { name, brand = '', aliases = [] } }: Hit, phrase: string): boolean {
  return [`${brand} ${name} ${brand}`, ...aliases].some((text) => phraseOf(text).includes(phrase));
}

function textsOf({ name, aliases = [] }: NamedFood): string[] {
  return [name, ...aliases];
}

function distinct<Found extends Hit>(hits: readonly Found[]): Found[] {
  const seen = new Set<unknown>();
  return hits.filter(({ food: { id } }) => !seen.has(id) && seen.add(id));
}
