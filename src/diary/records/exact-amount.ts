declare const thousandthsBrand: unique symbol;

/**
 * An amount as a whole number of thousandths of its unit (kcal, g or mg). Sums of them are exact, which sums of
 * decimal fractions in binary are not.
 */
export type Thousandths = number & { readonly [thousandthsBrand]: true };

/** Maximum amount of one entry: a tonne of a macronutrient. Nine million of them still sum exactly in a double. */
export const MAX_AMOUNT = 1_000_000;

const SMALLEST_KEPT = 0.0005;
const DECIMALS = 3;
const DIGIT_FIVE = '5'.charCodeAt(0);

/**
 * Rounds `value` (finite, from 0 to `MAX_AMOUNT`) to three decimals, half up, as it is written: 1.0005 becomes 1.001
 * although the nearest double is slightly below it.
 */
export function toThousandths(value: number): Thousandths {
  // Smaller numbers may print as 5e-7, which the code below does not parse.
  if (value < SMALLEST_KEPT) return 0 as Thousandths;
  const [whole, decimals = ''] = String(value).split('.');
  const kept = Number(whole + decimals.slice(0, DECIMALS).padEnd(DECIMALS, '0'));
  return (decimals.charCodeAt(DECIMALS) >= DIGIT_FIVE ? kept + 1 : kept) as Thousandths;
}

/** The decimal number for clients: one division of a whole number, so that it prints as entered. */
export function toDecimal(amount: Thousandths): number {
  return amount / 1000;
}

/**
 * The difference between an amount and its thousandths, in billionths of the unit: from -500,000 to 499,999. Sums of
 * these two whole numbers are exact in a double and in a database, also for a day of `MAX_DAY_ENTRIES` entries of
 * `MAX_AMOUNT`. Billionths alone would not fit into 64 bits.
 */
export type Rest = number;

const BILLION = 1e9;
/** Billionths in a thousandth. */
export const BILLIONTHS_PER_THOUSANDTH = 1e6;

/** Splits `value` (finite, from 0 to `MAX_AMOUNT`), rounded to a billionth. */
export function splitAmount(value: number): [Thousandths, Rest] {
  return splitBillionths(Math.round(value * BILLION));
}

export function splitBillionths(billionths: number): [Thousandths, Rest] {
  const amount = wholeOf(billionths);
  return [amount, billionths - amount * BILLIONTHS_PER_THOUSANDTH];
}

/** Joins both parts to one whole number of billionths, which fits into a double. */
export function toBillionths(amount: Thousandths, rest: Rest = 0): number {
  return amount * BILLIONTHS_PER_THOUSANDTH + rest;
}

/** The part in thousandths. */
export function wholeOf(billionths: number): Thousandths {
  return Math.floor(billionths / BILLIONTHS_PER_THOUSANDTH + 0.5) as Thousandths;
}

/** Joins both parts to a decimal number. */
export function joinAmount(amount: Thousandths, rest: Rest = 0): number {
  return toBillionths(amount, rest) / BILLION;
}

/**
 * Joins the sums of both parts, rounded once. Each of the `count` amounts was rounded to a billionth, so their sum may
 * be half as many billionths too low: a sum that lies so little below a half counts as the half.
 */
export function roundSum(amounts: number, rests: Rest, count: number): Thousandths {
  const half = (BILLIONTHS_PER_THOUSANDTH + count) / 2;
  return (amounts + Math.floor((rests + half) / BILLIONTHS_PER_THOUSANDTH)) as Thousandths;
}
