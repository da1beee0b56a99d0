declare const thousandthsBrand: unique symbol;

/**
 * An amount as a whole number of thousandths of its unit (kcal, g or mg). Sums of them are exact, which sums of
 * decimal fractions in binary are not.
 */
export type Thousandths = number & { readonly [thousandthsBrand]: true };

/**
 * The largest amount of one entry: a tonne of a macronutrient. Nine million entries of it still sum exactly in a
 * double.
 */
export const MAX_AMOUNT = 1_000_000;

const SMALLEST_KEPT = 0.0005;
const DECIMALS = 3;
const DIGIT_FIVE = '5'.charCodeAt(0);

/**
 * Keeps three decimals of `value` (finite, from 0 to `MAX_AMOUNT`), rounding half up. What is rounded is the
 * number as it is written, so 1.0005 becomes 1.001 although the nearest double lies a little below it.
 */
export function toThousandths(value: number): Thousandths {
  // Below this the text could take the form 5e-7, which the lines below do not read.
  if (value < SMALLEST_KEPT) return 0 as Thousandths;
  const [whole, decimals = ''] = String(value).split('.');
  const kept = Number(whole + decimals.slice(0, DECIMALS).padEnd(DECIMALS, '0'));
  return (decimals.charCodeAt(DECIMALS) >= DIGIT_FIVE ? kept + 1 : kept) as Thousandths;
}

/** The decimal number that clients see: a whole number divided once, so that it prints as it was entered. */
export function toDecimal(amount: Thousandths): number {
  return amount / 1000;
}
