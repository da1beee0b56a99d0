import type { DocumentSections } from '../index/document-table.ts';
import { BEGINNING_SHARE, type PostingLists, TERM_BLOCK, TERM_BLOCK_SHIFT } from '../index/posting-lists.ts';
import type { Plan } from '../query/plan.ts';
import { type Budget, MAX_FRUITLESS } from '../query/query-limits.ts';
import { EXACT } from '../query/ranking-weights.ts';
import { DocumentBatch } from './document-batch.ts';
import { type Bound, NO_MATCH, Scorer } from './scorer.ts';
import { MarkedSets, NO, prepareRarestFirst, type SlotProbe, YES } from './term-probe.ts';
import type { TopHits } from './top-hits.ts';

/** The first batch is small: its documents are the best, and raise the lowest useful score. */
const FIRST_BATCH = 64;
/** Number of documents fetched together, so that their memory reads overlap. */
const FETCHED = 16;

/** One pass over the postings of one slot. */
interface Drive {
  /** Index of the slot whose postings are read. */
  readonly driver: number;
  /** Number of slots that the documents lack, those before the driver included. */
  readonly misses: number;
  /** Cost of the slots before the driver, which the documents lack. */
  readonly cost: number;
  readonly loss: number;
  readonly bound: Bound;
}

/**
 * Finds the best documents of one plan. The slot with the fewest postings drives: its postings are read in
 * batches, best first. Documents that cannot score enough are dropped, the rest is tested for the other words
 * where that is cheap, and the remaining documents are scored. The walk ends when no later document can beat
 * the last answer.
 *
 * If words may be missing, documents with all words come first, then those that lack one, and so on, so that
 * few documents with a single word are scored. For documents without the rarest word the next rarest drives.
 */
export class PlanWalk {
  readonly #plan: Plan;
  readonly #answers: TopHits;
  readonly #budget: Budget;
  readonly #lists: PostingLists;
  readonly #bounds: readonly Bound[];
  readonly #scorer: Scorer;
  readonly #batch: DocumentBatch;
  readonly #slots: readonly SlotProbe[];
  /** Maximum points of all words, minus the cost of the plan. */
  readonly #mostForWords: number;

  constructor(ports: {
    readonly plan: Plan;
    readonly slots: readonly SlotProbe[];
    readonly answers: TopHits;
    readonly budget: Budget;
    readonly lists: PostingLists;
    /** Bounds by number of words: `[words - 1]`. */
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
    let most = -ports.plan.cost;
    for (const slot of ports.slots) most += slot.most;
    this.#mostForWords = most;
  }

  run(): void {
    for (let misses = 0; misses < this.#slots.length && !this.#budget.isSpent; misses++) {
      // Missing words add nothing to the fit of the name.
      const bound = this.#bounds[this.#slots.length - misses - 1]!;
      if (misses > 0 && this.#plan.maxMissingCost === 0) return;
      const leastLoss = misses === 0 ? 0 : this.#leastLoss(misses);
      if (leastLoss === undefined || this.#isTooLate(0, this.#mostForWords - leastLoss, bound)) return;
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

  /** Minimum loss of documents that lack this many words; undefined if the plan does not allow them. */
  #leastLoss(misses: number): number | undefined {
    const least = (values: number[]) =>
      values
        .sort((a, b) => a - b)
        .slice(0, misses)
        .reduce((sum, value) => sum + value, 0);
    if (least(this.#slots.map(({ slot }) => slot.missingCost)) > this.#plan.maxMissingCost) return undefined;
    return least(this.#slots.map(({ loss }) => loss));
  }

  #drive(drive: Drive): void {
    const { slot, most: driverMost } = this.#slots[drive.driver]!;
    const { starts, heads, blockHeads } = this.#lists;
    for (const range of slot.ranges) {
      const most = this.#mostForWords - driverMost + range.weight - EXACT - drive.loss;
      for (let term = range.from; term < range.to; term++) {
        if (
          term % TERM_BLOCK === 0 &&
          this.#isTooLate(blockHeads[term >>> TERM_BLOCK_SHIFT]!, most, drive.bound)
        ) {
          term += TERM_BLOCK - 1;
          continue;
        }
        if (this.#isTooLate(heads[term]!, most, drive.bound)) continue;
        this.#walkList(starts[term]!, starts[term + 1]!, most, drive);
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
    if (isSelective) drive.bound.keepPromising(batch, most, lowest);
    if (!isStrict) batch.startMissing(drive.driver, drive.cost);
    for (let index = 0; index < this.#slots.length && batch.count > 0; index++) {
      if (index === drive.driver) continue;
      const probe = this.#slots[index]!;
      const { count } = batch;
      // `asking` itself may use some of the budget, so it comes first.
      const lists = probe.ask(batch.documents, count, batch.holds);
      this.#budget.work -= lists * count;
      if (index < drive.driver) batch.drop(YES);
      else if (isStrict) batch.drop(NO);
      else {
        const { maxMissingCost: maxCost } = this.#plan;
        const cost = probe.slot.missingCost;
        batch.noteMissing({ cost, loss: probe.loss, maxCost, maxMisses: drive.misses, lowest });
      }
    }
    if (!isStrict) batch.keepMissing(drive.misses);
    if (!isSelective) drive.bound.keepPromising(batch, most, lowest);
  }

  /**
   * Scores the remaining documents. Returns how many in a row, including the `before` earlier ones, did not
   * improve the answers.
   */
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
      this.#budget.score(this.#scorer.wordsOf(document));
      const score = this.#scorer.score(document);
      const isTaken = score !== NO_MATCH && this.#answers.offer(document, score);
      fruitless = isTaken ? 0 : fruitless + 1;
    }
    return fruitless;
  }
}

/** Marking up to this many postings is always cheap enough. */
const MIN_MARKED = 2_000;

/** A document to score, with its bonus if it matches. */
export interface GivenDocument {
  readonly document: number;
  readonly bonus: number;
}

/** Runs plans over an index, one at a time. */
export class PlanRunner {
  readonly #documents: DocumentSections;
  readonly #lists: PostingLists;
  readonly #bounds: readonly Bound[];
  readonly #marked: MarkedSets;
  readonly #maxMarked: number;
  readonly #batch = new DocumentBatch();

  constructor(ports: {
    readonly documents: DocumentSections;
    readonly lists: PostingLists;
    readonly bounds: readonly Bound[];
  }) {
    const documents = ports.documents.entryStarts.length - 1;
    this.#documents = ports.documents;
    this.#lists = ports.lists;
    this.#bounds = ports.bounds;
    this.#marked = new MarkedSets({ lists: ports.lists, documents });
    this.#maxMarked = Math.max(MIN_MARKED, documents / BEGINNING_SHARE);
  }

  run(plan: Plan, answers: TopHits, budget: Budget): void {
    const lists = this.#lists;
    const marked = this.#marked;
    try {
      new PlanWalk({
        plan,
        slots: prepareRarestFirst(plan.slots, { lists, marked, maxMarked: this.#maxMarked, budget }),
        answers,
        budget,
        lists,
        bounds: this.#bounds,
        scorer: new Scorer({ documents: this.#documents, plan }),
        batch: this.#batch,
      }).run();
    } finally {
      marked.clear();
    }
  }

  /** Whether a plan with this many words and this cost cannot change the answers even if all words match exactly. */
  isHopeless(words: number, cost: number, answers: TopHits): boolean {
    return answers.isTooLate(0, this.#bounds[words - 1]!.bestFrom(0) - cost);
  }

  /** Scores given documents, each with its bonus: those that the plan's words do not find. */
  runOver(documents: Iterable<GivenDocument>, plan: Plan, answers: TopHits, budget: Budget): void {
    const scorer = new Scorer({ documents: this.#documents, plan });
    const { accepts } = answers;
    for (const { document, bonus } of documents) {
      if (budget.isSpent) return;
      if (accepts !== undefined && !accepts(document)) continue;
      budget.score(scorer.wordsOf(document));
      const score = scorer.score(document);
      if (score !== NO_MATCH) answers.offer(document, score + bonus);
    }
  }
}
