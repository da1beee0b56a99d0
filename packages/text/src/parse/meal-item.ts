import type { Amount } from '../find-amounts.ts';
import type { Language } from '../language.ts';
import type { MealWords } from '../meal-words.ts';
import type { Token } from '../tokens.ts';
import type { FoodNames } from './food-names.ts';
import type { Host } from './grams/described.ts';
import { isSize } from './grams/serving-match.ts';
import type { NameHit } from './name-look-ups.ts';
import { isEmptyWord, stemOf } from './names/name-words.ts';
import { NamesOfParts } from './phrases/names-of-parts.ts';
import {
  isArticle,
  namesFood,
  type Phrase,
  type PhraseWord,
  phraseAmounts,
  SIZED_PARTS,
} from './phrases/phrase.ts';
import type { Remarks } from './structure/remainder.ts';

/** UTF-16 offsets of a part of a text. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/** Facts that a text states about one food. */
export interface MealItem {
  readonly words: readonly PhraseWord[];
  readonly amount?: Amount;
  /** Another amount beside it that is less exact: "bowl" of "bowl of soup 300 g". */
  readonly lesserAmount?: Amount;
  /** A size after the name: "una birra piccola". */
  readonly size?: string | undefined;
  /** Candidate foods, best first; empty if no name has the words. */
  readonly hits: readonly NameHit[];
  /** The preceding link: "and", "with", ",". */
  readonly link: string;
  readonly firstToken: number;
  /** Names of its parts, which its name must not match. */
  readonly parts: NamesOfParts;
  /** Foods named after it that count as part of it, as UTF-16 offsets: the rice in "200 g chicken with rice". */
  readonly included?: readonly Extent[];
  /** The food before it that it is added to; known once that food is chosen. */
  readonly host?: Host | undefined;
  /** Positions at which the text repeats its name or its kind. */
  readonly mentions?: readonly Extent[];
  /** Stems of words that may describe the serving. */
  readonly described: readonly string[];
  /** Words about it that are not part of its name; set before its candidates are compared. */
  readonly remarks?: Remarks;
  /** UTF-16 offsets of the words that name the food. */
  readonly start: number;
  readonly end: number;
}

/** Minimum weight of a word that is included in the displayed name. */
const MIN_SAID = 0.1;

export interface TextOfMeal {
  readonly tokens: readonly Token[];
  readonly words: MealWords;
  readonly language: Language;
  /** The text has no sentences. */
  readonly isList: boolean;
}

interface FoundFood {
  readonly span: readonly Phrase[];
  readonly words: readonly PhraseWord[];
  readonly hits: readonly NameHit[];
  readonly amount: Amount | undefined;
  /** The words that are in the name of the best food. */
  readonly named?: readonly PhraseWord[];
}

/** Joins the phrases to one food. */
export function toMealItem(
  { tokens, words: mealWords, language }: TextOfMeal,
  { span, words, hits, amount, named }: FoundFood,
): MealItem {
  const amounts = phraseAmounts(span);
  const lesser = amount && amounts.find((other) => other !== amount && !isArticle(other));
  const from = Math.min(span[0]!.firstToken, ...amounts.map(({ firstToken }) => firstToken));
  const to = Math.max(span.at(-1)!.endToken, ...amounts.map(({ endToken }) => endToken));
  return {
    words,
    hits,
    size: sizeAmong(span, tokens, language, named),
    link: span[0]!.link,
    firstToken: span[0]!.firstToken,
    parts: new NamesOfParts(span, mealWords),
    described: describe(
      tokens,
      from,
      span.find(({ isPart }) => isPart)?.firstToken ?? to,
      endOfSizes(span, mealWords) ?? to,
    ),
    ...extentOf(tokens, words),
    ...(amount !== undefined && { amount }),
    ...(lesser !== undefined && { lesserAmount: lesser }),
  };
}

/**
 * The first size among the words of a food, for languages in which sizes are no words of names; `named` are the tokens of its
 * name: "3 petits beurres".
 */
export function sizeAmong(
  span: readonly Pick<Phrase, 'firstToken' | 'endToken'>[],
  tokens: readonly Token[],
  { code, sizes }: Language,
  named: readonly PhraseWord[] = [],
): string | undefined {
  if (code === 'en') return undefined;
  const ofName = new Set(named.map(({ token }) => token));
  for (const { firstToken, endToken } of span) {
    for (let at = firstToken; at < endToken; at++) {
      const size = ofName.has(at) ? undefined : sizes.at(tokens, at);
      if (size !== undefined) return size.value;
    }
  }
  return undefined;
}

/** The words of a text that are in a name of its best food. */
export function namedBy(
  words: readonly PhraseWord[],
  [best]: readonly NameHit[],
  names: FoodNames,
): readonly PhraseWord[] {
  const lost =
    best === undefined ? words : (names.matchOf(best.words ?? words, best.document)?.lost ?? words);
  return words.filter(({ stem }) => !lost.some((word) => word.stem === stem));
}

/** The offsets from the first to the last word that describes the food. */
export function extentOf(tokens: readonly Token[], words: readonly PhraseWord[]): Extent {
  const said = words.filter(({ weight }) => weight >= MIN_SAID);
  const some = said.length > 0 ? said : words;
  return { start: tokens[some[0]!.token]!.start, end: tokens[some.at(-1)!.token]!.end };
}

/** The token from which on sizes belong to an addition: "pizza on a medium crust". */
function endOfSizes([first, ...others]: readonly Phrase[], { belonging }: MealWords): number | undefined {
  return namesFood(first!) ? others.find(({ link }) => belonging.has(link))?.firstToken : undefined;
}

/** Whether a token begins an energy that names a serving, as in "a 100 calorie pack". */
function isEnergy(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]?.text === '-' ? tokens[at + 2] : tokens[at + 1];
  return tokens[at]!.kind === 'number' && /^(k?cal|calories?)$/.test(next?.folded ?? '');
}

/** Stems of the words that may describe the serving. */
export function describe(tokens: readonly Token[], from: number, to: number, endOfSize: number): string[] {
  return tokens
    .slice(from, to)
    .filter(
      ({ kind, folded, text }, at, all) =>
        (kind === 'word' || isEnergy(all, at)) &&
        folded !== 'a' &&
        folded !== 'an' &&
        !isEmptyWord(folded) &&
        (!isSize(stemOf(folded)) || (from + at < endOfSize && !SIZED_PARTS.has(all[at + 1]?.folded ?? ''))) &&
        // "every bite" is not a size.
        (!/^bites?$/.test(text) || all[at + 1]?.text === '-' || all[at + 1]?.folded === 'size'),
    )
    .map(({ folded }) => stemOf(folded));
}

/** Maximum consecutive unknown words that may name a food; longer runs are sentences. */
const MAX_UNKNOWN_WORDS = 3;
const WORD = /^\p{L}{3,}$/u;

/**
 * Whether a phrase of a list names a food that no table contains: "eggs and xqzvw". Each of its words must be
 * unknown or describe foods; any other word shows that the phrase is not a food.
 */
export function namesUnknownFood(
  { firstToken, endToken, link }: Phrase,
  { tokens, words, language }: TextOfMeal,
  names: FoodNames,
): boolean {
  if (link !== '' && link !== ',' && !words.listing.has(link)) return false;
  let unknown = 0;
  for (let at = firstToken; at < endToken; at++) {
    const { kind, folded } = tokens[at]!;
    if (kind !== 'word' || isEmptyWord(folded) || isDescription(tokens, at, words, language)) continue;
    if (words.fillers.has(folded) || language.others.has(tokens, at) || !WORD.test(folded)) return false;
    if (words.endings.some((ending) => folded.endsWith(ending))) return false;
    if (names.likenessOf(stemOf(folded)) > 0 || isCount(tokens, at, language)) return false;
    unknown++;
  }
  return unknown > 0 && unknown <= MAX_UNKNOWN_WORDS;
}

/** Whether a word describes a food or how it was eaten: "fresh", "finely", "chopped", "ate". */
function isDescription(
  tokens: readonly Token[],
  at: number,
  { weak, telling }: MealWords,
  language: Language,
): boolean {
  const { folded } = tokens[at]!;
  return (
    weak.has(folded) ||
    telling.has(folded) ||
    [
      language.articles,
      language.praise,
      language.qualifiers,
      language.leading,
      language.sizes,
      language.descriptors,
      language.adverbs,
      language.preparations,
    ].some((phrases) => phrases.has(tokens, at))
  );
}

function isCount(tokens: readonly Token[], at: number, language: Language): boolean {
  return [language.cardinals, language.fractions, language.groups, language.units, language.otherUnits].some(
    (phrases) => phrases.has(tokens, at),
  );
}
