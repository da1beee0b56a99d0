import type { PostingLists } from '../index/posting-lists.ts';
import type { Span } from '../query/slot.ts';

/** Sets that can be marked at a time; further slots are asked for in the documents themselves. */
const MAX_SETS = 4;

/** Scratch bitmaps over all documents, for slots of many short lists. Made at first use, kept for the next query. */
export class MarkedSets {
  readonly #lists: PostingLists;
  readonly #words: number;
  readonly #sets: Uint32Array[] = [];
  #used = 0;

  constructor(ports: { readonly lists: PostingLists; readonly documents: number }) {
    this.#lists = ports.lists;
    this.#words = (ports.documents + 31) >>> 5;
  }

  /** The documents of all terms in the spans, valid until `clear`; nothing when all sets are taken. */
  mark(spans: readonly Span[]): Uint32Array | undefined {
    if (this.#used === MAX_SETS) return undefined;
    this.#sets[this.#used] ??= new Uint32Array(this.#words);
    const set = this.#sets[this.#used++]!;
    const { postings } = this.#lists;
    for (const { from, to } of spans) {
      const end = this.#lists.start(to);
      for (let at = this.#lists.start(from); at < end; at++) {
        const document = postings[at]!;
        set[document >>> 5]! |= 1 << (document & 31);
      }
    }
    return set;
  }

  clear(): void {
    while (this.#used > 0) this.#sets[--this.#used]!.fill(0);
  }
}
