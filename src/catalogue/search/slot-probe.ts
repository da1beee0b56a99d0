import type { Bitmaps } from './bitmaps.ts';
import type { PostingLists } from './posting-lists.ts';
import type { Slot, Span } from './slot.ts';

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
  readonly #lists: PostingLists;
  readonly #postings: Uint32Array;
  readonly #spans: readonly Span[];
  readonly #findBitmap: (from: number, to: number) => Uint32Array | undefined;
  readonly #mark: (spans: readonly Span[]) => Uint32Array | undefined;
  readonly #bitmaps: Uint32Array[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #cursors: number[] = [];
  #isReady = false;
  #canTell = false;

  constructor(ports: {
    readonly lists: PostingLists;
    readonly bitmaps: Bitmaps;
    readonly slot: Slot;
    /** Gives the documents of many lists as one bitmap, where that pays. */
    readonly mark: (spans: readonly Span[]) => Uint32Array | undefined;
  }) {
    this.#lists = ports.lists;
    this.#postings = ports.lists.postings;
    this.#spans = ports.slot.spans;
    this.#findBitmap = (from, to) => ports.bitmaps.find(from, to);
    this.#mark = ports.mark;
  }

  /** Lists that may have to be asked. */
  get lists(): number {
    return this.#bitmaps.length + this.#starts.length;
  }

  ask(document: number): Probe {
    // Many walks end before they ask for anything, so that nothing is made ready before.
    if (!this.#isReady) this.#makeReady();
    if (!this.#canTell) return UNKNOWN;
    for (let index = 0; index < this.#bitmaps.length; index++) {
      if ((this.#bitmaps[index]![document >>> 5]! & (1 << (document & 31))) !== 0) return YES;
    }
    for (let list = 0; list < this.#starts.length; list++) {
      const at = this.#seek(list, document);
      if (at < this.#ends[list]! && this.#postings[at] === document) return YES;
    }
    return NO;
  }

  #makeReady(): void {
    this.#isReady = true;
    const rest = this.#spans.filter(({ from, to }) => !this.#addBitmap(this.#findBitmap(from, to)));
    const terms = rest.reduce((sum, span) => sum + span.to - span.from, 0);
    this.#canTell = terms <= MAX_LISTS || this.#addBitmap(this.#mark(rest));
    if (terms > MAX_LISTS) return;
    for (const { from, to } of rest) {
      for (let term = from; term < to; term++) this.#addList(term);
    }
  }

  #addBitmap(bitmap: Uint32Array | undefined): boolean {
    if (bitmap === undefined) return false;
    this.#bitmaps.push(bitmap);
    return true;
  }

  #addList(term: number): void {
    this.#starts.push(this.#lists.start(term));
    this.#ends.push(this.#lists.start(term + 1));
    this.#cursors.push(this.#lists.start(term));
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
