import type { Bitmaps } from '../index/bitmaps.ts';
import type { PostingLists } from '../index/posting-lists.ts';
import type { Slot, Span } from '../query/plan.ts';
import type { Budget } from '../query/query-limits.ts';
import { EXACT } from '../query/ranking-weights.ts';
import { SlotProbe } from './term-probe.ts';

/** A slot prepared for a walk. */
export interface PreparedSlot {
  readonly slot: Slot;
  readonly probe: SlotProbe;
  /** Maximum points of the word, matched or missing. */
  readonly most: number;
  /** Points below `most` of a document without the word. */
  readonly loss: number;
}

/** Marking a posting is this many times faster than scoring a document. */
const MARKED_PER_DOCUMENT = 64;

/** Prepares the slots, rarest first. Slots with many lists get a bitmap if that pays off. */
export function prepareRarestFirst(
  slots: readonly Slot[],
  ports: {
    readonly lists: PostingLists;
    readonly bitmaps: Bitmaps;
    readonly marked: MarkedSets;
    /** Larger sets already have a bitmap, or are not worth one. */
    readonly maxMarked: number;
    readonly budget: Budget;
  },
): PreparedSlot[] {
  const rarestFirst = slots.toSorted((a, b) => a.size - b.size);
  const mayMark = Math.min(ports.maxMarked, (rarestFirst[0]?.size ?? 0) * MARKED_PER_DOCUMENT);
  const mark = (spans: readonly Span[]): Uint32Array | undefined => {
    const size = spans.reduce((sum, { from, to }) => sum + ports.lists.count(from, to), 0);
    if (size > mayMark) return undefined;
    ports.budget.read(size);
    return ports.marked.mark(spans);
  };
  return rarestFirst.map((slot, index) => {
    const isDriver = index === 0;
    const probe = new SlotProbe({ ...ports, slot, mark: isDriver ? () => undefined : mark });
    // A missing word can cost less than a distant match.
    const most = Math.max(bestWeight(slot) - EXACT, -slot.missingCost);
    return { slot, probe, most, loss: most + slot.missingCost };
  });
}

function bestWeight(slot: Slot): number {
  return slot.ranges[0]?.weight ?? EXACT;
}

/** Bitmaps available at a time; further slots are tested in the documents. */
const MAX_SETS = 4;

/** Scratch bitmaps over all documents, for slots with many short lists. Allocated at first use and reused. */
export class MarkedSets {
  readonly #lists: PostingLists;
  readonly #words: number;
  readonly #sets: Uint32Array[] = [];
  #used = 0;

  constructor(ports: { readonly lists: PostingLists; readonly documents: number }) {
    this.#lists = ports.lists;
    this.#words = (ports.documents + 31) >>> 5;
  }

  /** The documents of all terms in the spans, valid until `clear`; undefined if all bitmaps are in use. */
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
