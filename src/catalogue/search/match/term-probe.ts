import type { Bitmaps } from '../index/bitmaps.ts';
import type { PostingLists } from '../index/posting-lists.ts';
import type { Slot, Span } from '../query/plan.ts';

export const NO = 0;
export const YES = 1;
/** Too many lists to test; the document has to be read. */
export const UNKNOWN = 2;

/** Testing more lists than this costs more than reading the document. */
const MAX_LISTS = 6;
/** Below this ratio of lengths, galloping is slower than merging. */
const SIMILAR_LENGTHS = 16;

/**
 * Tests cheaply which documents match a slot: by bitmap if there is one, otherwise by merging with the posting lists,
 * or galloping through much longer ones. Documents are tested in batches, one list at a time.
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
    /** Returns the documents of many lists as one bitmap if that pays off. */
    readonly mark: (spans: readonly Span[]) => Uint32Array | undefined;
  }) {
    this.#lists = ports.lists;
    this.#postings = ports.lists.postings;
    this.#spans = ports.slot.spans;
    this.#findBitmap = (from, to) => ports.bitmaps.find(from, to);
    this.#mark = ports.mark;
  }

  /** Number of lists to test. */
  get lists(): number {
    return this.#bitmaps.length + this.#starts.length;
  }

  /** Writes `YES`, `NO` or `UNKNOWN` to `answers` for the first `count` documents, which must ascend. */
  ask(documents: Uint32Array, count: number, answers: Uint8Array): void {
    // Prepared on demand, because many walks end before a test.
    if (!this.#isReady) this.#makeReady();
    answers.fill(this.#canTell ? NO : UNKNOWN, 0, count);
    if (!this.#canTell || count === 0) return;
    for (const bitmap of this.#bitmaps) askBitmap(bitmap, documents, count, answers);
    for (let list = 0; list < this.#starts.length; list++) this.#askList(list, documents, count, answers);
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

  /** Continues at the end of the last batch, unless this one begins earlier. */
  #askList(list: number, documents: Uint32Array, count: number, answers: Uint8Array): void {
    const postings = this.#postings;
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
