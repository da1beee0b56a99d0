import { AMOUNT_KEYS, type AmountKey } from './entry.ts';
import type { Totals } from './totals.ts';
import type { Day } from './values/day.ts';
import { type Thousandths, toDecimal } from './values/thousandths.ts';

/** A user's goals for a day; absent keys have none. */
export type GoalAmounts = Readonly<Partial<Record<AmountKey, Thousandths>>>;

/** Goals hold from their date until the next ones. */
export interface Goals {
  readonly from: Day;
  readonly amounts: GoalAmounts;
}

export const MAX_GOALS_PER_USER = 1_000;

/** Goals from this date hold for every day; it sorts before every real date. */
export const ALWAYS = '0000-00-00' as Day;

/** The goals that hold on `date`: the last that began on it or before. `goals` is sorted by `from`. */
export function goalsOn(goals: readonly Goals[], date: Day): Goals | undefined {
  return goals.findLast(({ from }) => from <= date);
}

/** Goal minus total for each key with a goal; below 0 if more was eaten. */
export function remainingOf(goals: GoalAmounts, totals: Totals): Partial<Record<AmountKey, number>> {
  return decimalGoals(goals, (key, goal) => (goal - totals[key]) as Thousandths);
}

export function toDecimalGoals(goals: GoalAmounts): Partial<Record<AmountKey, number>> {
  return decimalGoals(goals, (_, goal) => goal);
}

function decimalGoals(
  goals: GoalAmounts,
  take: (key: AmountKey, goal: Thousandths) => Thousandths,
): Partial<Record<AmountKey, number>> {
  const decimal: Partial<Record<AmountKey, number>> = {};
  for (const key of AMOUNT_KEYS) {
    const goal = goals[key];
    if (goal !== undefined) decimal[key] = toDecimal(take(key, goal));
  }
  return decimal;
}
