import type { SharedWork } from '@larder/search/search-index.ts';

/** What a text, or a list of them, may still ask of the foods. */
export interface ReadingBudget {
  /** Look-ups of names. After them, phrases are each read alone and in their own words. */
  lookUps: number;
  /** Names that these read: those that have a word that is looked up, once for each such word. */
  names: number;
  /** Searches among all foods. After them, the names of generic foods count alone. */
  searches: number;
  /** What they may do together. */
  readonly work: SharedWork;
}

/**
 * For one text, and for a list. Among 3.9 million foods, none of 13,000 meals and lines of recipes takes more than 185 look-ups, 256,000
 * names, 6 searches and 604,000 units of work; as many as a list may have take about 750, 500,000, 50 and 3,000,000 together.
 */
export const TEXT_BUDGET = { lookUps: 600, names: 600_000, searches: 12, work: 1_200_000 };
export const LIST_BUDGET: typeof TEXT_BUDGET = {
  lookUps: 1_200,
  names: 1_000_000,
  searches: 48,
  work: 5_000_000,
};

/** That of a list is no more than `times` that of a text. */
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
