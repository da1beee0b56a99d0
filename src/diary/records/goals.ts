import type { Day } from './day.ts';
import { AMOUNT_KEYS, type AmountKey } from './entry.ts';
import type { Thousandths } from './exact-amount.ts';
import type { Totals } from './totals.ts';

/** A user's goals for a day; keys without a goal are absent. */
export type GoalAmounts = Readonly<Partial<Record<AmountKey, Thousandths>>>;

/** Goals hold from their date until the next ones. */
export interface Goals {
  readonly from: Day;
  readonly amounts: GoalAmounts;
}

export const MAX_GOALS_PER_USER = 1_000;

/** Goals from this date hold for every day; it sorts before every real date. */
export const ALWAYS = '0000-00-00' as Day;

/** The goals of `date`: the last ones that begin on it or before. `goals` is sorted by `from`. */
export function goalsOn(goals: readonly Goals[], date: Day): Goals | undefined {
  return goals.findLast(({ from }) => from <= date);
}

/** Goal minus total for each key with a goal; below 0 if more was eaten. */
export function remainingOf(goals: GoalAmounts, totals: Totals): GoalAmounts {
  const remaining: Partial<Record<AmountKey, Thousandths>> = {};
  for (const key of AMOUNT_KEYS) {
    if (goals[key] !== undefined) remaining[key] = (goals[key] - (totals[key] ?? 0)) as Thousandths;
  }
  return remaining;
}
