import { type DocumentSections, TERM_MASK } from './document-table.ts';
import { forEachDocument, forEachInSteps, type Steps } from './steps.ts';

/**
 * For each term the documents that contain it, ascending, which is best first. Lists are in term order, so the words
 * with a common prefix are one slice.
 */
export interface PostingSections {
  readonly postings: Uint32Array;
  /** One value for each term and one end. */
  readonly postingStarts: Uint32Array;
  /** The first document of each term, so that walking many short lists does not read them. */
  readonly heads: Uint32Array;
  /** The first document of each block of `TERM_BLOCK` terms. */
  readonly blockHeads: Uint32Array;
}

const TERM_BLOCK_SHIFT = 5;
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

/** Reads the lists. */
export class PostingLists {
  readonly postings: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #heads: Uint32Array;
  readonly #blockHeads: Uint32Array;

  constructor(sections: PostingSections) {
    this.postings = sections.postings;
    this.#starts = sections.postingStarts;
    this.#heads = sections.heads;
    this.#blockHeads = sections.blockHeads;
  }

  head(term: number): number {
    return this.#heads[term]!;
  }

  /** The first document of any term in the term's block. */
  blockHead(term: number): number {
    return this.#blockHeads[term >>> TERM_BLOCK_SHIFT]!;
  }

  /** Offset of a term's list in `postings`; it ends where the next one starts. */
  start(term: number): number {
    return this.#starts[term]!;
  }

  /** Number of postings of the terms `from` to `to` (excluded). */
  count(from: number, to: number): number {
    return this.#starts[to]! - this.#starts[from]!;
  }
}
