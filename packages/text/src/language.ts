import DE from './languages/de.json' with { type: 'json' };
import EN from './languages/en.json' with { type: 'json' };
import ES from './languages/es.json' with { type: 'json' };
import FR from './languages/fr.json' with { type: 'json' };
import IT from './languages/it.json' with { type: 'json' };
import NL from './languages/nl.json' with { type: 'json' };
import PL from './languages/pl.json' with { type: 'json' };
import PT from './languages/pt.json' with { type: 'json' };
import DE_MEALS from './meals/de.json' with { type: 'json' };
import EN_MEALS from './meals/en.json' with { type: 'json' };
import ES_MEALS from './meals/es.json' with { type: 'json' };
import FR_MEALS from './meals/fr.json' with { type: 'json' };
import IT_MEALS from './meals/it.json' with { type: 'json' };
import NL_MEALS from './meals/nl.json' with { type: 'json' };
import PL_MEALS from './meals/pl.json' with { type: 'json' };
import PT_MEALS from './meals/pt.json' with { type: 'json' };
import { Phrases } from './phrases.ts';
import { fold, type Token } from './tokens.ts';
import type { UnitName } from './units.ts';

export const LANGUAGE_CODES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl'] as const;
export type LanguageCode = (typeof LANGUAGE_CODES)[number];
/** A language, or that of a region: "en", "en-GB". */
export const LANGUAGE_TAG: RegExp = new RegExp(`^(?:${LANGUAGE_CODES.join('|')})(?:-[A-Z]{2})?$`);

/** Lists of phrases for each language. A list may be empty. */
interface WordLists<T> {
  /** Words that mean one: "a banana". */
  readonly articles: T;
  /** Phrases that begin like an amount without being one: "7 up", "half and half". */
  readonly notAmounts: T;
  /** Words between the ends of a range, such as "to"; words of `between` precede the range. */
  readonly range: T;
  readonly between: T;
  /** Words in "2 x 330 ml", and in "2 by 3 inches". */
  readonly times: T;
  readonly by: T;
  readonly and: T;
  readonly or: T;
  readonly plus: T;
  readonly minus: T;
  /** Words between an amount and its food. */
  readonly of: T;
  readonly each: T;
  /** Words before a number that do not change it: "about", "a good". */
  readonly about: T;
  /** Words between number and unit that do not change the amount: "heaped", "refreshing". */
  readonly qualifiers: T;
  /** Words for a spoon that is more than level, and for one that is not: "heaped", "rase". */
  readonly heaped: T;
  readonly level: T;
  /** Words of praise that may precede a size: "a delicious large apple". */
  readonly praise: T;
  /** Words after numbers that are not amounts of food: "2%", "8 pm". */
  readonly otherUnits: T;
  /** Words that begin a clause about cooking or a yield: "makes 12", "preheat". */
  readonly instructions: T;
  /** Words that begin the heading of a part of a recipe: "for the sauce". */
  readonly headings: T;
  /** Units of time and temperature: "30 minutes", "180 °C". */
  readonly durations: T;
  /** Words that never begin a food. */
  readonly connectors: T;
  /** Other words of meal descriptions, used only to detect the language. */
  readonly others: T;
  /** Words after which a preparation is part of the name: "canned chopped tomatoes". */
  readonly preserved: T;
  /** Words skipped before a name: "the". */
  readonly leading: T;
  /** Words before a preparation: "finely". */
  readonly adverbs: T;
  /** Treatments that do not change the food: "chopped". */
  readonly preparations: T;
  /** Words after the name of a food: "to taste", "for", "such as". */
  readonly afterNames: T;
  /** Names that contain the word of a preparation: "crushed red pepper". */
  readonly names: T;
  /** Foods with their own counting unit, if that unit does not follow all foods: "celery sticks". */
  readonly countedFoods: T;
  /** Words before examples, of which one is taken: "such as". */
  readonly examples: T;
  readonly optional: T;
  /** Parts of a food after a comma: "1 lemon, zest and juice". */
  readonly parts: T;
  /** Words that name no food by themselves: "boneless, skinless chicken". */
  readonly descriptors: T;
}

/** The content of a file in `languages/`. A `*` at the end of a word stands for each of the endings. */
export interface LanguageTable extends WordLists<readonly string[]> {
  readonly code: string;
  /** The decimal sign; the other one separates thousands. */
  readonly decimal: string;
  /** Letters that are typical of the language. */
  readonly letters: string;
  readonly endings: readonly string[];
  readonly cardinals: Readonly<Record<string, number>>;
  readonly fractions: Readonly<Record<string, number>>;
  /** Numbers that multiply the number before: "two dozen". */
  readonly groups: Readonly<Record<string, number>>;
  /** Inexact numbers: "a few". */
  readonly vague: Readonly<Record<string, number>>;
  /** Endings of participles beyond the listed ones: "deglazed". */
  readonly participleEndings: readonly string[];
  /** Sizes may follow a name: "cebolla mediana". */
  readonly sizesFollow: boolean;
  /** A unit may stand before a food without a number and "of": "Glas Milch". */
  readonly ofIsOptional: boolean;
  /** Units that follow the food that they count: "8 garlic cloves". */
  readonly trailingUnits: readonly string[];
  /** Units of one letter, which are case-sensitive: "1 T". */
  readonly unitLetters: Readonly<Record<string, string>>;
  /** Endings of inflected words and those of the base form, without accents: `em>o` for "masłem", "masło". */
  readonly inflections: readonly string[];
  /** First letters of the names of meals: "B oatmeal L tuna sandwich". */
  readonly mealLetters: string;
  /** Likewise those of plurals and of their singulars. */
  readonly plurals: readonly string[];
  /**
   * Words that mean another food: everywhere, or in some regions and beside some words, as British chips are fries. A key
   * with accents stands for the word as it is written.
   */
  readonly senses: Readonly<Record<string, SenseRow>>;
  /** Words that a number describes within a name, and the words of names that they mean: "7 grain bread" is multigrain bread. */
  readonly numbered: Readonly<Record<string, string>>;
  /** Beginnings of words for foods that are sold by their fat: "mlek" of "mleko". */
  readonly fatty: Readonly<Record<FattyKind, readonly string[]>>;
  readonly units: Readonly<Partial<Record<UnitName, readonly string[]>>>;
  readonly sizes: Readonly<Record<string, readonly string[]>>;
}

export type FattyKind = 'milk' | 'yogurt' | 'cream' | 'quark' | 'cheese' | 'meat';

interface SenseRow {
  /** Words of a name that has this meaning only. */
  readonly means: string;
  /** Without regions and neighbours, the meaning holds everywhere. */
  readonly regions?: readonly string[];
  readonly beside?: readonly string[];
  /** Words beside which the meaning does not hold. */
  readonly unless?: readonly string[];
}

export interface Sense {
  /** The further words of the key. */
  readonly after: readonly string[];
  readonly means: readonly string[];
  readonly isAlways: boolean;
  readonly regions: readonly string[];
  readonly beside: readonly string[];
  readonly unless: readonly string[];
}

type Endings = readonly (readonly [ending: string, base: string])[];

export interface Language extends WordLists<Phrases<true>> {
  readonly code: LanguageCode;
  /** A country, "GB"; measures and portions depend on it. */
  readonly region?: string;
  readonly decimal: string;
  readonly cardinals: Phrases<number>;
  /** Cardinals of one word, for compounds. */
  readonly cardinalWords: ReadonlyMap<string, number>;
  readonly fractions: Phrases<number>;
  readonly groups: Phrases<number>;
  readonly vague: Phrases<number>;
  readonly participle: RegExp | undefined;
  readonly sizesFollow: boolean;
  readonly ofIsOptional: boolean;
  readonly trailingUnits: ReadonlySet<string>;
  readonly unitLetters: ReadonlyMap<string, UnitName>;
  /** Endings and what replaces them, longer ones first. */
  readonly inflections: Endings;
  readonly plurals: Endings;
  /** The senses of ambiguous words, by their first word, folded or with its accents. */
  readonly senses: ReadonlyMap<string, readonly Sense[]>;
  readonly numbered: ReadonlyMap<string, string>;
  readonly units: Phrases<UnitName>;
  readonly sizes: Phrases<string>;
}

function createLanguage(table: LanguageTable): Language {
  const numbers = (words: Readonly<Record<string, number>>) => new Phrases(Object.entries(words));
  const phrases = <T>(lists: Readonly<Record<string, readonly string[]>>, meaning: (key: string) => T) =>
    new Phrases(
      Object.entries(lists).flatMap(([key, words]) =>
        words.flatMap((word) => inflected(word, table.endings)).map((word) => [word, meaning(key)] as const),
      ),
    );
  const lists = Object.entries(table)
    .filter(
      (entry): entry is [string, readonly string[]] =>
        Array.isArray(entry[1]) && entry[0] !== 'inflections' && entry[0] !== 'plurals',
    )
    .map(([name, words]) => [name, phrases({ words }, () => true as const)] as const);
  const endings = table.participleEndings.join('|');
  return {
    ...(Object.fromEntries(lists) as unknown as WordLists<Phrases<true>>),
    code: table.code as LanguageCode,
    decimal: table.decimal,
    cardinals: numbers(table.cardinals),
    cardinalWords: new Map(Object.entries(table.cardinals).map(([word, value]) => [fold(word), value])),
    fractions: numbers(table.fractions),
    groups: numbers(table.groups),
    vague: numbers(table.vague),
    participle: endings === '' ? undefined : new RegExp(`(?:${endings})$`),
    sizesFollow: table.sizesFollow,
    ofIsOptional: table.ofIsOptional,
    trailingUnits: new Set(table.trailingUnits),
    unitLetters: new Map(Object.entries(table.unitLetters) as [string, UnitName][]),
    senses: Map.groupBy(
      Object.entries(table.senses).map(([key, row]) => toSense(key, row)),
      ({ word }) => word,
    ),
    numbered: new Map(
      Object.entries(table.numbered).flatMap(([word, meaning]) =>
        [word, meaning].map((each) => [fold(each), fold(meaning)] as const),
      ),
    ),
    units: phrases(table.units as Readonly<Record<string, readonly string[]>>, (unit) => unit as UnitName),
    sizes: phrases(table.sizes, (size) => size),
    inflections: endingsOf(table.inflections),
    plurals: endingsOf(table.plurals),
  };
}

function endingsOf(rules: readonly string[]): Endings {
  return rules
    .map((rule) => rule.split('>') as [string, string])
    .sort(([one], [other]) => other.length - one.length);
}

function toSense(
  key: string,
  { means, regions = [], beside = [], unless = [] }: SenseRow,
): Sense & { word: string } {
  const [word, ...after] = key.split(' ') as [string, ...string[]];
  return {
    word,
    after: after.map(fold),
    means: means.split(' ').map(fold),
    isAlways: regions.length + beside.length === 0,
    regions,
    beside: beside.map(fold),
    unless: unless.map(fold),
  };
}

export function inflected(word: string, endings: readonly string[]): string[] {
  return word.includes('*') && word !== '*' ? endings.map((ending) => word.replaceAll('*', ending)) : [word];
}

export const TABLES: Readonly<Record<LanguageCode, LanguageTable>> = {
  en: EN,
  de: DE,
  fr: FR,
  es: ES,
  it: IT,
  pt: PT,
  nl: NL,
  pl: PL,
};

const MEALS = {
  ...{ de: DE_MEALS, en: EN_MEALS, es: ES_MEALS, fr: FR_MEALS },
  ...{ it: IT_MEALS, pt: PT_MEALS, nl: NL_MEALS, pl: PL_MEALS },
};

const created = new Map<LanguageCode, Language>();

/** Creates a language on first use, since each takes about 10 ms and 1 MB. */
export function languageOf(code: LanguageCode): Language {
  const known = created.get(code);
  if (known !== undefined) return known;
  const language = createLanguage(TABLES[code]);
  created.set(code, language);
  return language;
}

/** The language of a tag that matches `LANGUAGE_TAG`. */
export function languageOfTag(tag: string): Language {
  const [code, region] = tag.split('-');
  const language = languageOf(code as LanguageCode);
  return region === undefined ? language : { ...language, region };
}

/** The languages of each word in the tables that is not a food's name, and of each letter. */
let marks: { readonly words: LanguagesOf; readonly letters: LanguagesOf } | undefined;
type LanguagesOf = ReadonlyMap<string, readonly LanguageCode[]>;
/** A letter is weaker evidence than a word: English has "crème fraîche". */
const LETTER_WEIGHT = 0.4;
const GERMAN = LANGUAGE_CODES.indexOf('de');
/** Weight of a word that is in names of foods only. */
const NAME_WEIGHT = 0.5;
/** A noun with a capital decides between languages that share it. */
const CAPITAL_WEIGHT = 0.05;
/** Languages in which "d'" is "of". */
const OF_ELISION: readonly LanguageCode[] = ['fr', 'it', 'pt'];

/** Words of the tables that are foods of other languages: Italian "chili" is the plural of a unit, English "pan" is Spanish bread. */
const FOREIGN_WORDS: ReadonlySet<string> = new Set(['chili', 'pan']);

function wordsOf(table: LanguageTable): string[] {
  const {
    cardinals,
    fractions,
    groups,
    vague,
    units,
    sizes,
    names: _,
    countedFoods: __,
    inflections: ___,
    plurals: ____,
    endings,
    ...lists
  } = table;
  const phrases = [
    ...Object.values(lists).filter((list) => Array.isArray(list)),
    ...Object.values(units),
    ...Object.values(sizes),
    ...[cardinals, fractions, groups, vague].map(Object.keys),
    MEALS[table.code as LanguageCode].fillers,
    MEALS[table.code as LanguageCode].links,
  ].flat() as string[];
  return (
    phrases
      .flatMap((phrase) => inflected(phrase, endings))
      // Letters of abbreviations such as "e.g." are left out, since they are words of other languages.
      .flatMap((phrase) => {
        const words = phrase.toLowerCase().split(/[ '.]/);
        return words.length === 1 ? words : words.filter((word) => word.length > 1);
      })
      .filter((word) => /\p{L}/u.test(word) && !FOREIGN_WORDS.has(word))
  );
}

function languagesOf(marksOf: (table: LanguageTable) => readonly string[]): LanguagesOf {
  const found = new Map<string, LanguageCode[]>();
  for (const code of LANGUAGE_CODES) {
    for (const mark of new Set(marksOf(TABLES[code]))) found.set(mark, [...(found.get(mark) ?? []), code]);
  }
  return found;
}

/** Whether "1.500 ml Wasser" begins at a token: thousands, a measure, and a noun with a capital. */
function isGermanMeasure(tokens: readonly Token[], at: number): boolean {
  const [number, unit, noun] = tokens.slice(at, at + 3);
  return (
    /^\d{1,3}(?:\.\d{3})+$/.test(number!.text) &&
    /^(?:ml|g)$/.test(unit?.folded ?? '') &&
    /^\p{Lu}\p{Ll}/u.test(noun?.text ?? '')
  );
}

/** Returns the language with most words and letters in the text; English if there is none. */
export function detectLanguage(tokens: readonly Token[]): Language {
  return languageOf(likelyLanguages(tokens)[0] ?? 'en');
}

/** Minimum share of the best language's words and letters for another language to be equally likely. */
const LIKELY_SHARE = 0.75;

/**
 * The likely languages of a text by its words and letters, the likeliest first; none for "200 g burro". `sharesOf` says how much
 * of the names of foods with a word is in each language.
 */
export function likelyLanguages(
  tokens: readonly Token[],
  sharesOf: (token: Token) => readonly number[] = () => [],
): readonly LanguageCode[] {
  const scores = new Map<LanguageCode, number>();
  for (const [at, token] of tokens.entries())
    if (token.kind === 'word') countLanguages(token, { scores, sharesOf, isFirst: at === 0 });
  if (scores.size === 0) return tokens.some((_, at) => isGermanMeasure(tokens, at)) ? ['de'] : [];
  let best: LanguageCode = 'en';
  for (const [code, score] of scores) if (score > (scores.get(best) ?? 0)) best = code;
  const least = LIKELY_SHARE * scores.get(best)!;
  return [best, ...LANGUAGE_CODES.filter((code) => code !== best && (scores.get(code) ?? 0) >= least)];
}

interface LanguageCount {
  readonly scores: Map<LanguageCode, number>;
  readonly sharesOf: (token: Token) => readonly number[];
  /** The word begins the text. */
  readonly isFirst: boolean;
}

/** Adds the evidence of a word for the language of its text. */
function countLanguages(token: Token, { scores, sharesOf, isFirst }: LanguageCount): void {
  marks ??= { words: languagesOf(wordsOf), letters: languagesOf(({ letters }) => [...letters]) };
  const { words, letters } = marks;
  const count = (languages: readonly LanguageCode[] = [], weight: number) => {
    for (const code of languages) scores.set(code, (scores.get(code) ?? 0) + weight / languages.length);
  };
  const { text } = token;
  const word = text.toLowerCase();
  // A consonant is a word only with an apostrophe, unlike in "pb&j".
  if (/^[bcdfghj-np-tv-xz]$/.test(word)) return;
  const known = words.get(word.replace(/['’]$/, ''));
  count(known, 1);
  const shares = known === undefined ? sharesOf(token) : [];
  // Names are compared without accents: "salmón" is not English.
  const isAccented = [...word].some((letter) => letter > '\x7f');
  for (const [at, share] of shares.entries()) {
    const code = LANGUAGE_CODES[at]!;
    if (share > 0 && !(isAccented && code === 'en')) count([code], NAME_WEIGHT * share);
  }
  // Only German has nouns like "Dose" with a capital within a text.
  if (!isFirst && known?.includes('de') && /^\p{Lu}\p{Ll}/u.test(text)) count(['de'], CAPITAL_WEIGHT);
  if (!isFirst && shares[GERMAN]! > 0 && /^\p{Lu}\p{Ll}/u.test(text)) count(['de'], LETTER_WEIGHT);
  if (/^d['’]$/.test(word)) count(OF_ELISION, LETTER_WEIGHT);
  for (const letter of word) if (letter > '\x7f') count(letters.get(letter), LETTER_WEIGHT);
}
