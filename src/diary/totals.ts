import type { Day, DayRange } from './day.ts';
import { daysOf } from './day.ts';
import { AMOUNT_KEYS, type AmountKey, type Amounts } from './entry.ts';
import { add, type Thousandths, toDecimal } from './thousandths.ts';

/** The sum of a day; what no entry knows counts as 0. */
export type Totals = Readonly<Record<AmountKey, Thousandths>>;

export interface DayTotals {
  readonly date: Day;
  readonly totals: Totals;
}

const ZERO = 0 as Thousandths;

const NO_TOTALS: Totals = {
  calories: ZERO,
  protein: ZERO,
  carbs: ZERO,
  fat: ZERO,
  fiber: ZERO,
  sodium: ZERO,
};

export function sumAmounts(entries: Iterable<{ readonly amounts: Partial<Amounts> }>): Totals {
  const sum = { ...NO_TOTALS };
  for (const { amounts } of entries) {
    for (const key of AMOUNT_KEYS) sum[key] = add(sum[key], amounts[key] ?? ZERO);
  }
  return sum;
}

/** One element for each day of the range: the days that have sums, and zeros for the others. */
export function fillDays(range: DayRange, sums: readonly DayTotals[]): DayTotals[] {
  const byDay = new Map(sums.map(({ date, totals }) => [date, totals]));
  return daysOf(range).map((date) => ({ date, totals: byDay.get(date) ?? NO_TOTALS }));
}

/** As clients see it. */
export function toDecimalTotals(totals: Totals): Record<AmountKey, number> {
  return {
    calories: toDecimal(totals.calories),
    protein: toDecimal(totals.protein),
    carbs: toDecimal(totals.carbs),
    fat: toDecimal(totals.fat),
    fiber: toDecimal(totals.fiber),
    sodium: toDecimal(totals.sodium),
  };
}
