import { languageBit } from '@larder/core/name-languages.ts';
import { type Language, type LanguageCode, languageOf } from '../language.ts';
import { mealWordsOf } from '../meal-words.ts';
import { wordOfNumberedName } from '../numbers.ts';
import { fold, type Token } from '../tokens.ts';
import type { FoodNames } from './food-names.ts';
import { isEmptyWord, stemOf } from './names/name-words.ts';
import { isNameOfFood } from './structure/exact-name.ts';

/** Shortest word that is changed, and shortest rest of it before its ending. */
const MIN_WORD = 3;
const MIN_REST = 2;
/** Maximum words of a name in which an inflected word may stand: "kawa z mlekiem". */
const MAX_NAME_WORDS = 4;

/**
 * Replaces inflected words by the form that names of foods begin with: Polish "masłem" by "masło", Dutch "eitjes" by
 * "eitje". A word stays if it begins a name, or if it is part of a name that the text has ("kawa z mlekiem"), so that
 * the endings in `languages/*.json` may be loose. Returns the same array if there is no such word.
 */
export function toKnownForms(
  tokens: readonly Token[],
  language: Language,
  names: FoodNames,
): readonly Token[] {
  if (language.inflections.length === 0) return tokens;
  const forms: Token[] = [];
  for (const [at, token] of tokens.entries()) {
    const base = mayBeInflected(tokens, at, language, names)
      ? baseOf(token.folded, { before: forms.at(-1), after: tokens[at + 1] }, language, names)
      : undefined;
    const isKept =
      base === undefined || isInName(forms, token, names) || isInName(tokens.slice(0, at), token, names);
    forms.push(isKept ? token : { ...token, folded: base });
  }
  return forms.some((token, at) => token !== tokens[at]) ? forms : tokens;
}

/** The first of these languages in which a word of a text is an inflected name. */
export function inflectedIn(
  tokens: readonly Token[],
  codes: readonly LanguageCode[],
  names: FoodNames,
): LanguageCode | undefined {
  return codes.find((code) => {
    const language = languageOf(code);
    const own = names.inLanguages(languageBit(code));
    return tokens.some(
      ({ folded }, at) =>
        mayBeInflected(tokens, at, language, names) &&
        formsOf(folded, language.inflections).some((form) => isName(form, own) && isOwnName(form, own)),
    );
  });
}

function mayBeInflected(tokens: readonly Token[], at: number, language: Language, names: FoodNames): boolean {
  const { kind, folded } = tokens[at]!;
  if (kind !== 'word' || folded.length < MIN_WORD || isEmptyWord(folded)) return false;
  // Dutch "gisteren" is no yeast.
  if (mealWordsOf(language.code).telling.has(folded)) return false;
  return !staysInName(tokens, at, language, names) && !isOfAmount(tokens, at, language);
}

/** Whether a word is a name, or begins one with the next word; the plural "cipolle" alone is not kept by "cipolle cotte". */
function staysInName(tokens: readonly Token[], at: number, language: Language, names: FoodNames): boolean {
  const { folded } = tokens[at]!;
  if (!begins(folded, names)) return false;
  const { descriptors, preparations, preserved } = language;
  if ([descriptors, preparations, preserved].some((words) => words.has(tokens, at))) return true;
  const next = tokens.slice(at + 1).find((token) => token.kind !== 'word' || !isEmptyWord(token.folded));
  if (next?.kind === 'word' && names.beginsWithAll([stemOf(folded), stemOf(next.folded)])) return true;
  const own = names.inLanguages(languageBit(language.code));
  return isName(folded, own) && isOwnName(folded, own);
}

/** The words beside a word, of which the former has its base form already. */
interface Neighbours {
  readonly before: Token | undefined;
  readonly after: Token | undefined;
}

/**
 * The form that begins a name with the word beside it ("białe wino", not "biały ser"), is a name, or begins one; a word
 * in no name may also get a form that is in one.
 */
function baseOf(
  word: string,
  { before, after }: Neighbours,
  language: Language,
  names: FoodNames,
): string | undefined {
  const forms = formsOf(word, language.inflections).filter((form) => names.likenessOf(stemOf(form)) === 1);
  const pairs = (form: string, others: readonly string[]) =>
    others.some((other) => names.beginsWithAll([stemOf(form), stemOf(other)]));
  const isPair = (form: string) =>
    (before?.kind === 'word' && pairs(form, [before.folded])) ||
    (after?.kind === 'word' && pairs(form, [after.folded, ...formsOf(after.folded, language.inflections)]));
  const base = forms.find(isPair) ?? forms.find((form) => isName(form, names));
  if (base !== undefined || begins(word, names)) return base;
  return (
    forms.find((form) => begins(form, names)) ?? (names.likenessOf(stemOf(word)) === 1 ? undefined : forms[0])
  );
}

/** Score of a name of exactly these words. */
const SAME_NAME = 0.95;

function isName(form: string, names: FoodNames): boolean {
  if (!begins(form, names)) return false;
  const [hit] = names.find([{ stem: stemOf(form), weight: 1, isHead: true }], 1);
  return (hit?.score ?? 0) >= SAME_NAME;
}

/** Whether this is a name of a food in the preferred language. */
function isOwnName(form: string, names: FoodNames): boolean {
  const words = [{ stem: stemOf(form), weight: 1, isHead: true }];
  return names.find(words, 1).some(({ document }) => names.matchOf(words, document)?.language === 'own');
}

/** Whether a word is the plural of a food's name, alone or after the word before: "tacos", but not "Brötchen", whose singular is the same word. */
export function isPlural(
  written: string,
  before: string | undefined,
  { plurals }: Language,
  names: FoodNames,
): boolean {
  return formsOf(fold(written), plurals).some(
    (form) => isNameOfFood(form, names) || (before !== undefined && isNameOfFood(`${before} ${form}`, names)),
  );
}

/** The other forms that a word may have, by the endings of its language, longer endings first. */
function formsOf(word: string, endings: Language['inflections']): string[] {
  return endings
    .filter(([ending]) => word.endsWith(ending) && word.length - ending.length >= MIN_REST)
    .map(([ending, base]) => word.slice(0, word.length - ending.length) + base);
}

function begins(word: string, names: FoodNames): boolean {
  return names.beginsWithAll([stemOf(word)]);
}

/** Whether a word and the last ones of those before it begin a name, small words aside. */
function isInName(before: readonly Token[], { folded: word }: Token, names: FoodNames): boolean {
  if (names.likenessOf(stemOf(word)) < 1) return false;
  const stems = [stemOf(word)];
  for (const { kind, folded } of before.toReversed()) {
    if (kind !== 'word' || stems.length === MAX_NAME_WORDS) return false;
    if (isEmptyWord(folded)) continue;
    stems.unshift(stemOf(folded));
    if (names.beginsWithAll(stems)) return true;
  }
  return false;
}

function isOfAmount(tokens: readonly Token[], at: number, language: Language): boolean {
  const { cardinals, fractions, groups, vague, units, sizes, connectors } = language;
  return [cardinals, fractions, groups, vague, units, sizes, connectors].some((words) =>
    words.has(tokens, at),
  );
}

/** Replaces words that mean another food in the region of a text, or beside its other words. */
export function toMeantWords(tokens: readonly Token[], language: Language): readonly Token[] {
  const { numbered } = language;
  const inSense = withSenses(tokens, language);
  if (!inSense.some(({ folded }) => numbered.has(folded))) return inSense;
  const numberedWords = new Set(
    inSense.map((token, at) =>
      token.kind === 'number' ? wordOfNumberedName(inSense, at, at + 1, language) : undefined,
    ),
  );
  return inSense.map((token) =>
    numberedWords.has(token) ? { ...token, folded: numbered.get(token.folded)! } : token,
  );
}

function withSenses(tokens: readonly Token[], { senses, region = '' }: Language): readonly Token[] {
  if (!tokens.some((token) => senses.has(token.folded) || senses.has(asWritten(token)))) return tokens;
  const said = new Set(tokens.map(({ folded }) => folded));
  const isBeside = (words: readonly string[]) => words.some((word) => said.has(word));
  const meant: Token[] = [];
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at]!;
    const sense = [...(senses.get(asWritten(token)) ?? []), ...(senses.get(token.folded) ?? [])].find(
      ({ after, isAlways, regions, beside, unless }) =>
        after.every((word, next) => tokens[at + 1 + next]?.folded === word) &&
        (isAlways || regions.includes(region) || isBeside(beside)) &&
        !isBeside(unless),
    );
    const length = 1 + (sense?.after.length ?? 0);
    meant.push(...(sense === undefined ? [token] : renamed(tokens.slice(at, at + length), sense.means)));
    at += length;
  }
  return meant;
}

/** A word with its accents: the pâté of a French text is no pasta. */
function asWritten({ text }: Token): string {
  return text.toLowerCase().normalize('NFC');
}

/** The tokens with other words; words beyond their number take no room in the text. */
function renamed(tokens: readonly Token[], words: readonly string[]): Token[] {
  const last = tokens.at(-1)!;
  return words.map((folded, at) => {
    const token = tokens[at] ?? { ...last, text: '', start: last.end, joined: false };
    return { ...token, folded, ...(at === words.length - 1 && { end: last.end }) };
  });
}
