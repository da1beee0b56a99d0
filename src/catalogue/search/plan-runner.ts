import type { Answers } from './answers.ts';
import { askRarestFirst } from './asked-slots.ts';
import { BEGINNING_SHARE, type Bitmaps } from './bitmaps.ts';
import type { Bound } from './bound.ts';
import type { DocumentSections } from './document-table.ts';
import type { MarkedSets } from './marked-sets.ts';
import type { Plan } from './plan.ts';
import { PlanWalk } from './plan-walk.ts';
import type { PostingLists } from './posting-lists.ts';
import type { Budget } from './query-limits.ts';
import { NO_MATCH, Scorer } from './scorer.ts';

/** So many postings are always marked in no time. */
const MIN_MARKED = 2_000;

/** Runs plans, one at a time, over the structures of an index. */
export class PlanRunner {
  readonly #documents: DocumentSections;
  readonly #lists: PostingLists;
  readonly #bounds: readonly Bound[];
  readonly #bitmaps: Bitmaps;
  readonly #marked: MarkedSets;

  constructor(ports: {
    readonly documents: DocumentSections;
    readonly lists: PostingLists;
    readonly bounds: readonly Bound[];
    readonly bitmaps: Bitmaps;
    readonly marked: MarkedSets;
  }) {
    this.#documents = ports.documents;
    this.#lists = ports.lists;
    this.#bounds = ports.bounds;
    this.#bitmaps = ports.bitmaps;
    this.#marked = ports.marked;
  }

  run(plan: Plan, answers: Answers, budget: Budget): void {
    const lists = this.#lists;
    const maxMarked = Math.max(MIN_MARKED, (this.#documents.entryStarts.length - 1) / BEGINNING_SHARE);
    try {
      const walk = new PlanWalk({
        plan,
        asked: askRarestFirst(plan.slots, {
          lists,
          bitmaps: this.#bitmaps,
          marked: this.#marked,
          maxMarked,
          budget,
        }),
        answers,
        budget,
        lists,
        bound: this.#bounds[plan.slots.length - 1]!,
        scorer: new Scorer({ documents: this.#documents, plan }),
      });
      walk.run();
    } finally {
      this.#marked.clear();
    }
  }

  /** Scores given documents against a plan, for those that are found by other means than its words. */
  runOver(documents: Iterable<number>, plan: Plan, answers: Answers, budget: Budget): void {
    const scorer = new Scorer({ documents: this.#documents, plan });
    for (const document of documents) {
      if (budget.isSpent) return;
      budget.score();
      const score = scorer.score(document);
      if (score !== NO_MATCH) answers.offer(document, score);
    }
  }
}
