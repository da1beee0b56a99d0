import type { Dictionary } from './index/dictionary.ts';
import type { SearchHit } from './match/top-hits.ts';
import type { Plan, Slot } from './query/plan.ts';

/** Explains the results of a query. */
export interface Explanation {
  /** The query's words as the index splits them. */
  readonly tokens: readonly string[];
  /** The plans that ran, in order. */
  readonly plans: readonly ExplainedPlan[];
  readonly hits: readonly SearchHit[];
  /** Number of leading hits that have every word; infinite if the words found enough. */
  readonly complete: number;
}

export interface ExplainedPlan {
  readonly reading: string;
  readonly cost: number;
  readonly words: readonly ExplainedWord[];
  readonly postingsRead: number;
  readonly documentsScored: number;
  /** Distinct answers after the plan ran. */
  readonly answers: number;
}

export interface ExplainedWord {
  readonly typed: string;
  /** Postings of all words that match it. */
  readonly postings: number;
  /** Matching words with their points, best first; `…` stands for any continuation. */
  readonly metBy: readonly string[];
}

/** Matching words listed for each typed word; the rest is cut off. */
const MAX_LISTED = 12;

export function explainPlan(
  plan: Plan,
  dictionary: Dictionary,
  work: Pick<ExplainedPlan, 'postingsRead' | 'documentsScored' | 'answers'>,
): ExplainedPlan {
  return {
    reading: plan.reading,
    cost: plan.cost,
    words: plan.slots.map((slot) => explainSlot(slot, dictionary)),
    ...work,
  };
}

function explainSlot(slot: Slot, dictionary: Dictionary): ExplainedWord {
  const metBy = slot.ranges.slice(0, MAX_LISTED).map(({ from, to, weight }) => {
    const isOne = to === from + 1;
    return `${dictionary.word(from)}${isOne ? '' : `… (${to - from} words)`} ${weight}`;
  });
  return { typed: slot.token, postings: slot.size, metBy };
}
