import { type PostingLists, TERM_BLOCK } from '../index/posting-lists.ts';
import type { Plan } from '../query/plan.ts';
import { type Budget, MAX_FRUITLESS } from '../query/query-limits.ts';
import { EXACT } from '../query/ranking-weights.ts';
import type { DocumentBatch } from './document-batch.ts';
import type { PreparedSlot } from './prepared-terms.ts';
import type { Bound } from './score-bounds.ts';
import { NO_MATCH, type Scorer } from './scorer.ts';
import { NO, YES } from './term-probe.ts';
import type { Answers } from './top-hits.ts';

/** The first batch is small: its documents are the best, and raise the lowest useful score. */
const FIRST_BATCH = 64;
/** Documents fetched together: their memory reads overlap. */
const FETCHED = 16;

/** One pass over the postings of one slot. */
interface Drive {
  /** Index of the slot whose postings are read. */
  readonly driver: number;
  /** How many slots the documents lack, those before the driver included. */
  readonly misses: number;
  /** Cost of the slots before the driver, which the documents lack. */
  readonly cost: number;
  readonly loss: number;
  readonly bound: Bound;
}

/**
 * Finds the best documents of one plan. The slot with the fewest postings drives: its postings are read in batches,
 * best first. Documents that cannot score enough are dropped, the rest tested for the other words where that is
 * cheap, and what passes is scored. The walk ends when no later document can beat the last answer.
 *
 * If words may be missing, documents with all words come first, then those that lack one, and so on, so that few
 * documents with a single word are scored. For documents without the rarest word the next rarest drives.
 */
export class PlanWalk {
  readonly #plan: Plan;
  readonly #answers: Answers;
  readonly #budget: Budget;
  readonly #lists: PostingLists;
  readonly #bounds: readonly Bound[];
  readonly #scorer: Scorer;
  readonly #batch: DocumentBatch;
  readonly #slots: readonly PreparedSlot[];
  /** Maximum points of all words, minus the cost of the plan. */
  readonly #mostForWords: number;

  constructor(ports: {
    readonly plan: Plan;
    readonly slots: readonly PreparedSlot[];
    readonly answers: Answers;
    readonly budget: Budget;
    readonly lists: PostingLists;
    /** By number of words: `[words - 1]`. */
    readonly bounds: readonly Bound[];
    readonly scorer: Scorer;
    readonly batch: DocumentBatch;
  }) {
    this.#plan = ports.plan;
    this.#slots = ports.slots;
    this.#answers = ports.answers;
    this.#budget = ports.budget;
    this.#lists = ports.lists;
    this.#bounds = ports.bounds;
    this.#scorer = ports.scorer;
    this.#batch = ports.batch;
    this.#mostForWords = ports.slots.reduce((sum, { most }) => sum + most, 0) - ports.plan.cost;
  }

  run(): void {
    for (let misses = 0; misses < this.#slots.length; misses++) {
      // Missing words add nothing to the fit of the name.
      const bound = this.#bounds[this.#slots.length - misses - 1]!;
      if (!this.#canMiss(misses, bound)) return;
      let cost = 0;
      let loss = 0;
      for (let driver = 0; driver <= misses; driver++) {
        if (cost > this.#plan.maxMissingCost || this.#budget.isSpent) break;
        this.#drive({ driver, misses, cost, loss, bound });
        cost += this.#slots[driver]!.slot.missingCost;
        loss += this.#slots[driver]!.loss;
      }
    }
  }

  /** Whether documents that lack this many words are allowed and can score enough. */
  #canMiss(misses: number, bound: Bound): boolean {
    if (this.#budget.isSpent) return false;
    const cheapest = (values: number[]) =>
      values
        .sort((a, b) => a - b)
        .slice(0, misses)
        .reduce((sum, value) => sum + value, 0);
    if (misses > 0 && cheapest(this.#slots.map(({ slot }) => slot.missingCost)) > this.#plan.maxMissingCost)
      return false;
    return !this.#isTooLate(0, this.#mostForWords - cheapest(this.#slots.map(({ loss }) => loss)), bound);
  }

  #drive(drive: Drive): void {
    const { slot, most: driverMost } = this.#slots[drive.driver]!;
    for (const range of slot.ranges) {
      const most = this.#mostForWords - driverMost + range.weight - EXACT - drive.loss;
      for (let term = range.from; term < range.to; term++) {
        if (term % TERM_BLOCK === 0 && this.#isTooLate(this.#lists.blockHead(term), most, drive.bound)) {
          term += TERM_BLOCK - 1;
          continue;
        }
        if (this.#isTooLate(this.#lists.head(term), most, drive.bound)) continue;
        this.#walkList(this.#lists.start(term), this.#lists.start(term + 1), most, drive);
        if (this.#budget.isSpent) return;
      }
    }
  }

  /** Whether no document from this one on can score enough. */
  #isTooLate(document: number, most: number, bound: Bound): boolean {
    return this.#answers.isTooLate(document, most + bound.bestFrom(document));
  }

  #walkList(start: number, end: number, most: number, drive: Drive): void {
    const { postings } = this.#lists;
    const batch = this.#batch;
    let size = FIRST_BATCH;
    let fruitless = 0;
    for (let at = start; at < end && fruitless < MAX_FRUITLESS && !this.#budget.isSpent; ) {
      if (this.#isTooLate(postings[at]!, most, drive.bound)) return;
      const to = Math.min(end, at + size, at + this.#budget.work);
      batch.fill(postings, at, to);
      this.#budget.read(to - at);
      this.#sift(drive, most);
      fruitless = this.#scoreBatch(fruitless);
      at = to;
      size = Math.min(size * 2, batch.capacity);
    }
  }

  /** Keeps documents that can score enough and, by cheap tests, lack the right number of words. */
  #sift(drive: Drive, most: number): void {
    const batch = this.#batch;
    const lowest = this.#answers.lowestScore;
    const isStrict = drive.misses === 0;
    // While any score is enough, only the words select documents.
    const isSelective = !isStrict || lowest > Number.NEGATIVE_INFINITY;
    if (isSelective) batch.keepPromising(drive.bound, most, lowest);
    batch.startMissing(drive.driver, drive.cost);
    for (let index = 0; index < this.#slots.length && batch.count > 0; index++) {
      if (index === drive.driver) continue;
      const { slot, probe, loss } = this.#slots[index]!;
      const { count } = batch;
      probe.ask(batch.documents, count, batch.holds);
      this.#budget.ask(probe.lists * count);
      if (index < drive.driver) batch.drop(YES);
      else if (isStrict) batch.drop(NO);
      else {
        const { maxMissingCost: maxCost } = this.#plan;
        batch.noteMissing({ cost: slot.missingCost, loss, maxCost, maxMisses: drive.misses, lowest });
      }
    }
    if (!isStrict) batch.keepMissing(drive.misses);
    if (!isSelective) batch.keepPromising(drive.bound, most, lowest);
  }

  /** Scores the remaining documents. Returns how many in a row, `before` included, did not improve the answers. */
  #scoreBatch(before: number): number {
    const { documents, most, headers, count } = this.#batch;
    const { accepts } = this.#answers;
    let fruitless = before;
    for (let index = 0; index < count && fruitless < MAX_FRUITLESS && !this.#budget.isSpent; index++) {
      if (index % FETCHED === 0)
        this.#scorer.fetch(documents, index, Math.min(count, index + FETCHED), headers);
      const document = documents[index]!;
      if (this.#answers.isTooLate(document, most[index]!)) continue;
      // A rejected document says nothing about the rest of the list, so it does not count.
      if (accepts !== undefined && !accepts(document)) continue;
      this.#budget.score();
      const score = this.#scorer.score(document);
      const isTaken = score !== NO_MATCH && this.#answers.offer(document, score);
      fruitless = isTaken ? 0 : fruitless + 1;
    }
    return fruitless;
  }
}
