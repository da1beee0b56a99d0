import type { Answers } from './answers.ts';
import type { AskedSlot } from './asked-slots.ts';
import type { Bound } from './bound.ts';
import type { Plan } from './plan.ts';
import { type PostingLists, TERM_BLOCK } from './posting-lists.ts';
import { type Budget, MAX_FRUITLESS } from './query-limits.ts';
import { EXACT } from './ranking.ts';
import { NO_MATCH, type Scorer } from './scorer.ts';
import { NO, YES } from './slot-probe.ts';

/** What the words cost that a document is known not to hold. */
interface Missing {
  readonly cost: number;
  readonly loss: number;
}

/**
 * Finds the best documents of one plan. The rarest word drives: its postings are walked best first, each document is
 * asked for the other words where that is cheap, and scored where it passes. A walk ends when the best document
 * that can still come is no better than the last answer. Where words may be missing, the next rarest word drives
 * for the documents without the first, as long as such documents may miss that much.
 */
export class PlanWalk {
  readonly #plan: Plan;
  readonly #answers: Answers;
  readonly #budget: Budget;
  readonly #lists: PostingLists;
  readonly #bound: Bound;
  readonly #scorer: Scorer;
  readonly #asked: readonly AskedSlot[];
  /** The most that all words can be worth, the cost of the plan taken off. */
  readonly #mostForWords: number;

  constructor(ports: {
    readonly plan: Plan;
    readonly asked: readonly AskedSlot[];
    readonly answers: Answers;
    readonly budget: Budget;
    readonly lists: PostingLists;
    readonly bound: Bound;
    readonly scorer: Scorer;
  }) {
    this.#plan = ports.plan;
    this.#asked = ports.asked;
    this.#answers = ports.answers;
    this.#budget = ports.budget;
    this.#lists = ports.lists;
    this.#bound = ports.bound;
    this.#scorer = ports.scorer;
    this.#mostForWords = ports.asked.reduce((sum, { most }) => sum + most, 0) - ports.plan.cost;
  }

  run(): void {
    let missing: Missing = { cost: 0, loss: 0 };
    for (const [driver, { slot, loss }] of this.#asked.entries()) {
      if (missing.cost > this.#plan.maxMissingCost || this.#budget.isSpent) return;
      this.#drive(driver, missing);
      missing = { cost: missing.cost + slot.missingCost, loss: missing.loss + loss };
    }
  }

  /** Walks the documents that hold the driver and none of the words before it, which are `missing`. */
  #drive(driver: number, missing: Missing): void {
    const { slot, most: driverMost } = this.#asked[driver]!;
    for (const range of slot.ranges) {
      const most = this.#mostForWords - driverMost + range.weight - EXACT - missing.loss;
      for (let term = range.from; term < range.to; term++) {
        if (term % TERM_BLOCK === 0 && this.#isTooLate(this.#lists.blockHead(term), most)) {
          term += TERM_BLOCK - 1;
          continue;
        }
        if (this.#isTooLate(this.#lists.head(term), most)) continue;
        this.#walkList(this.#lists.start(term), this.#lists.start(term + 1), driver, most, missing.cost);
        if (this.#budget.isSpent) return;
      }
    }
  }

  /** Whether nothing from this document on can be good enough. */
  #isTooLate(document: number, most: number): boolean {
    return this.#answers.isTooLate(document, most + this.#bound.bestFrom(document));
  }

  #walkList(start: number, end: number, driver: number, most: number, missing: number): void {
    const { postings } = this.#lists;
    const bound = this.#bound;
    const affordable = Math.min(end, start + Math.max(0, this.#budget.work));
    let lowest = this.#answers.lowestScore;
    let fruitless = 0;
    let at = start;
    for (; at < affordable && fruitless < MAX_FRUITLESS && !this.#budget.isSpent; at++) {
      const document = postings[at]!;
      const best = most + bound.mostOf(document);
      if (best < lowest) {
        if (most + bound.bestFrom(document) < lowest) break;
        continue;
      }
      if (this.#answers.isTooLate(document, best) || !this.#passes(document, driver, best, missing)) continue;
      this.#budget.score();
      const score = this.#scorer.score(document);
      const isTaken = score !== NO_MATCH && this.#answers.offer(document, score);
      fruitless = isTaken ? 0 : fruitless + 1;
      lowest = this.#answers.lowestScore;
    }
    this.#budget.read(at - start);
  }

  /** Asks the other words that can be asked cheaply, rarest first, until the document has missed too much. */
  #passes(document: number, driver: number, best: number, missingBefore: number): boolean {
    const mayLose = best - this.#answers.lowestScore;
    let missing = missingBefore;
    let lost = 0;
    for (let index = 0; index < this.#asked.length; index++) {
      if (index === driver) continue;
      const { slot, probe, loss } = this.#asked[index]!;
      const answer = probe.ask(document);
      this.#budget.ask(probe.lists);
      if (index < driver) {
        if (answer === YES) return false;
      } else if (answer === NO) {
        missing += slot.missingCost;
        lost += loss;
        if (missing > this.#plan.maxMissingCost || lost > mayLose) return false;
      }
    }
    return !this.#answers.isTooLate(document, best - lost);
  }
}
