import { type PostingLists, TERM_BLOCK } from '../index/posting-lists.ts';
import type { Plan } from '../query/plan.ts';
import { type Budget, MAX_FRUITLESS } from '../query/query-limits.ts';
import { EXACT } from '../query/ranking-weights.ts';
import type { DocumentBatch } from './document-batch.ts';
import type { AskedSlot } from './prepared-terms.ts';
import type { Bound } from './score-bounds.ts';
import { NO_MATCH, type Scorer } from './scorer.ts';
import { NO, YES } from './term-probe.ts';
import type { Answers } from './top-hits.ts';

/** The first batch of a list is small, since its documents are the best and raise what the others have to beat. */
const FIRST_BATCH = 64;
/** Documents are fetched this many at a time: together they take hardly longer than one. */
const FETCHED = 16;

/** One pass over the postings of a driving slot. */
interface Drive {
  /** Index of the slot whose postings are walked. */
  readonly driver: number;
  /** How many slots the documents miss, those before the driver included. */
  readonly misses: number;
  /** What the slots before the driver cost and lose. */
  readonly cost: number;
  readonly loss: number;
  readonly bound: Bound;
}

/**
 * Finds the best documents of one plan. The rarest word drives: its postings are walked in batches, best first. Documents
 * that cannot score enough are dropped, the rest is tested for the other words where that is cheap, and what passes is
 * scored. A walk ends when the best document still to come cannot beat the last answer.
 *
 * Where words may be missing, documents that miss none come first, then those that miss one, and so on, so that few of the
 * many documents with only one of the words need be scored. For documents without the rarest word the next rarest drives.
 */
export class PlanWalk {
  readonly #plan: Plan;
  readonly #answers: Answers;
  readonly #budget: Budget;
  readonly #lists: PostingLists;
  readonly #bounds: readonly Bound[];
  readonly #scorer: Scorer;
  readonly #batch: DocumentBatch;
  readonly #asked: readonly AskedSlot[];
  /** The most that all words can be worth, the cost of the plan taken off. */
  readonly #mostForWords: number;

  constructor(ports: {
    readonly plan: Plan;
    readonly asked: readonly AskedSlot[];
    readonly answers: Answers;
    readonly budget: Budget;
    readonly lists: PostingLists;
    /** For each number of words, `[words - 1]`. */
    readonly bounds: readonly Bound[];
    readonly scorer: Scorer;
    readonly batch: DocumentBatch;
  }) {
    this.#plan = ports.plan;
    this.#asked = ports.asked;
    this.#answers = ports.answers;
    this.#budget = ports.budget;
    this.#lists = ports.lists;
    this.#bounds = ports.bounds;
    this.#scorer = ports.scorer;
    this.#batch = ports.batch;
    this.#mostForWords = ports.asked.reduce((sum, { most }) => sum + most, 0) - ports.plan.cost;
  }

  run(): void {
    for (let misses = 0; misses < this.#asked.length; misses++) {
      // A name cannot be named by words that the document misses.
      const bound = this.#bounds[this.#asked.length - misses - 1]!;
      if (!this.#canMiss(misses, bound)) return;
      let cost = 0;
      let loss = 0;
      for (let driver = 0; driver <= misses; driver++) {
        if (cost > this.#plan.maxMissingCost || this.#budget.isSpent) break;
        this.#drive({ driver, misses, cost, loss, bound });
        cost += this.#asked[driver]!.slot.missingCost;
        loss += this.#asked[driver]!.loss;
      }
    }
  }

  /** Whether documents that miss this many words are allowed, and may still be good enough. */
  #canMiss(misses: number, bound: Bound): boolean {
    if (this.#budget.isSpent) return false;
    const cheapest = (values: number[]) =>
      values
        .sort((a, b) => a - b)
        .slice(0, misses)
        .reduce((sum, value) => sum + value, 0);
    if (misses > 0 && cheapest(this.#asked.map(({ slot }) => slot.missingCost)) > this.#plan.maxMissingCost)
      return false;
    return !this.#isTooLate(0, this.#mostForWords - cheapest(this.#asked.map(({ loss }) => loss)), bound);
  }

  #drive(drive: Drive): void {
    const { slot, most: driverMost } = this.#asked[drive.driver]!;
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

  /** Whether nothing from this document on can be good enough. */
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

  /** Keeps the documents that can score enough and that, as far as can be told cheaply, miss the right number of words. */
  #sift(drive: Drive, most: number): void {
    const batch = this.#batch;
    const lowest = this.#answers.lowestScore;
    const isStrict = drive.misses === 0;
    // While any score is good enough there is nothing to select by but the words.
    const isSelective = !isStrict || lowest > Number.NEGATIVE_INFINITY;
    if (isSelective) batch.keepPromising(drive.bound, most, lowest);
    batch.startMissing(drive.driver, drive.cost);
    for (let index = 0; index < this.#asked.length && batch.count > 0; index++) {
      if (index === drive.driver) continue;
      const { slot, probe, loss } = this.#asked[index]!;
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

  /** Scores what is left. Returns how many documents in a row, `before` included, did not improve the answers. */
  #scoreBatch(before: number): number {
    const { documents, most, headers, count } = this.#batch;
    const { accepts } = this.#answers;
    let fruitless = before;
    for (let index = 0; index < count && fruitless < MAX_FRUITLESS && !this.#budget.isSpent; index++) {
      if (index % FETCHED === 0)
        this.#scorer.fetch(documents, index, Math.min(count, index + FETCHED), headers);
      const document = documents[index]!;
      if (this.#answers.isTooLate(document, most[index]!)) continue;
      // A document that is not accepted says nothing about the rest of the list, so it does not count as fruitless.
      if (accepts !== undefined && !accepts(document)) continue;
      this.#budget.score();
      const score = this.#scorer.score(document);
      const isTaken = score !== NO_MATCH && this.#answers.offer(document, score);
      fruitless = isTaken ? 0 : fruitless + 1;
    }
    return fruitless;
  }
}
