import { readFile } from 'node:fs/promises';
import { fold } from '@larder/core/words/tokenise.ts';

/** Languages whose receipts are read. */
export const RECEIPT_LANGUAGES = ['de', 'en', 'fr', 'es', 'it'] as const;
export type ReceiptLanguage = (typeof RECEIPT_LANGUAGES)[number];

/** What a word of a receipt says that names no product. */
export type ReceiptWord =
  | 'total'
  | 'subtotal'
  | 'tax'
  | 'payment'
  | 'deposit'
  | 'discount'
  | 'header'
  | 'filler'
  | 'unit'
  /** After a number: how many are in a package. */
  | 'pack';

const WORDS = new URL('./receipt-words.tsv', import.meta.url);
const BRANDS = new URL('./receipt-brands.tsv', import.meta.url);
const ABBREVIATIONS = new URL('./receipt-abbreviations.tsv', import.meta.url);

/** Kinds of which one word is enough: what follows it is what the money is for. */
const TELLING: ReadonlySet<ReceiptWord> = new Set(['deposit', 'discount']);
/** Kinds that say nothing by themselves. */
const SILENT: ReadonlySet<ReceiptWord> = new Set(['filler', 'unit', 'pack']);

interface Pattern {
  readonly word: string;
  readonly startsOpen: boolean;
  readonly endsOpen: boolean;
  readonly kind: ReceiptWord;
}

/** The words of receipts: those of lines without a product, those that tell the language, and abbreviations. */
export class ReceiptWords {
  readonly #kinds = new Map<string, Set<ReceiptWord>>();
  readonly #patterns: Pattern[] = [];
  readonly #languages = new Map<string, Set<string>>();
  readonly #brands = new Set<string>();
  readonly #abbreviations = new Map<string, Map<string, string>>();

  private constructor() {}

  static async open(): Promise<ReceiptWords> {
    const [words, brands, abbreviations] = await Promise.all(
      [WORDS, BRANDS, ABBREVIATIONS].map((file) => readFile(file, 'utf8')),
    );
    return ReceiptWords.parse({ words: words!, brands: brands!, abbreviations: abbreviations! });
  }

  /** Reads the texts of the three tables. */
  static parse(tables: { words: string; brands: string; abbreviations: string }): ReceiptWords {
    const all = new ReceiptWords();
    for (const [kind, language, words] of rowsOf(tables.words)) {
      for (const word of words!.split('|')) all.#add(kind as ReceiptWord, language!, keyOf(word));
    }
    for (const [brand] of rowsOf(tables.brands)) all.#brands.add(keyOf(brand!));
    for (const [language, short, words = ''] of rowsOf(tables.abbreviations)) {
      const ofLanguage = all.#abbreviations.get(language!) ?? new Map<string, string>();
      ofLanguage.set(keyOf(short!), words);
      all.#abbreviations.set(language!, ofLanguage);
    }
    return all;
  }

  #add(kind: ReceiptWord, language: string, word: string): void {
    const [startsOpen, endsOpen] = [word.startsWith('*'), word.endsWith('*')];
    if (startsOpen || endsOpen) {
      this.#patterns.push({ word: word.replaceAll('*', ''), startsOpen, endsOpen, kind });
    } else {
      const kinds = this.#kinds.get(word) ?? new Set();
      this.#kinds.set(word, kinds.add(kind));
    }
    const languages = this.#languages.get(word) ?? new Set();
    if (language !== '-') this.#languages.set(word, languages.add(language));
  }

  /** What a text says that is no product; undefined for one that may name a product. */
  kindOf(text: string): ReceiptWord | undefined {
    const words = wordsOf(text);
    const kinds = words.map((word) => this.#kindsOf(word));
    for (const kind of TELLING) if (kinds.some((each) => each.has(kind))) return kind;
    const isKnown = kinds.every((each, at) => each.size > 0 || !/\p{L}/u.test(words[at]!));
    if (!isKnown) return undefined;
    const said = kinds.flatMap((each) => [...each]).filter((kind) => !SILENT.has(kind));
    return PRECEDENCE.find((kind) => said.includes(kind));
  }

  #kindsOf(word: string): ReadonlySet<ReceiptWord> {
    const found = new Set(this.#kinds.get(word));
    for (const { word: part, startsOpen, endsOpen, kind } of this.#patterns) {
      const at = word.indexOf(part);
      if (at < 0 || (!startsOpen && at > 0)) continue;
      if (endsOpen || at + part.length === word.length) found.add(kind);
    }
    return found;
  }

  /** The language of most words that only one language has; undefined if none is ahead. */
  languageOf(texts: readonly string[]): ReceiptLanguage | undefined {
    const counts = RECEIPT_LANGUAGES.map((language) => {
      const words = texts.flatMap(wordsOf);
      return words.filter((word) => {
        const languages = this.#languages.get(word);
        return languages?.size === 1 && languages.has(language);
      }).length;
    });
    const most = Math.max(...counts);
    const [first, ...others] = RECEIPT_LANGUAGES.filter((_, at) => counts[at] === most);
    return most === 0 || others.length > 0 ? undefined : first;
  }

  /** The name of a product in whole words, without brands of shops, as a person would write it. */
  spellOut(name: string, language: ReceiptLanguage | undefined): string {
    const words = name
      .toLowerCase()
      .split(/\s+/)
      .map(withLetters)
      .filter((word, at) => word !== '' && !this.#countsPieces(word, at))
      .flatMap((word) => this.#spelled(word, language));
    // If a name consists of brands only, the brands are the name.
    const own = words.filter((word) => !this.#brands.has(keyOf(word)));
    return (own.length === 0 ? words : own).join(' ').trim();
  }

  /** "X6", "10ER", "12U", "N.5", or a number that ends a name. */
  #countsPieces(word: string, at: number): boolean {
    const [, unit] = PIECES.exec(word) ?? [];
    if (unit === undefined) return NUMBERED.test(word);
    return unit === '' ? at > 0 : (this.#kinds.get(keyOf(unit))?.has('pack') ?? false);
  }

  #spelled(word: string, language: ReceiptLanguage | undefined): string[] {
    const whole = this.#longFor(keyOf(word), language);
    if (whole !== undefined) return whole.split(' ').filter((part) => part !== '');
    // "GRIECH.JOGHURT" is two words.
    const parts = /\p{L}\.\p{L}/u.test(word) ? word.split(/(?<=\p{L}\.)(?=\p{L})/u) : [word];
    return parts.flatMap((part) => {
      const long = this.#longFor(keyOf(part), language);
      if (long !== undefined) return long.split(' ').filter((each) => each !== '');
      return [part.replace(/[.,;:*]+$/u, '')].filter((each) => each !== '');
    });
  }

  /** In an unknown language, the meaning on which all languages with this abbreviation agree. */
  #longFor(short: string, language: ReceiptLanguage | undefined): string | undefined {
    if (language !== undefined) return this.#abbreviations.get(language)?.get(short);
    const all = new Set(
      [...this.#abbreviations.values()].flatMap((each) => (each.has(short) ? [each.get(short)!] : [])),
    );
    return all.size === 1 ? [...all][0] : undefined;
  }
}

/** A number with its unit. */
const PIECES = /^\d{1,3}(\p{L}*)\.?$/u;
const NUMBERED = /^(?:x\d{1,2}|\d{1,2}x|n(?:r|o|º)?\.?\d{1,3})$/u;

/** The reader of texts may take an O for a zero. */
function withLetters(word: string): string {
  return word.replace(/(?<=\p{L})0(?=\p{L}|$)/gu, 'o');
}

/** Which kind a line is of whose words are of several: "total tax" is a tax. */
const PRECEDENCE: readonly ReceiptWord[] = ['tax', 'payment', 'subtotal', 'total', 'header'];

function rowsOf(tsv: string): string[][] {
  return tsv
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));
}

function keyOf(word: string): string {
  return fold(word.normalize('NFKD')).replace(/[.,:;]+$/u, '');
}

function wordsOf(text: string): string[] {
  return text
    .split(/[\s:()=]+/u)
    .map(keyOf)
    .filter((word) => word !== '');
}
