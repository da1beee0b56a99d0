import { forEachInSteps, type Steps } from './steps.ts';

/** All distinct words in UTF-16 code-unit order; a term is the number of a word in that order. */
export interface DictionarySections {
  readonly termText: Uint16Array;
  /** Start of each word in `termText`, and one end: terms + 1 values. */
  readonly termStarts: Uint32Array;
  /** The kinds of letters (of 32) in each word, as a bit set. Words with few common kinds are dissimilar. */
  readonly termLetters: Uint32Array;
}

/** The terms `from` to `to` (excluded), for example all with one prefix. */
export interface TermRange {
  readonly from: number;
  readonly to: number;
}

export function* buildDictionary(sortedWords: readonly string[]): Steps<DictionarySections> {
  const terms = sortedWords.length;
  const termStarts = new Uint32Array(terms + 1);
  yield* forEachInSteps(terms, (term) => {
    termStarts[term + 1] = termStarts[term]! + sortedWords[term]!.length;
  });
  const termText = new Uint16Array(termStarts[terms]!);
  const termLetters = new Uint32Array(terms);
  yield* forEachInSteps(terms, (term) => {
    const word = sortedWords[term]!;
    const start = termStarts[term]!;
    for (let index = 0; index < word.length; index++) termText[start + index] = word.charCodeAt(index);
    termLetters[term] = kindsOfLetters(word);
  });
  return { termText, termStarts, termLetters };
}

/** The letters of a word as a bit set of 32 kinds. */
export function kindsOfLetters(word: string): number {
  let kinds = 0;
  for (let index = 0; index < word.length; index++) kinds |= 1 << (word.charCodeAt(index) & 31);
  return kinds;
}

/** Finds words by binary search, whole or by prefix. */
export class Dictionary {
  readonly #text: Uint16Array;
  readonly #starts: Uint32Array;
  readonly #kinds: Uint32Array;
  readonly all: TermRange;

  constructor(sections: DictionarySections) {
    this.#text = sections.termText;
    this.#starts = sections.termStarts;
    this.#kinds = sections.termLetters;
    this.all = { from: 0, to: this.#starts.length - 1 };
  }

  get size(): number {
    return this.#starts.length - 1;
  }

  /** The term of exactly this word, or -1. Faster within a range whose words are known to share its beginning. */
  find(word: string, within = this.all, shared = 0): number {
    const term = this.#firstFrom(within, shared, word, shared);
    const isSame =
      term < within.to &&
      this.#starts[term + 1]! - this.#starts[term]! === word.length &&
      this.#order(term, shared, word, shared) === 0;
    return isSame ? term : -1;
  }

  /** All terms with this prefix, the word itself included. */
  startingWith(prefix: string): TermRange {
    return this.continuing(this.all, 0, prefix, 0);
  }

  /**
   * The terms of a range that continue at `position` with the text from `offset` on. All terms of the range must
   * agree in the letters before `position`.
   */
  continuing(within: TermRange, position: number, text: string, offset: number): TermRange {
    const from = this.#firstFrom(within, position, text, offset);
    let low = from;
    let high = within.to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#order(middle, position, text, offset) > 0) high = middle;
      else low = middle + 1;
    }
    return { from, to: low };
  }

  /** Splits a term range by the letter at `position` and visits each part. */
  forEachLetterAt(within: TermRange, position: number, visit: (words: TermRange) => void): void {
    let term = within.from;
    while (term < within.to) {
      if (this.length(term) === position) {
        term++;
        continue;
      }
      const letter = String.fromCharCode(this.#text[this.#starts[term]! + position]!);
      const words = this.continuing({ from: term, to: within.to }, position, letter, 0);
      visit(words);
      term = words.to;
    }
  }

  /** Number of letter kinds in only one of the two words. An edit changes at most two. */
  differingLetters(term: number, kinds: number): number {
    return bitsIn(this.#kinds[term]! ^ kinds);
  }

  /** Visits the terms that differ in at most `maxDiffering` letter kinds. */
  forEachAlike(kinds: number, maxDiffering: number, visit: (term: number) => void): void {
    const all = this.#kinds;
    for (let term = 0; term < all.length; term++) {
      if (bitsIn(all[term]! ^ kinds) <= maxDiffering) visit(term);
    }
  }

  length(term: number): number {
    return this.#starts[term + 1]! - this.#starts[term]!;
  }

  /** The letters of all words as UTF-16 code units. */
  get letters(): Uint16Array {
    return this.#text;
  }

  /** Offset of a word in `letters`. */
  start(term: number): number {
    return this.#starts[term]!;
  }

  /** Whether the word ends with the text, after at least `before` other letters. */
  endsWith(term: number, text: string, before: number): boolean {
    const end = this.#starts[term + 1]!;
    if (end - this.#starts[term]! < text.length + before) return false;
    for (let back = 1; back <= text.length; back++) {
      if (this.#text[end - back] !== text.charCodeAt(text.length - back)) return false;
    }
    return true;
  }

  word(term: number): string {
    return String.fromCharCode(...this.#text.subarray(this.#starts[term], this.#starts[term + 1]));
  }

  /** The first term of the range that sorts at or after the text; see `continuing`. */
  #firstFrom({ from, to }: TermRange, position: number, text: string, offset: number): number {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#order(middle, position, text, offset) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** 0 if the term continues with the text, otherwise the sign of their order. */
  #order(term: number, position: number, text: string, offset: number): number {
    let at = this.#starts[term]! + position;
    const end = this.#starts[term + 1]!;
    for (let index = offset; index < text.length; index++, at++) {
      if (at >= end) return -1;
      const difference = this.#text[at]! - text.charCodeAt(index);
      if (difference !== 0) return difference;
    }
    return 0;
  }
}

/** Number of set bits: sums of neighbouring bits, then of pairs, fours and bytes. */
function bitsIn(value: number): number {
  const pairs = value - ((value >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
