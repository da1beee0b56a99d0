declare const gtinBrand: unique symbol;

/** A trade item number as 14 digits, zero-padded: GTIN-8, UPC-A, EAN-13 and GTIN-14 in one key space. */
export type Gtin = string & { readonly [gtinBrand]: true };

export const GTIN_DIGITS = 14;

/**
 * The key of a code of 1 to 14 digits. Padding on the left keeps every two different numbers apart, so no
 * products are merged by it; a wrong check digit is kept as it is.
 */
export function toGtin(digits: string): Gtin {
  if (!/^\d{1,14}$/.test(digits))
    throw new RangeError(`not 1 to ${GTIN_DIGITS} digits: ${digits.slice(0, 40)}`);
  return digits.padStart(GTIN_DIGITS, '0') as Gtin;
}

/**
 * The check digit of `digits`, which lack it. Weights are 3 and 1 by turns, beginning with 3 at the right, so a
 * number has the same check digit in every length it is padded to.
 * Source: GS1 General Specifications, "Standard check digit calculations for GS1 data structures".
 */
export function checkDigit(digits: string): string {
  let sum = 0;
  let weight = 3;
  for (let at = digits.length - 1; at >= 0; at--) {
    sum += (digits.charCodeAt(at) - ZERO) * weight;
    weight = 4 - weight;
  }
  return String((10 - (sum % 10)) % 10);
}

export function hasValidCheckDigit(gtin: Gtin): boolean {
  return checkDigit(gtin.slice(0, -1)) === gtin[GTIN_DIGITS - 1];
}

const ZERO = '0'.charCodeAt(0);
