import type { DatedTotals, DiaryEntry } from 'larder-client';
import type { Day } from '../days.ts';
import { amountOf, FIELD_NAMES, type Measure } from '../parts/nutrients.ts';

export interface Point {
  /** The day, or the first day of the month. */
  readonly day: Day;
  /** Undefined where nothing is known: such a point is left out, and never drawn as zero. */
  readonly value: number | undefined;
  /** Whether foods are among it that do not state it, so that the true amount is higher. */
  readonly isLow: boolean;
  readonly goal: number | undefined;
}

/** A point for each day; days without entries have no value. */
export function pointsOf(days: readonly DatedTotals[], measure: Measure): readonly Point[] {
  return days.map((totals) => {
    const { date: day, goals, unknown = [], nutrients } = totals;
    const amount = amountOf(totals, measure);
    const isLow = unknown.some((key) => key === measure);
    const isEmpty =
      FIELD_NAMES.every((key) => totals[key] === 0) &&
      Object.values(nutrients).every((each) => each === 0) &&
      unknown.length === 0;
    const isUnknown = amount === undefined || isEmpty || (amount === 0 && isLow);
    return {
      day,
      value: isUnknown ? undefined : amount,
      isLow: isLow && !isUnknown,
      goal: goals === undefined ? undefined : amountOf(goals, measure),
    };
  });
}

/** A point for each month: the average of its days with a value, and that of the goals of these days. */
export function monthly(points: readonly Point[]): readonly Point[] {
  const months = Map.groupBy(points, ({ day }) => day.slice(0, 7));
  return [...months].map(([month, days]) => ({
    day: `${month}-01`,
    value: averageOf(days)?.value,
    isLow: days.some(({ isLow }) => isLow),
    goal: averageGoal(days),
  }));
}

/** Goals of the days that have a value; those of all days if none has, since goals differ by weekday and date. */
function averageGoal(days: readonly Point[]): number | undefined {
  const known = days.filter(({ value }) => value !== undefined);
  const goals = (known.length > 0 ? known : days).flatMap(({ goal }) => goal ?? []);
  return goals.length === 0 ? undefined : goals.reduce((sum, goal) => sum + goal, 0) / goals.length;
}

export interface Average {
  readonly value: number;
  /** How many days have a value. */
  readonly days: number;
  /** On how many of them the true amount is higher. */
  readonly lowDays: number;
}

export function averageOf(points: readonly Point[]): Average | undefined {
  const known = points.filter(({ value }) => value !== undefined);
  if (known.length === 0) return undefined;
  return {
    value: known.reduce((sum, { value }) => sum + value!, 0) / known.length,
    days: known.length,
    lowDays: known.filter(({ isLow }) => isLow).length,
  };
}

/** How many foods state a measure. */
export function statedBy(entries: readonly DiaryEntry[], measure: Measure): number {
  return entries.filter(
    (entry) => amountOf(entry, measure) !== undefined && !entry.unknown?.some((each) => each === measure),
  ).length;
}
