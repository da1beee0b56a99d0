import type { SharedWork } from '@larder/search/search-index.ts';

/** The remaining work that a text, or a list of them, may cause. */
export interface ReadingBudget {
  /** Look-ups of names. When they are used up, phrases are read singly and without synonyms. */
  lookUps: number;
  /** Names read by these look-ups; a name counts once for each of its words that is looked up. */
  names: number;
  /** Searches among all foods. When they are used up, only the names of generic foods count. */
  searches: number;
  /** Work of all searches together. */
  readonly work: SharedWork;
}

/**
 * Budgets of one text and of one list. Among 3.9 million foods, none of 13,000 meals and lines of recipes takes more
 * than 185 look-ups, 256,000 names, 6 searches and 604,000 units of work; a list of maximum length takes about 750,
 * 500,000, 50 and 3,000,000.
 */
export const TEXT_BUDGET = { lookUps: 600, names: 600_000, searches: 12, work: 1_200_000 };
export const LIST_BUDGET: typeof TEXT_BUDGET = {
  lookUps: 1_200,
  names: 1_000_000,
  searches: 48,
  work: 5_000_000,
};

/** The budget of a list is at most `times` that of a text. */
export function budgetOf(text: string | readonly string[], times = 1): ReadingBudget {
  const of = (key: keyof typeof TEXT_BUDGET) =>
    typeof text === 'string' ? TEXT_BUDGET[key] : Math.min(LIST_BUDGET[key], times * TEXT_BUDGET[key]);
  return {
    lookUps: of('lookUps'),
    names: of('names'),
    searches: of('searches'),
    work: { left: of('work') },
  };
}
