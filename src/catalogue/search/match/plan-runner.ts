import { BEGINNING_SHARE, type Bitmaps } from '../index/bitmaps.ts';
import type { DocumentSections } from '../index/document-table.ts';
import type { PostingLists } from '../index/posting-lists.ts';
import type { Plan } from '../query/plan.ts';
import type { Budget } from '../query/query-limits.ts';
import { DocumentBatch } from './document-batch.ts';
import { PlanWalk } from './plan-walk.ts';
import type { MarkedSets } from './prepared-terms.ts';
import { prepareRarestFirst } from './prepared-terms.ts';
import type { Bound } from './score-bounds.ts';
import { NO_MATCH, Scorer } from './scorer.ts';
import type { Answers } from './top-hits.ts';

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
  readonly #bitmaps: Bitmaps;
  readonly #marked: MarkedSets;
  readonly #batch = new DocumentBatch();

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
        slots: prepareRarestFirst(plan.slots, {
          lists,
          bitmaps: this.#bitmaps,
          marked: this.#marked,
          maxMarked,
          budget,
        }),
        answers,
        budget,
        lists,
        bounds: this.#bounds,
        scorer: new Scorer({ documents: this.#documents, plan }),
        batch: this.#batch,
      });
      walk.run();
    } finally {
      this.#marked.clear();
    }
  }

  /** Whether a plan with this many words and this cost cannot change the answers even if all words match exactly. */
  isHopeless(words: number, cost: number, answers: Answers): boolean {
    return answers.isTooLate(0, this.#bounds[words - 1]!.bestFrom(0) - cost);
  }

  /** Scores given documents, each with its bonus: for documents not found by the plan's words. */
  runOver(documents: Iterable<GivenDocument>, plan: Plan, answers: Answers, budget: Budget): void {
    const scorer = new Scorer({ documents: this.#documents, plan });
    const { accepts } = answers;
    for (const { document, bonus } of documents) {
      if (budget.isSpent) return;
      if (accepts !== undefined && !accepts(document)) continue;
      budget.score();
      const score = scorer.score(document);
      if (score !== NO_MATCH) answers.offer(document, score + bonus);
    }
  }
}
