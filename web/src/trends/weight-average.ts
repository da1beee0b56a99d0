import { type Day, daysBetween } from '../days.ts';

export interface DayValue {
  readonly day: Day;
  readonly value: number;
}

/**
 * The part of the way to a new value that the trend goes in a day. With a tenth a lasting change is half in the trend after a week,
 * and a day's water hardly (the moving average of John Walker, "The Hacker's Diet").
 */
const DAILY_SHARE = 0.1;

/** One value for each day that has any: the mean of its values. Days are ascending. */
export function byDay(values: readonly DayValue[]): readonly DayValue[] {
  return [...Map.groupBy(values, ({ day }) => day)]
    .map(([day, all]) => ({ day, value: all.reduce((sum, { value }) => sum + value, 0) / all.length }))
    .toSorted((a, b) => (a.day < b.day ? -1 : 1));
}

/**
 * The exponentially weighted moving average of values by day, `trend += (value - trend) × (1 - 0.9^days)`, where `days` are those
 * since the value before. It begins with the first value. After a gap a value counts as much as if each day of the gap had had it:
 * the longer nothing was measured, the less the old trend says.
 */
export function trendOf(values: readonly DayValue[]): readonly DayValue[] {
  const all: DayValue[] = [];
  for (const { day, value } of byDay(values)) {
    const before = all.at(-1);
    if (before === undefined) {
      all.push({ day, value });
      continue;
    }
    const share = 1 - (1 - DAILY_SHARE) ** daysBetween(before.day, day);
    all.push({ day, value: before.value + (value - before.value) * share });
  }
  return all;
}

/** How much the trend changes in a week, by the line between its first and its last day; undefined for less than a week. */
export function changeAWeek(trend: readonly DayValue[]): number | undefined {
  const [first, last] = [trend[0], trend.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const days = daysBetween(first.day, last.day);
  return days < 7 ? undefined : ((last.value - first.value) / days) * 7;
}
