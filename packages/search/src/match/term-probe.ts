import type { PostingLists } from '../index/posting-lists.ts';
import type { Slot, Span } from '../query/plan.ts';
import type { Budget } from '../query/query-limits.ts';
import { EXACT } from '../query/ranking-weights.ts';

export const NO = 0;
export const YES = 1;
/** Marks a slot with too many lists to test: the document has to be read. */
const UNKNOWN = 2;

/** Maximum lists to test; testing more costs more than reading the document. */
const MAX_LISTS = 6;
/** Below this ratio of lengths, galloping is slower than merging. */
const SIMILAR_LENGTHS = 16;
/** Marking a posting is this many times faster than scoring a document. */
const MARKED_PER_DOCUMENT = 64;

export interface ProbeOptions {
  readonly lists: PostingLists;
  readonly marked: MarkedSets;
  /** Slots with more postings are not marked: they already have a bitmap, or are not worth one. */
  readonly maxMarked: number;
  readonly budget: Budget;
}

/** The slots of a plan, rarest first, each prepared for a walk. */
export function prepareRarestFirst(slots: readonly Slot[], options: ProbeOptions): SlotProbe[] {
  const probes: SlotProbe[] = [];
  for (const slot of slots.toSorted((a, b) => a.size - b.size)) {
    // Documents of the rarest word are read and not tested.
    const scored = (probes[0]?.slot.size ?? 0) * MARKED_PER_DOCUMENT;
    probes.push(new SlotProbe(slot, { ...options, maxMarked: Math.min(options.maxMarked, scored) }));
  }
  return probes;
}

/**
 * A slot of a walk. Tests cheaply which documents match it: by bitmap if there is one, otherwise by merging with the posting
 * lists, or galloping through much longer ones. Documents are tested in batches, one list at a time. Slots with many lists get a
 * bitmap if that pays off.
 */
export class SlotProbe {
  readonly slot: Slot;
  /** Maximum points of the word, matched or missing. */
  readonly most: number;
  /** Points below `most` for a document without the word. */
  readonly loss: number;
  readonly #options: ProbeOptions;
  readonly #bitmaps: Uint32Array[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #cursors: number[] = [];
  #isReady = false;
  #canTell = false;

  constructor(slot: Slot, options: ProbeOptions) {
    this.slot = slot;
    const best = slot.ranges[0]?.weight ?? EXACT;
    // A missing word can cost less than a distant match.
    this.most = Math.max(best - EXACT, -slot.missingCost);
    this.loss = this.most + slot.missingCost;
    this.#options = options;
  }

  /**
   * Writes `YES`, `NO` or `UNKNOWN` to `answers` for the first `count` documents, which must ascend. Returns how many lists it
   * tested.
   */
  ask(documents: Uint32Array, count: number, answers: Uint8Array): number {
    // Prepared on demand, because many walks end before a test.
    if (!this.#isReady) this.#makeReady();
    answers.fill(this.#canTell ? NO : UNKNOWN, 0, count);
    const lists = this.#bitmaps.length + this.#starts.length;
    if (!this.#canTell || count === 0) return lists;
    for (const bitmap of this.#bitmaps) askBitmap(bitmap, documents, count, answers);
    for (let list = 0; list < this.#starts.length; list++) this.#askList(list, documents, count, answers);
    return lists;
  }

  #makeReady(): void {
    this.#isReady = true;
    const { lists, marked, maxMarked, budget } = this.#options;
    const rest: Span[] = [];
    let terms = 0;
    for (const span of this.slot.spans) {
      const bitmap = lists.bitmapOf(span.from, span.to);
      if (bitmap === undefined) {
        rest.push(span);
        terms += span.to - span.from;
      } else this.#bitmaps.push(bitmap);
    }
    if (terms > MAX_LISTS) {
      const bitmap = marked.mark(rest, maxMarked, budget);
      this.#canTell = bitmap !== undefined;
      if (bitmap !== undefined) this.#bitmaps.push(bitmap);
      return;
    }
    this.#canTell = true;
    for (const { from, to } of rest) {
      for (let term = from; term < to; term++) {
        this.#starts.push(lists.starts[term]!);
        this.#ends.push(lists.starts[term + 1]!);
        this.#cursors.push(lists.starts[term]!);
      }
    }
  }

  /** Continues at the end of the last batch, unless this one begins earlier. */
  #askList(list: number, documents: Uint32Array, count: number, answers: Uint8Array): void {
    const { postings } = this.#options.lists;
    const start = this.#starts[list]!;
    const end = this.#ends[list]!;
    const before = this.#cursors[list]!;
    const isAhead = before > start && postings[before - 1]! >= documents[0]!;
    const from = seek(postings, isAhead ? start : before, end, documents[0]!);
    const to = seek(postings, from, end, documents[count - 1]! + 1);
    this.#cursors[list] = to;
    const postingCount = to - from;
    if (Math.max(postingCount, count) < Math.min(postingCount, count) * SIMILAR_LENGTHS)
      markMerged(postings, from, to, documents, count, answers);
    // Iterates over the shorter list and gallops through the longer one.
    else if (postingCount < count) markCommon(postings, from, to, documents, count, answers);
    else markFound(postings, from, to, documents, count, answers);
  }
}

function askBitmap(bitmap: Uint32Array, documents: Uint32Array, count: number, answers: Uint8Array): void {
  for (let index = 0; index < count; index++) {
    const document = documents[index]!;
    // YES equals a set bit.
    answers[index]! |= (bitmap[document >>> 5]! >>> (document & 31)) & 1;
  }
}

/** Writes `YES` for those of the first `count` documents among the postings `from` to `to` (excluded). */
type Mark = (
  postings: Uint32Array,
  from: number,
  to: number,
  documents: Uint32Array,
  count: number,
  answers: Uint8Array,
) => void;

/** Merges both lists without unpredictable branches. */
const markMerged: Mark = (postings, from, to, documents, count, answers) => {
  let at = from;
  let index = 0;
  while (at < to && index < count) {
    const posting = postings[at]!;
    const document = documents[index]!;
    if (posting === document) answers[index] = YES;
    at += posting <= document ? 1 : 0;
    index += document <= posting ? 1 : 0;
  }
};

/** Looks up each document in the postings. */
const markFound: Mark = (postings, from, to, documents, count, answers) => {
  let at = from;
  for (let index = 0; index < count && at < to; index++) {
    const document = documents[index]!;
    at = seek(postings, at, to, document);
    if (at < to && postings[at] === document) answers[index] = YES;
  }
};

/** Looks up each posting in the documents. */
const markCommon: Mark = (postings, from, to, documents, count, answers) => {
  let index = 0;
  for (let at = from; at < to && index < count; at++) {
    const document = postings[at]!;
    index = seek(documents, index, count, document);
    if (index < count && documents[index] === document) answers[index] = YES;
  }
};

/** The first posting from `at` on that is not below the document: doubling steps, then binary search. */
function seek(postings: Uint32Array, at: number, end: number, document: number): number {
  let low = at;
  let high = at;
  for (let step = 1; high < end && postings[high]! < document; step *= 2) {
    low = high + 1;
    high += step;
  }
  if (high > end) high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (postings[middle]! < document) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Bitmaps available at a time; further slots are tested in the documents. */
const MAX_SETS = 4;

/** Scratch bitmaps over all documents, for slots with many short lists. Allocated at first use and reused. */
export class MarkedSets {
  readonly #lists: PostingLists;
  readonly #words: number;
  readonly #sets: Uint32Array[] = [];
  #used = 0;

  constructor(options: { readonly lists: PostingLists; readonly documents: number }) {
    this.#lists = options.lists;
    this.#words = (options.documents + 31) >>> 5;
  }

  /**
   * The documents of all terms in the spans, valid until `clear`; undefined if they have more than `maxPostings` or all bitmaps
   * are in use.
   */
  mark(spans: readonly Span[], maxPostings: number, budget: Budget): Uint32Array | undefined {
    let size = 0;
    for (const { from, to } of spans) size += this.#lists.count(from, to);
    if (size > maxPostings) return undefined;
    budget.read(size);
    if (this.#used === MAX_SETS) return undefined;
    this.#sets[this.#used] ??= new Uint32Array(this.#words);
    const set = this.#sets[this.#used++]!;
    const { postings, starts } = this.#lists;
    for (const { from, to } of spans) {
      const end = starts[to]!;
      for (let at = starts[from]!; at < end; at++) {
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
