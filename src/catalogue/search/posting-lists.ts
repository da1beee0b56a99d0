import { type DocumentSections, TERM_MASK } from './document-table.ts';

/**
 * For every term the documents that hold it, ascending, which is best first. Lists lie in the order of terms, so
 * that the words with a common beginning are one slice. The longest lists also exist as bitmaps, in which asking
 * for one document costs a single read.
 */
export interface PostingSections {
  readonly postings: Uint32Array;
  /** One value per term and one end. */
  readonly postingStarts: Uint32Array;
  /** The terms with a bitmap, ascending; the bitmaps follow each other in `bitmaps`. */
  readonly bitmapTerms: Uint32Array;
  readonly bitmaps: Uint32Array;
}

/** A list gets a bitmap when it holds at least one document in this many. */
const BITMAP_SHARE = 48;
const MAX_BITMAPS = 128;
/** In smaller indexes every list is short enough. */
const MIN_BITMAP_DOCUMENTS = 1024;

export function buildPostings(documents: DocumentSections, terms: number): PostingSections {
  const { entries, entryStarts } = documents;
  const count = entryStarts.length - 1;
  const postingStarts = new Uint32Array(terms + 1);
  forEachDistinct(documents, terms, (term) => {
    postingStarts[term + 1]!++;
  });
  for (let term = 0; term < terms; term++) postingStarts[term + 1]! += postingStarts[term]!;
  const next = postingStarts.slice(0, terms);
  const postings = new Uint32Array(postingStarts[terms]!);
  for (let document = 0; document < count; document++) {
    const end = entryStarts[document + 1]!;
    for (let at = entryStarts[document]! + 1; at < end; at++) {
      const term = entries[at]! & TERM_MASK;
      const slot = next[term]!;
      const isRepeat = slot > postingStarts[term]! && postings[slot - 1] === document;
      if (isRepeat) continue;
      postings[slot] = document;
      next[term] = slot + 1;
    }
  }
  return { postings, postingStarts, ...buildBitmaps(postings, postingStarts, count) };
}

function forEachDistinct(documents: DocumentSections, terms: number, visit: (term: number) => void): void {
  const { entries, entryStarts } = documents;
  const lastSeenIn = new Uint32Array(terms);
  for (let document = 0; document + 1 < entryStarts.length; document++) {
    const end = entryStarts[document + 1]!;
    for (let at = entryStarts[document]! + 1; at < end; at++) {
      const term = entries[at]! & TERM_MASK;
      if (lastSeenIn[term] === document + 1) continue;
      lastSeenIn[term] = document + 1;
      visit(term);
    }
  }
}

function buildBitmaps(postings: Uint32Array, postingStarts: Uint32Array, documents: number) {
  const least = Math.max(MIN_BITMAP_DOCUMENTS, documents / BITMAP_SHARE);
  const frequent: number[] = [];
  for (let term = 0; term + 1 < postingStarts.length; term++) {
    if (postingStarts[term + 1]! - postingStarts[term]! >= least) frequent.push(term);
  }
  const lengthOf = (term: number) => postingStarts[term + 1]! - postingStarts[term]!;
  frequent.sort((a, b) => lengthOf(b) - lengthOf(a) || a - b);
  const bitmapTerms = Uint32Array.from(frequent.slice(0, MAX_BITMAPS)).sort();
  const words = (documents + 31) >>> 5;
  const bitmaps = new Uint32Array(words * bitmapTerms.length);
  for (const [index, term] of bitmapTerms.entries()) {
    for (let at = postingStarts[term]!; at < postingStarts[term + 1]!; at++) {
      const document = postings[at]!;
      bitmaps[index * words + (document >>> 5)]! |= 1 << (document & 31);
    }
  }
  return { bitmapTerms, bitmaps };
}

/** Reads the lists. */
export class PostingLists {
  readonly postings: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #bitmaps = new Map<number, Uint32Array>();

  constructor(sections: PostingSections) {
    this.postings = sections.postings;
    this.#starts = sections.postingStarts;
    const words = sections.bitmaps.length / Math.max(1, sections.bitmapTerms.length);
    for (const [index, term] of sections.bitmapTerms.entries()) {
      this.#bitmaps.set(term, sections.bitmaps.subarray(index * words, (index + 1) * words));
    }
  }

  /** Where the list of a term starts in `postings`; it ends where the next term's starts. */
  start(term: number): number {
    return this.#starts[term]!;
  }

  /** How many postings the terms `from` to `to` (excluded) have; for one term, its documents. */
  count(from: number, to: number): number {
    return this.#starts[to]! - this.#starts[from]!;
  }

  bitmap(term: number): Uint32Array | undefined {
    return this.#bitmaps.get(term);
  }
}
