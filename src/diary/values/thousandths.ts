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
