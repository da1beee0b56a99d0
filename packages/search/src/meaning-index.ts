/**
 * Finds foods by the meaning of their names, for texts that share no words with them.
 *
 *     text ─▶ word pieces ─▶ vector ─▶ signs of its numbers ─▶ foods that differ in few signs ─▶ the nearest of these
 *
 * Only generic foods have a vector, about ten thousand: products are found by their words.
 */
import type { SectionArray } from './index/sections.ts';
import type { SearchHit } from './match/top-hits.ts';
import { SAME_NAME } from './query/ranking-weights.ts';
import type { WordHits } from './search-index.ts';
import { cosine, DIMENSIONS, signed, type WordVectorSections, WordVectors } from './word-vectors.ts';

/** Maximum foods with a vector, the most popular ones; bounds time and memory. */
const MAX_FOODS = 20_000;
/** Number of foods that are compared exactly, those with the fewest different signs. */
const COMPARED = 128;
/** Scale of the integers in a vector of length 1. Values above 0.5 rarely occur in it. */
const WHOLE = 254;
const SIGN_WORDS = DIMENSIONS / 32;

interface MeaningSections extends WordVectorSections {
  readonly foodDocuments: Uint32Array;
  /** For each food `DIMENSIONS` signed bytes: its vector × `WHOLE`. */
  readonly foodBytes: Uint8Array;
  /** For each food one bit a number: whether it is above 0. */
  readonly foodSigns: Uint32Array;
}

const SECTION_NAMES: readonly (keyof MeaningSections)[] = [
  'pieceSlots',
  'pieceBytes',
  'pieceScales',
  'foodDocuments',
  'foodBytes',
  'foodSigns',
];

/** Maximum foods proposed for one query. */
const MAX_PROPOSALS = 20;
/** Minimum similarity; texts below it rarely name the same food, and nonsense stays below it too. */
const LEAST_SIMILARITY = 0.4;
/** Minimum similarity for words that are known only by their parts, as most words of other languages. */
const LEAST_OF_UNKNOWN_WORDS = 0.55;
/** A food with this score has the typed name, so others must be more similar by this much. */
const NAMED = SAME_NAME + 40;
const MORE_BESIDE_NAMED = 0.1;
/** Foods that lack some of the words are dropped if one that has all scores higher by more than this. */
const MAX_BELOW_COMPLETE = 150;
/** Score of proposals after the last food that words found; any food that has one of the words scores higher. */
const NO_WORDS = -10_000;

/** Number of proposals after each food that lacks some of the words. */
const PROPOSALS_A_TURN = 4;
const LETTER = /\p{L}/u;

/** Collects foods in static order. */
export class MeaningIndexBuilder {
  readonly #words: WordVectorSections;
  readonly #vectors: WordVectors;
  readonly #documents: number[] = [];
  readonly #bytes: Int8Array[] = [];

  constructor({ words }: { readonly words: WordVectorSections }) {
    this.#words = words;
    this.#vectors = new WordVectors(words);
  }

  /** Leaves out names without a known word, and foods after the first `MAX_FOODS`. */
  add(document: number, name: string): void {
    if (this.#documents.length >= MAX_FOODS) return;
    const vector = this.#vectors.ofName(name);
    if (vector === undefined) return;
    this.#documents.push(document);
    this.#bytes.push(toBytes(vector));
  }

  finish(): Readonly<Record<string, SectionArray>> {
    const foodBytes = new Uint8Array(this.#bytes.length * DIMENSIONS);
    for (const [food, bytes] of this.#bytes.entries()) signed(foodBytes).set(bytes, food * DIMENSIONS);
    const foodSigns = new Uint32Array(this.#bytes.length * SIGN_WORDS);
    setSigns(signed(foodBytes), foodSigns);
    return { ...this.#words, foodDocuments: Uint32Array.from(this.#documents), foodBytes, foodSigns };
  }
}

/** Searches the sections of `MeaningIndexBuilder`, which it reads in place. */
export class MeaningIndex {
  readonly #vectors: WordVectors;
  readonly #documents: Uint32Array;
  readonly #bytes: Int8Array;
  readonly #signs: Uint32Array;
  /** For each food, the number of signs that differ from those of the text. */
  readonly #differences: Uint16Array;

  private constructor(sections: MeaningSections) {
    this.#vectors = new WordVectors(sections);
    this.#documents = sections.foodDocuments;
    this.#bytes = signed(sections.foodBytes);
    this.#signs = sections.foodSigns;
    this.#differences = new Uint16Array(this.#documents.length);
  }

  /** Undefined if one of the sections is missing, as in catalogues that were compiled without them. */
  static open(sections: Readonly<Record<string, SectionArray>>): MeaningIndex | undefined {
    if (SECTION_NAMES.some((name) => sections[name] === undefined)) return undefined;
    return new MeaningIndex(sections as unknown as MeaningSections);
  }

  /** Finds foods with a similarity of at least `least`, which is their score; nearest first, then in static order. Never throws. */
  nearest(text: string, limit: number, least: number): SearchHit[] {
    const vector = this.#vectors.of(text);
    if (vector === undefined || limit <= 0) return [];
    const near: SearchHit[] = [];
    const asked = toBytes(vector);
    const signs = new Uint32Array(SIGN_WORDS);
    setSigns(asked, signs);
    const most = this.#countDifferences(signs);
    for (let food = 0; food < this.#differences.length; food++) {
      if (this.#differences[food]! > most) continue;
      const similarity = this.#similarity(asked, food);
      if (similarity >= least) near.push({ document: this.#documents[food]!, score: similarity, similarity });
    }
    near.sort((a, b) => b.score - a.score || a.document - b.document);
    return near.slice(0, limit);
  }

  /** Whether the words are known, and not only parts of them. */
  knows(text: string): boolean {
    return this.#vectors.knows(text);
  }

  /** The similarity of a text and the name of a food: 1 for the same meaning, 0 if unknown. */
  similarity(text: string, name: string): number {
    const a = this.#vectors.of(text);
    const b = a && this.#vectors.ofName(name);
    return a === undefined || b === undefined ? 0 : cosine(a, b);
  }

  #similarity(asked: Int8Array, food: number): number {
    const bytes = this.#bytes;
    const from = food * DIMENSIONS;
    let sum = 0;
    // The loop is unrolled by four, because it is most of the work.
    for (let i = 0, at = from; i < DIMENSIONS; i += 4, at += 4) {
      sum = (sum + asked[i]! * bytes[at]! + asked[i + 1]! * bytes[at + 1]!) | 0;
      sum = (sum + asked[i + 2]! * bytes[at + 2]! + asked[i + 3]! * bytes[at + 3]!) | 0;
    }
    return sum / (WHOLE * WHOLE);
  }

  /** Returns the maximum number of differences among the nearest `COMPARED` foods; 0 to 256. */
  #countDifferences(signs: Uint32Array): number {
    const counts = new Uint32Array(DIMENSIONS + 1);
    const all = this.#signs;
    const differences = this.#differences;
    const [a, b, c, d, e, f, g, h] = signs as unknown as readonly number[] & { length: 8 };
    for (let food = 0, at = 0; food < differences.length; food++, at += SIGN_WORDS) {
      // The loop is unrolled, because this pass over all foods is most of the work.
      const different =
        bitsInEach(all[at]! ^ a!) +
        bitsInEach(all[at + 1]! ^ b!) +
        bitsInEach(all[at + 2]! ^ c!) +
        bitsInEach(all[at + 3]! ^ d!) +
        (bitsInEach(all[at + 4]! ^ e!) +
          bitsInEach(all[at + 5]! ^ f!) +
          bitsInEach(all[at + 6]! ^ g!) +
          bitsInEach(all[at + 7]! ^ h!));
      // Each byte is at most 64, so that the sum of all four may be 256.
      const pairs = (different & 0x00ff_00ff) + ((different >>> 8) & 0x00ff_00ff);
      const sum = (pairs + (pairs >>> 16)) & 0x1ff;
      differences[food] = sum;
      counts[sum]!++;
    }
    let most = 0;
    for (let reached = counts[0]!; reached < COMPARED && most < DIMENSIONS; ) reached += counts[++most]!;
    return most;
  }
}

/** Number of set bits of each byte, in that byte. Eight of these sums fit into a byte. */
function bitsInEach(value: number): number {
  const pairs = value - ((value >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return (fours + (fours >>> 4)) & 0x0f0f_0f0f;
}

/** Sets one bit for each number above 0. */
function setSigns(bytes: Int8Array, signs: Uint32Array): void {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at]! > 0) signs[at >>> 5]! |= 1 << (at & 31);
  }
}

function toBytes(vector: Float32Array): Int8Array {
  const bytes = new Int8Array(DIMENSIONS);
  for (let i = 0; i < DIMENSIONS; i++) {
    bytes[i] = Math.round(Math.max(-127, Math.min(127, vector[i]! * WHOLE)));
  }
  return bytes;
}

/**
 * Merges the hits of the words with foods of a similar meaning if the words found little, and leaves out hits far below one that
 * has every word. Proposals follow the hits
 * with every word, and alternate with those that lack some. The hits keep their order, and a shorter list is a prefix
 * of a longer one. A proposal has the score of the next food
 * found by words, so that foods of other indexes precede it if they match as well as that one.
 */
export function withProposals(
  { hits: found, complete }: WordHits,
  meaning: MeaningIndex | undefined,
  { query, limit }: { readonly query: string; readonly limit: number },
): readonly SearchHit[] {
  const last = complete > 0 ? (found[0]?.score ?? 0) - MAX_BELOW_COMPLETE : Number.NEGATIVE_INFINITY;
  const hits = found.filter(({ score }, at) => at < complete || score >= last);
  if (meaning === undefined || complete >= limit || !LETTER.test(query)) return hits;
  const isNamed = complete > 0 && hits[0]!.score >= NAMED;
  const least = meaning.knows(query) ? LEAST_SIMILARITY : LEAST_OF_UNKNOWN_WORDS;
  const near = meaning.nearest(query, MAX_PROPOSALS, isNamed ? least + MORE_BESIDE_NAMED : least);
  if (near.length === 0) return hits;
  const answers: SearchHit[] = hits.slice(0, complete);
  const shown = new Set<number>();
  for (const { document } of answers) shown.add(document);
  for (let turn = 0; turn < Math.max(hits.length - complete, near.length / PROPOSALS_A_TURN); turn++) {
    const next = hits.slice(complete + turn, complete + turn + 2);
    const score = next[1]?.score ?? NO_WORDS;
    const from = turn * PROPOSALS_A_TURN;
    const proposed = near.slice(from, from + PROPOSALS_A_TURN);
    for (const answer of [...next.slice(0, 1), ...proposed]) {
      if (shown.has(answer.document)) continue;
      shown.add(answer.document);
      answers.push(answer.similarity === undefined ? answer : { ...answer, score });
    }
  }
  return answers.slice(0, limit);
}
