import { type DocumentSections, TERM_MASK } from './document-table.ts';
import { forEachInSteps, type Steps } from './steps.ts';

/**
 * For every term the documents that hold it, ascending, which is best first. Lists lie in the order of terms, so
 * that the words with a common beginning are one slice.
 */
export interface PostingSections {
  readonly postings: Uint32Array;
  /** One value per term and one end. */
  readonly postingStarts: Uint32Array;
  /** For every term its first document: walking over many short lists need not touch them. */
  readonly heads: Uint32Array;
  /** For every `TERM_BLOCK` terms the first document that any of them has. */
  readonly blockHeads: Uint32Array;
}

const TERM_BLOCK_SHIFT = 5;
export const TERM_BLOCK = 1 << TERM_BLOCK_SHIFT;

export function* buildPostings(documents: DocumentSections, terms: number): Steps<PostingSections> {
  const { entries, entryStarts } = documents;
  const count = entryStarts.length - 1;
  const postingStarts = new Uint32Array(terms + 1);
  const lastSeenIn = new Uint32Array(terms);
  yield* forEachInSteps(count, (document) => {
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
  yield* forEachInSteps(count, (document) => {
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
  return { postings, postingStarts, ...buildHeads(postings, postingStarts) };
}

function buildHeads(postings: Uint32Array, postingStarts: Uint32Array) {
  const heads = new Uint32Array(postingStarts.length - 1);
  const blockHeads = new Uint32Array((heads.length + TERM_BLOCK - 1) >>> TERM_BLOCK_SHIFT).fill(0xffff_ffff);
  for (let term = 0; term < heads.length; term++) {
    const head = postings[postingStarts[term]!]!;
    const block = term >>> TERM_BLOCK_SHIFT;
    heads[term] = head;
    blockHeads[block] = Math.min(blockHeads[block]!, head);
  }
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

  /** The first document of all terms of the block that the term lies in. */
  blockHead(term: number): number {
    return this.#blockHeads[term >>> TERM_BLOCK_SHIFT]!;
  }

  /** Where the list of a term starts in `postings`; it ends where the next term's starts. */
  start(term: number): number {
    return this.#starts[term]!;
  }

  /** How many postings the terms `from` to `to` (excluded) have; for one term, its documents. */
  count(from: number, to: number): number {
    return this.#starts[to]! - this.#starts[from]!;
  }
}
