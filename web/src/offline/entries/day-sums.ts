import type { DailyTotals, DiaryEntry, GoalAmounts, Goals } from 'larder-client';
import type { Day } from '../../days.ts';

const SUMS = ['calories', 'protein', 'carbs', 'fat', 'fiber', 'sodium'] as const;
type Sum = (typeof SUMS)[number];

/** The sums of a day by what this device knows. Amounts that an entry does not state count as 0 and make the sum incomplete. */
export function sumsOf(entries: readonly DiaryEntry[], goals: GoalAmounts | undefined): DailyTotals {
  const sums = Object.fromEntries(
    SUMS.map((key) => [key, round(entries.reduce((sum, entry) => sum + (entry[key] ?? 0), 0))]),
  ) as Record<Sum, number>;
  const incomplete = SUMS.filter((key) => entries.some((entry) => !states(entry, key)));
  return {
    ...sums,
    ...(incomplete.length > 0 && { incomplete }),
    ...(goals !== undefined && { goals }),
  };
}

/** The goals of a day: the last that begin on it or before. */
export function goalsOn(all: readonly Goals[] | undefined, day: Day): GoalAmounts | undefined {
  const found = all?.findLast(({ from = '' }) => from <= day);
  if (found === undefined) return undefined;
  const { from, ...amounts } = found;
  return amounts;
}

function states(entry: DiaryEntry, key: Sum): boolean {
  return entry[key] !== undefined && !(entry.unknown as readonly string[] | undefined)?.includes(key);
}

/** Amounts are exact to a thousandth; binary sums of them are not. */
function round(sum: number): number {
  return Math.round(sum * 1_000) / 1_000;
}
