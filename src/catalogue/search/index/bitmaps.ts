import type { TermRange } from './dictionary.ts';

/** Bitmaps over documents for frequent words and prefixes, so that testing a document is one read. */
export interface BitmapSections {
  /** Pairs of first term and end of the ranges that have a bitmap. */
  readonly bitmapRanges: Uint32Array;
  /** The bitmaps, one after another in the order of the ranges. */
  readonly bitmaps: Uint32Array;
}

/** A word gets a bitmap if at least one document in this many contains it. */
const WORD_SHARE = 48;
/** A prefix gets a bitmap if it has at least one posting for this many documents. */
export const BEGINNING_SHARE = 32;
const LONGEST_BEGINNING = 5;
const MAX_BITMAPS = 144;
/** Smaller indexes need no bitmaps, because all their lists are short. */
const MIN_POSTINGS = 1024;

interface Candidate extends TermRange {
  readonly postings: number;
}

/** Used for indexes with short lists only. */
export const NO_BITMAPS: BitmapSections = {
  bitmapRanges: new Uint32Array(0),
  bitmaps: new Uint32Array(0),
};

export interface SortedWords {
  readonly size: number;
  word(term: number): string;
}

export function buildBitmaps(
  words: SortedWords,
  postings: Uint32Array,
  postingStarts: Uint32Array,
  documents: number,
): BitmapSections {
  const count = ({ from, to }: TermRange) => postingStarts[to]! - postingStarts[from]!;
  const candidates: Candidate[] = [];
  const consider = (range: TermRange, share: number) => {
    const size = count(range);
    if (size >= Math.max(MIN_POSTINGS, documents / share)) candidates.push({ ...range, postings: size });
  };
  for (let term = 0; term < words.size; term++) consider({ from: term, to: term + 1 }, WORD_SHARE);
  for (const range of beginnings(words)) consider(range, BEGINNING_SHARE);
  const chosen = candidates
    .sort((a, b) => b.postings - a.postings || a.from - b.from || a.to - b.to)
    .slice(0, MAX_BITMAPS);
  const bitmapRanges = Uint32Array.from(chosen.flatMap(({ from, to }) => [from, to]));
  const width = (documents + 31) >>> 5;
  const bitmaps = new Uint32Array(width * chosen.length);
  for (const [index, range] of chosen.entries()) {
    for (let at = postingStarts[range.from]!; at < postingStarts[range.to]!; at++) {
      const document = postings[at]!;
      bitmaps[index * width + (document >>> 5)]! |= 1 << (document & 31);
    }
  }
  return { bitmapRanges, bitmaps };
}

/** Term ranges of shared prefixes, each with more than one word. */
function* beginnings(words: SortedWords): Generator<TermRange> {
  for (let length = 1; length <= LONGEST_BEGINNING; length++) {
    let from = 0;
    let beginning = '';
    for (let term = 0; term <= words.size; term++) {
      const own = term < words.size ? words.word(term).slice(0, length) : '';
      if (own === beginning) continue;
      if (beginning.length === length && term - from > 1) yield { from, to: term };
      from = term;
      beginning = own;
    }
  }
}

/** Finds the bitmap of a term range. */
export class Bitmaps {
  readonly #byRange = new Map<number, Uint32Array>();

  constructor(sections: BitmapSections) {
    const count = sections.bitmapRanges.length / 2;
    const width = count === 0 ? 0 : sections.bitmaps.length / count;
    for (let index = 0; index < count; index++) {
      const from = sections.bitmapRanges[index * 2]!;
      const to = sections.bitmapRanges[index * 2 + 1]!;
      this.#byRange.set(keyOf(from, to), sections.bitmaps.subarray(index * width, (index + 1) * width));
    }
  }

  find(from: number, to: number): Uint32Array | undefined {
    return this.#byRange.get(keyOf(from, to));
  }
}

/** Terms have 28 bits, and no range with a bitmap is 25 bits wide, so both fit into one double. */
function keyOf(from: number, to: number): number {
  return from * 2 ** 25 + (to - from);
}
