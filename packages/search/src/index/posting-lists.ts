import type { TermRange } from './dictionary.ts';
import { type DocumentSections, TERM_MASK } from './document-table.ts';
import { forEachDocument, forEachInSteps, type Steps } from './steps.ts';

/**
 * For each term the documents that contain it, ascending, which is best first. Lists are in term order, so the words
 * with a common prefix are one slice.
 */
export interface PostingSections {
  readonly postings: Uint32Array;
  /** Start of each term, and one end. */
  readonly postingStarts: Uint32Array;
  /** The first document of each term, so that walking many short lists need not read the lists. */
  readonly heads: Uint32Array;
  /** The first document of each block of `TERM_BLOCK` terms. */
  readonly blockHeads: Uint32Array;
}

export const TERM_BLOCK_SHIFT = 5;
export const TERM_BLOCK = 1 << TERM_BLOCK_SHIFT;

export function* buildPostings(documents: DocumentSections, terms: number): Steps<PostingSections> {
  const { entries, entryStarts } = documents;
  const count = entryStarts.length - 1;
  const postingStarts = new Uint32Array(terms + 1);
  const lastSeenIn = new Uint32Array(terms);
  yield* forEachDocument(count, (document) => {
    const end = entryStarts[document + 1]!;
    for (let at = entryStarts[document]! + 1; at < end; at++) {
      const term = entries[at]! & TERM_MASK;
      if (lastSeenIn[term] === document + 1) continue;
      lastSeenIn[term] = document + 1;
      postingStarts[term + 1]!++;
    }
  });
  for (let term = 0; term < terms; term++) postingStarts[term + 1]! += postingStarts[term]!;
  const next = postingStarts.slice(0, terms);
  const postings = new Uint32Array(postingStarts[terms]!);
  yield* forEachDocument(count, (document) => {
    const end = entryStarts[document + 1]!;
    for (let at = entryStarts[document]! + 1; at < end; at++) {
      const term = entries[at]! & TERM_MASK;
      const slot = next[term]!;
      const isRepeat = slot > postingStarts[term]! && postings[slot - 1] === document;
      if (isRepeat) continue;
      postings[slot] = document;
      next[term] = slot + 1;
    }
  });
  return { postings, postingStarts, ...(yield* buildHeads(postings, postingStarts)) };
}

function* buildHeads(postings: Uint32Array, postingStarts: Uint32Array) {
  const heads = new Uint32Array(postingStarts.length - 1);
  const blockHeads = new Uint32Array((heads.length + TERM_BLOCK - 1) >>> TERM_BLOCK_SHIFT).fill(0xffff_ffff);
  yield* forEachInSteps(heads.length, (term) => {
    const head = postings[postingStarts[term]!]!;
    const block = term >>> TERM_BLOCK_SHIFT;
    heads[term] = head;
    blockHeads[block] = Math.min(blockHeads[block]!, head);
  });
  return { heads, blockHeads };
}

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

/** Reads the lists and bitmaps. */
export class PostingLists {
  readonly postings: Uint32Array;
  /** Start of each term's list in `postings`; it ends at the start of the next one. */
  readonly starts: Uint32Array;
  readonly heads: Uint32Array;
  readonly blockHeads: Uint32Array;
  readonly #bitmapRanges: Uint32Array;
  readonly #bitmaps: Uint32Array;

  constructor(sections: PostingSections & BitmapSections) {
    this.postings = sections.postings;
    this.starts = sections.postingStarts;
    this.heads = sections.heads;
    this.blockHeads = sections.blockHeads;
    this.#bitmapRanges = sections.bitmapRanges;
    this.#bitmaps = sections.bitmaps;
  }

  /** Number of postings of the terms `from` to `to` (excluded). */
  count(from: number, to: number): number {
    return this.starts[to]! - this.starts[from]!;
  }

  /** The documents of the terms `from` to `to` (excluded), if exactly this range has a bitmap. */
  bitmapOf(from: number, to: number): Uint32Array | undefined {
    const ranges = this.#bitmapRanges;
    for (let at = 0; at < ranges.length; at += 2) {
      if (ranges[at] !== from || ranges[at + 1] !== to) continue;
      const width = (this.#bitmaps.length * 2) / ranges.length;
      return this.#bitmaps.subarray((at / 2) * width, (at / 2 + 1) * width);
    }
    return undefined;
  }
}
