import { bitsIn } from './bits.ts';

/** All distinct words in UTF-16 code-unit order; a term is the number of a word in that order. */
export interface DictionarySections {
  readonly termText: Uint16Array;
  /** Where each word starts in `termText`, and one end: terms + 1 values. */
  readonly termStarts: Uint32Array;
  /** Which letters each word has: a bit for each of 32 kinds. Words of few common letters are far from each other. */
  readonly termLetters: Uint32Array;
}

/** The terms `from` to `to` (excluded) that share something, for example a beginning. */
export interface TermRange {
  readonly from: number;
  readonly to: number;
}

export function buildDictionary(sortedWords: readonly string[]): DictionarySections {
  const termStarts = new Uint32Array(sortedWords.length + 1);
  let length = 0;
  for (const [term, word] of sortedWords.entries()) {
    termStarts[term] = length;
    length += word.length;
  }
  termStarts[sortedWords.length] = length;
  const termText = new Uint16Array(length);
  let at = 0;
  for (const word of sortedWords) {
    for (let index = 0; index < word.length; index++) termText[at++] = word.charCodeAt(index);
  }
  return { termText, termStarts, termLetters: Uint32Array.from(sortedWords, kindsOfLetters) };
}

/** The letters of a word as a set of 32 kinds. */
export function kindsOfLetters(word: string): number {
  let kinds = 0;
  for (let index = 0; index < word.length; index++) kinds |= 1 << (word.charCodeAt(index) & 31);
  return kinds;
}

/** Looks words up by binary search, whole or by their beginning. */
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

  /** The term of exactly this word, or -1. Where a range is known whose words all begin like it, it is quicker there. */
  find(word: string, within = this.all, shared = 0): number {
    const term = this.#firstFrom(within, shared, word, shared);
    return term < within.to &&
      this.length(term) === word.length &&
      this.#order(term, shared, word, shared) === 0
      ? term
      : -1;
  }

  /** Every term that begins with this word, the word itself included. */
  startingWith(prefix: string): TermRange {
    return this.goingOn(this.all, 0, prefix, 0);
  }

  /**
   * Those of a range of terms whose letters from `position` on begin with those of the text from `offset` on. The terms
   * must agree in the letters before.
   */
  goingOn(within: TermRange, position: number, text: string, offset: number): TermRange {
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

  /** Calls `visit` with those of a range of terms that agree in the letter at `position`, too, letter by letter. */
  forEachLetterAt(within: TermRange, position: number, visit: (words: TermRange) => void): void {
    let term = within.from;
    while (term < within.to) {
      if (this.length(term) === position) {
        term++;
        continue;
      }
      const letter = String.fromCharCode(this.#text[this.#starts[term]! + position]!);
      const words = this.goingOn({ from: term, to: within.to }, position, letter, 0);
      visit(words);
      term = words.to;
    }
  }

  /** Kinds of letters that one of the words has and the other does not; an edit makes two at most. */
  differingLetters(term: number, kinds: number): number {
    return bitsIn(this.#kinds[term]! ^ kinds);
  }

  length(term: number): number {
    return this.#starts[term + 1]! - this.#starts[term]!;
  }

  /** The letters of all words as UTF-16 code units. */
  get letters(): Uint16Array {
    return this.#text;
  }

  /** Where a word starts in `letters`. */
  start(term: number): number {
    return this.#starts[term]!;
  }

  word(term: number): string {
    return String.fromCharCode(...this.#text.subarray(this.#starts[term], this.#starts[term + 1]));
  }

  /** The first of the terms that is not below the text, both from their places on. */
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

  /** Zero where the term goes on with the text, else below or above as it sorts before or after. */
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
