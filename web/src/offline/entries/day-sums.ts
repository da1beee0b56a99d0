import type { DailyTotals, DiaryEntry, GoalAmounts, Goals } from 'larder-client';
import { type Day, type Weekday, weekdayOf } from '../../days.ts';

const SUMS = ['calories', 'protein', 'carbs', 'fat', 'fiber', 'sodium'] as const;

/** What has amounts: an entry, or an ingredient of a recipe. */
export type Summand = Pick<Partial<DiaryEntry>, (typeof SUMS)[number] | 'nutrients'> & {
  readonly unknown?: readonly string[] | undefined;
  readonly incomplete?: readonly string[] | undefined;
};

/**
 * The sums of entries or ingredients by what this device knows. Amounts that one does not state count as 0 and make the sum
 * incomplete; what none states has no sum beyond the six that every day has.
 */
export function sumsOf(items: readonly Summand[], goals?: GoalAmounts): DailyTotals {
  const further = [...new Set(items.flatMap(({ nutrients = {} }) => Object.keys(nutrients)))];
  const keys = [...SUMS, ...further];
  const sums = Object.fromEntries(keys.map((key) => [key, sumOf(items.map((item) => amountOf(item, key)))]));
  const incomplete = keys.filter((key) => items.some((item) => !states(item, key)));
  return {
    ...(Object.fromEntries(SUMS.map((key) => [key, sums[key]])) as Pick<DailyTotals, (typeof SUMS)[number]>),
    ...(further.length > 0 && { nutrients: Object.fromEntries(further.map((key) => [key, sums[key]])) }),
    ...(incomplete.length > 0 && { incomplete: incomplete as NonNullable<DailyTotals['incomplete']> }),
    ...(goals !== undefined && { goals }),
  };
}

/** The goals that were stated for a day: the last that begin on it or before. */
export function statedOn(all: readonly Goals[] | undefined, day: Day): Goals | undefined {
  return all?.findLast(({ from = '' }) => from <= day);
}

/** The goals that hold on a day, those of its weekday included. */
export function goalsOn(all: readonly Goals[] | undefined, day: Day): GoalAmounts | undefined {
  const stated = statedOn(all, day);
  return stated && amountsOn(stated, weekdayOf(day));
}

/** The goals that hold on a weekday: its own, and those of every day that it does not replace. */
export function amountsOn({ from, version, weekdays, ...everyDay }: Goals, weekday: Weekday): GoalAmounts {
  const own = weekdays?.[weekday];
  const nutrients = { ...everyDay.nutrients, ...own?.nutrients };
  return { ...everyDay, ...own, ...(Object.keys(nutrients).length > 0 && { nutrients }) };
}

function amountOf(item: Summand, key: string): number | undefined {
  return (SUMS as readonly string[]).includes(key)
    ? item[key as 'protein']
    : item.nutrients?.[key as keyof NonNullable<Summand['nutrients']>];
}

function states(item: Summand, key: string): boolean {
  const { unknown, incomplete } = item;
  return amountOf(item, key) !== undefined && !unknown?.includes(key) && !incomplete?.includes(key);
}

/** Amounts are exact to a thousandth; binary sums of them are not. */
function sumOf(amounts: readonly (number | undefined)[]): number {
  return amounts.reduce<number>((sum, amount = 0) => sum + Math.round(amount * 1_000), 0) / 1_000;
}
