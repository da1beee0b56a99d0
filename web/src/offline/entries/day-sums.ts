import type { DailyTotals, GoalAmounts, Goals } from 'larder-client';
import { type Day, type Weekday, weekdayOf } from '../../days.ts';
import {
  type Amounts,
  amountOf,
  DIARY_NUTRIENTS,
  FIELD_NAMES,
  type Field,
  type Measure,
  nutrientOf,
} from '../../parts/nutrients.ts';

const MEASURES = [...new Set([...FIELD_NAMES, ...Object.keys(DIARY_NUTRIENTS)])] as readonly Measure[];

/** What has amounts: an entry, or an ingredient of a recipe. */
export type Summand = Amounts & { readonly unknown?: readonly string[] | undefined };

/** The page has the entries themselves. */
export type DaySums = Omit<DailyTotals, 'entries'>;

/**
 * The sums of entries or ingredients by what this device knows. Amounts that one does not state count as 0, and their sum is named in
 * `unknown`; what none states has no sum beyond the six that every day has.
 */
export function sumsOf(items: readonly Summand[], goals?: GoalAmounts): DaySums {
  const isField = (key: Measure) => (FIELD_NAMES as readonly string[]).includes(key);
  const isKnown = (key: Measure) => items.some((item) => states(item, key));
  const known = MEASURES.filter((key) => (isField(key) && items.length === 0) || isKnown(key));
  const sums = new Map(known.map((key) => [key, sumOf(items.map((item) => amountOf(item, key)))]));
  const unknown = MEASURES.filter(
    (key) => (isField(key) || sums.has(key)) && items.some((item) => !states(item, key)),
  );
  return {
    ...(Object.fromEntries(FIELD_NAMES.map((key) => [key, sums.get(key) ?? 0])) as Record<Field, number>),
    nutrients: Object.fromEntries([...sums].map(([key, sum]) => [nutrientOf(key), sum])),
    ...(unknown.length > 0 && { unknown }),
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

function states(item: Summand, key: Measure): boolean {
  return amountOf(item, key) !== undefined && item.unknown?.includes(key) !== true;
}

/** Amounts are exact to a thousandth; binary sums of them are not. */
function sumOf(amounts: readonly (number | undefined)[]): number {
  return amounts.reduce<number>((sum, amount = 0) => sum + Math.round(amount * 1_000), 0) / 1_000;
}
