import type { Thousandths } from './thousandths.ts';

/**
 * What lies between an amount and its thousandths, in billionths of the unit: from -500,000 to 499,999. An amount is
 * kept as these two whole numbers, since their sums are exact in a double and in a database, also for a day of
 * `MAX_DAY_ENTRIES` entries of `MAX_AMOUNT`. In billionths alone such a day would not fit into 64 bits.
 */
export type Rest = number;

const BILLION = 1e9;
/** Billionths in a thousandth. */
const STEP = 1e6;
/**
 * Each entry is rounded to the billionth, so a sum of n entries may lie n/2 billionths below what it stands for. A sum
 * that lies so little below a half is the half.
 */
const MAX_DRIFT: Rest = 50;

/** `value` (finite, from 0 to `MAX_AMOUNT`) to the billionth. */
export function splitAmount(value: number): [Thousandths, Rest] {
  const billionths = Math.round(value * BILLION);
  const amount = Math.floor(billionths / STEP + 0.5);
  return [amount as Thousandths, billionths - amount * STEP];
}

/** The decimal number of both parts together. */
export function joinAmount(amount: Thousandths, rest: Rest = 0): number {
  return (amount * STEP + rest) / BILLION;
}

/** Sums of both parts, rounded once. */
export function roundSum(amounts: number, rests: Rest): Thousandths {
  return (amounts + Math.floor((rests + STEP / 2 + MAX_DRIFT) / STEP)) as Thousandths;
}
