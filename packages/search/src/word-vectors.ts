import { SMALL_WORDS } from '@larder/core/words/related-words.ts';
import { tokenise } from '@larder/core/words/tokenise.ts';
import { HASH_SEED, hashEnd, hashStep } from './index/hash.ts';

/** Dimensions of a vector. */
export const DIMENSIONS = 256;

/** Maximum words of a text that are read; further ones add little meaning. */
const MAX_WORDS = 24;
/** Weight of the words after the first comma: food tables name the food before it. The table was trained with it. */
const AFTER_COMMA = 0.7;
/** Minimum average length of a word's pieces; a text of shorter pieces is not a word, such as "zxqv". */
const LETTERS_A_PIECE = 2;
/** Minimum share of a text's words that are whole pieces; see `knows`. */
const MIN_KNOWN_SHARE = 1 / 3;
/** The table's prefix of pieces that continue a word. */
const CONTINUATION = '##';

/** A table of word pieces as typed arrays, as stored in a catalogue. */
export interface WordVectorSections {
  /**
   * Open addressing: hash of the piece, and its number + 1; 0 for an empty slot. The number of pairs is a power of two.
   */
  readonly pieceSlots: Uint32Array;
  /** `DIMENSIONS` signed bytes for each piece. */
  readonly pieceBytes: Uint8Array;
  /** The bits of a 32-bit float for each piece: vector = bytes × scale. */
  readonly pieceScales: Uint32Array;
}

/**
 * Vectors of texts: the sum of their word pieces, scaled to length 1. Texts of similar meaning have similar vectors. A
 * table that was not loaded is all zeros: it has no pieces, so no text has a vector.
 */
export class WordVectors {
  readonly #slots: Uint32Array;
  readonly #bytes: Int8Array;
  readonly #scales: Float32Array;

  constructor({ pieceSlots, pieceBytes, pieceScales }: WordVectorSections) {
    this.#slots = pieceSlots;
    this.#bytes = signed(pieceBytes);
    this.#scales = new Float32Array(pieceScales.buffer, pieceScales.byteOffset, pieceScales.length);
  }

  /** Returns the vector of a text; undefined if the table has none of its words. Never throws. */
  of(text: string): Float32Array | undefined {
    const sum = new Float32Array(DIMENSIONS);
    this.#addText(text, 1, sum);
    return toUnit(sum);
  }

  /**
   * Whether enough words of the text are whole pieces of the table. A word of several pieces may be of a
   * language that the table does not know: then its vector is random.
   */
  knows(text: string): boolean {
    const words = tokenise(text, MAX_WORDS).filter((word) => !SMALL_WORDS.has(word));
    const known = words.filter((word) => this.#longestPiece(word, 0)?.end === word.length);
    return known.length >= words.length * MIN_KNOWN_SHARE;
  }

  /** Returns the vector of a food's name, in which words after the comma count less. */
  ofName(name: string): Float32Array | undefined {
    const comma = name.indexOf(',');
    if (comma < 0) return this.of(name);
    const sum = new Float32Array(DIMENSIONS);
    this.#addText(name.slice(0, comma), 1, sum);
    this.#addText(name.slice(comma + 1), AFTER_COMMA, sum);
    return toUnit(sum);
  }

  #addText(text: string, weight: number, sum: Float32Array): void {
    for (const word of tokenise(text, MAX_WORDS)) this.#addWord(word, weight, sum);
  }

  /** Adds the longest pieces first, as WordPiece does. A word with an unknown part is unknown as a whole. */
  #addWord(word: string, weight: number, sum: Float32Array): void {
    const pieces: number[] = [];
    for (let start = 0; start < word.length; ) {
      const found = this.#longestPiece(word, start);
      if (found === undefined) return;
      pieces.push(found.piece);
      start = found.end;
    }
    if (pieces.length > 1 && pieces.length * LETTERS_A_PIECE > word.length) return;
    for (const piece of pieces) {
      const scale = this.#scales[piece]! * weight;
      const from = piece * DIMENSIONS;
      for (let i = 0; i < DIMENSIONS; i++) sum[i]! += this.#bytes[from + i]! * scale;
    }
  }

  #longestPiece(word: string, start: number): { piece: number; end: number } | undefined {
    let longest: { piece: number; end: number } | undefined;
    let hash = start === 0 ? HASH_SEED : CONTINUED_SEED;
    for (let end = start + 1; end <= word.length; end++) {
      hash = hashStep(hash, word.charCodeAt(end - 1));
      const piece = find(this.#slots, hashEnd(hash));
      if (piece !== undefined) longest = { piece, end };
    }
    return longest;
  }
}

function toUnit(sum: Float32Array): Float32Array | undefined {
  let squares = 0;
  for (let i = 0; i < DIMENSIONS; i++) squares += sum[i]! * sum[i]!;
  const length = Math.sqrt(squares);
  if (length === 0) return undefined;
  for (let i = 0; i < DIMENSIONS; i++) sum[i]! /= length;
  return sum;
}

/** Cosine of the angle between two vectors of length 1: 1 for the same direction. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < DIMENSIONS; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Reads the same bytes as signed numbers. */
export function signed(bytes: Uint8Array): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Builds the sections of a table from its pieces in order, with `##` before those inside a word. */
export function buildWordVectors(
  pieces: readonly string[],
  { bytes, scales }: { readonly bytes: Uint8Array; readonly scales: Uint32Array },
): WordVectorSections {
  const pairs = 2 ** Math.ceil(Math.log2(pieces.length * 2));
  const pieceSlots = new Uint32Array(pairs * 2);
  for (const [number, piece] of pieces.entries()) {
    const hash = hashEnd(hashOf(piece));
    // The first of two pieces with one hash stays. The shipped table has none.
    if (find(pieceSlots, hash) !== undefined) continue;
    let at = hash & (pairs - 1);
    while (pieceSlots[2 * at + 1] !== 0) at = (at + 1) & (pairs - 1);
    pieceSlots[2 * at] = hash;
    pieceSlots[2 * at + 1] = number + 1;
  }
  return { pieceSlots, pieceBytes: bytes, pieceScales: scales };
}

const CONTINUED_SEED = hashStep(HASH_SEED, CONTINUATION.charCodeAt(0));

function hashOf(piece: string): number {
  const isInside = piece.startsWith(CONTINUATION);
  let hash = isInside ? CONTINUED_SEED : HASH_SEED;
  for (let at = isInside ? CONTINUATION.length : 0; at < piece.length; at++) {
    hash = hashStep(hash, piece.charCodeAt(at));
  }
  return hash;
}

/** Number of the piece with this hash. At most half of the slots are taken, so the walk ends. */
function find(slots: Uint32Array, hash: number): number | undefined {
  const mask = slots.length / 2 - 1;
  for (let at = hash & mask; slots[2 * at + 1]! !== 0; at = (at + 1) & mask) {
    if (slots[2 * at] === hash) return slots[2 * at + 1]! - 1;
  }
  return undefined;
}
