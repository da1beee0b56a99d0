import { AMOUNT_KEYS, type AmountKey, type Amounts, type Rests } from './entry.ts';
import type { Day, DayRange } from './values/day.ts';
import { daysOf } from './values/day.ts';
import { joinAmount, roundSum } from './values/exact-amount.ts';
import { type Thousandths, toDecimal } from './values/thousandths.ts';

/** The sum of a day; unknown values count as 0. */
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

/** Exact sums of both parts of amounts. */
export interface ExactSums {
  readonly amounts: Readonly<Record<AmountKey, number>>;
  readonly rests: Readonly<Record<AmountKey, number>>;
}

export function sumAmounts(
  items: Iterable<{ readonly amounts: Partial<Amounts>; readonly rests?: Rests }>,
): ExactSums {
  const amounts: Record<AmountKey, number> = { ...NO_TOTALS };
  const rests: Record<AmountKey, number> = { ...NO_TOTALS };
  for (const item of items) {
    for (const key of AMOUNT_KEYS) {
      amounts[key] += item.amounts[key] ?? 0;
      rests[key] += item.rests?.[key] ?? 0;
    }
  }
  return { amounts, rests };
}

/** Exact sums, rounded once. */
export function toTotals({ amounts, rests }: ExactSums): Totals {
  return mapAmounts((key) => roundSum(amounts[key], rests[key]));
}

/** Exact sums as unrounded decimal numbers. */
export function toUnrounded({ amounts, rests }: ExactSums): Readonly<Record<AmountKey, number>> {
  return mapAmounts((key) => joinAmount(amounts[key] as Thousandths, rests[key]));
}

/** One element for each date of the range, with zeros for dates without sums. */
export function fillDays(range: DayRange, sums: readonly DayTotals[]): DayTotals[] {
  if (range.from === range.to) return [sums[0] ?? { date: range.from, totals: NO_TOTALS }];
  const byDay = new Map(sums.map(({ date, totals }) => [date, totals]));
  return daysOf(range).map((date) => ({ date, totals: byDay.get(date) ?? NO_TOTALS }));
}

/** In the form for clients. */
export function toDecimalTotals(totals: Totals): Record<AmountKey, number> {
  return mapAmounts((key) => toDecimal(totals[key]));
}

function mapAmounts<T extends number>(amountOf: (key: AmountKey) => T): Record<AmountKey, T> {
  return {
    calories: amountOf('calories'),
    protein: amountOf('protein'),
    carbs: amountOf('carbs'),
    fat: amountOf('fat'),
    fiber: amountOf('fiber'),
    sodium: amountOf('sodium'),
  };
}
