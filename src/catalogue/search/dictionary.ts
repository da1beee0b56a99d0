/** All distinct words in UTF-16 code-unit order; a term is the number of a word in that order. */
export interface DictionarySections {
  readonly termText: Uint16Array;
  /** Where each word starts in `termText`, and one end: terms + 1 values. */
  readonly termStarts: Uint32Array;
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
  return { termText, termStarts };
}

/** Looks words up by binary search, whole or by their beginning. */
export class Dictionary {
  readonly #text: Uint16Array;
  readonly #starts: Uint32Array;

  constructor(sections: DictionarySections) {
    this.#text = sections.termText;
    this.#starts = sections.termStarts;
  }

  get size(): number {
    return this.#starts.length - 1;
  }

  /** The term of exactly this word, or -1. */
  find(word: string): number {
    const term = this.#lowerBound(word, 0);
    return term < this.size && this.length(term) === word.length && this.#order(term, word) === 0 ? term : -1;
  }

  /** Every term that begins with this word, the word itself included. */
  startingWith(prefix: string): TermRange {
    const from = this.#lowerBound(prefix, 0);
    // No word holds U+FFFF, so this bound lies behind every continuation.
    return { from, to: this.#lowerBound(`${prefix}\uffff`, from) };
  }

  /** The letters that come after `head` in the words of `within`, which all begin with it. */
  lettersAfter(head: string, within: TermRange): string[] {
    const letters: string[] = [];
    let term = within.from;
    while (term < within.to) {
      if (this.length(term) === head.length) {
        term++;
        continue;
      }
      const code = this.#text[this.#starts[term]! + head.length]!;
      letters.push(String.fromCharCode(code));
      term = this.#lowerBound(head + String.fromCharCode(code + 1), term);
    }
    return letters;
  }

  length(term: number): number {
    return this.#starts[term + 1]! - this.#starts[term]!;
  }

  /** The letters of a term as UTF-16 code units, in place. */
  letters(term: number): Uint16Array {
    return this.#text.subarray(this.#starts[term], this.#starts[term + 1]);
  }

  word(term: number): string {
    return String.fromCharCode(...this.#text.subarray(this.#starts[term], this.#starts[term + 1]));
  }

  #lowerBound(word: string, from: number): number {
    let low = from;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#order(middle, word) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Below, at or above zero as the term sorts before, equal to or after the word. */
  #order(term: number, word: string): number {
    const start = this.#starts[term]!;
    const length = this.#starts[term + 1]! - start;
    const shared = Math.min(length, word.length);
    for (let index = 0; index < shared; index++) {
      const difference = this.#text[start + index]! - word.charCodeAt(index);
      if (difference !== 0) return difference;
    }
    return length - word.length;
  }
}
