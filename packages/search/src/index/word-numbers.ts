const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** Number of maps, a power of two. */
const MAPS = 64;

/**
 * Numbers words in the order of their first occurrence. Uses many small maps, since growing a map of 200,000 words
 * takes over ten milliseconds, during which a thread would answer no requests.
 */
export class WordNumbers {
  readonly #maps = Array.from({ length: MAPS }, () => new Map<string, number>());
  readonly #words: string[] = [];

  /** Words in the order of their numbers. */
  get words(): readonly string[] {
    return this.#words;
  }

  /** Returns the word's number; assigns the next free one to a new word. */
  take(word: string): number {
    const map = this.#maps[hash(word) & (MAPS - 1)]!;
    const known = map.get(word);
    if (known !== undefined) return known;
    const number = this.#words.length;
    map.set(word, number);
    this.#words.push(word);
    return number;
  }
}

/** FNV-1a over the UTF-16 units. */
function hash(word: string): number {
  let state = FNV_OFFSET;
  for (let at = 0; at < word.length; at++) state = Math.imul(state ^ word.charCodeAt(at), FNV_PRIME);
  // The lowest bits of FNV are its weakest.
  return state ^ (state >>> 15);
}
