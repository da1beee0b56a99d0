import type { PostingLists } from './posting-lists.ts';
import type { Slot } from './slot.ts';

export const NO = 0;
export const YES = 1;
/** Only the document itself can tell. */
export const UNKNOWN = 2;
export type Probe = typeof NO | typeof YES | typeof UNKNOWN;

/** More lists than this are dearer to ask than the document itself. */
const MAX_LISTS = 6;

/**
 * Tells cheaply whether a document holds a slot: by bitmap where there is one, else by galloping through the
 * posting lists, which is fast when documents are asked for in ascending order.
 */
export class SlotProbe {
  readonly #postings: Uint32Array;
  readonly #isOpen: boolean;
  readonly #bitmaps: Uint32Array[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #cursors: number[] = [];

  constructor(ports: {
    readonly lists: PostingLists;
    readonly slot: Slot;
    /** Gives the documents of a slot that has many lists, where that pays. */
    readonly mark: (slot: Slot) => Uint32Array | undefined;
  }) {
    this.#postings = ports.lists.postings;
    const terms = ports.slot.ranges.reduce((sum, range) => sum + range.to - range.from, 0);
    if (terms > MAX_LISTS) {
      const marked = ports.mark(ports.slot);
      this.#isOpen = marked !== undefined;
      if (marked !== undefined) this.#bitmaps.push(marked);
      return;
    }
    this.#isOpen = true;
    for (const range of ports.slot.ranges) {
      for (let term = range.from; term < range.to; term++) this.#addList(ports.lists, term);
    }
  }

  /** Lists that may have to be asked. */
  get lists(): number {
    return this.#bitmaps.length + this.#starts.length;
  }

  ask(document: number): Probe {
    if (!this.#isOpen) return UNKNOWN;
    for (let index = 0; index < this.#bitmaps.length; index++) {
      if ((this.#bitmaps[index]![document >>> 5]! & (1 << (document & 31))) !== 0) return YES;
    }
    for (let list = 0; list < this.#starts.length; list++) {
      const at = this.#seek(list, document);
      if (at < this.#ends[list]! && this.#postings[at] === document) return YES;
    }
    return NO;
  }

  #addList(lists: PostingLists, term: number): void {
    const bitmap = lists.bitmap(term);
    if (bitmap !== undefined) {
      this.#bitmaps.push(bitmap);
      return;
    }
    this.#starts.push(lists.start(term));
    this.#ends.push(lists.start(term + 1));
    this.#cursors.push(lists.start(term));
  }

  /** The first posting of the list that is not below the document: doubling steps, then halving. */
  #seek(list: number, document: number): number {
    const postings = this.#postings;
    const end = this.#ends[list]!;
    let low = this.#cursors[list]!;
    if (low > this.#starts[list]! && postings[low - 1]! >= document) low = this.#starts[list]!;
    let step = 1;
    let high = low;
    while (high < end && postings[high]! < document) {
      low = high + 1;
      high += step;
      step *= 2;
    }
    if (high > end) high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (postings[middle]! < document) low = middle + 1;
      else high = middle;
    }
    this.#cursors[list] = low;
    return low;
  }
}
