import { checkDigit, type Gtin, hasValidCheckDigit, toGtin } from '../gtin.ts';
import type { ScannedFacts } from '../scanned-facts.ts';

/**
 * Labels of a shop's scale: restricted circulation numbers that hold a weight or a price. Stores choose the layout; these
 * are common:
 *
 *     02 or 2x | item, 5 | measure, 5                | check
 *     2x       | item, 4 | verifier, 1 | measure, 5  | check
 *     02       | item, 5 | verifier, 1 | measure, 4  | check     (North America)
 *
 * Source: GS1 General Specifications, "Variable measure trade items scanned at retail point-of-sale" (restricted
 * circulation numbers) and "Check digit calculation for price/weight fields".
 */
const SCALE_LABEL = /^0(?:02|2\d)/;
/** Digits before the check digit that hold the measure, with and without a verifier before them. */
const MEASURE_DIGITS = 5;
const VERIFIED_DIGITS = 6;
/** Digits before the check digit of a number of 14 digits. */
const BODY_DIGITS = 13;

function isScaleLabel(gtin: Gtin): boolean {
  return SCALE_LABEL.test(gtin) && hasValidCheckDigit(gtin);
}

/** The item of a scale's label, as catalogues store it: with the measure zeroed and a new check digit. */
export function withoutMeasure(gtin: Gtin): Gtin[] {
  if (!isScaleLabel(gtin)) return [];
  return [zeroed(gtin, MEASURE_DIGITS), zeroed(gtin, VERIFIED_DIGITS)];
}

/**
 * Numbers that all labels of one item have in common, the most certain first; none for other codes. The verifier depends on
 * the measure, so it is left out where it holds: by chance it does for one in ten labels without one.
 */
export function itemKeysOf(gtin: Gtin): readonly string[] {
  if (!isScaleLabel(gtin)) return [];
  const item = gtin.slice(0, BODY_DIGITS - MEASURE_DIGITS);
  const verifier = item.at(-1);
  const isVerified = verifier === verifierOf(measureOf(gtin));
  return isVerified ? [item, `${item.slice(0, -1)}v`] : [item];
}

/** Returns the possible meanings of the measure; undefined without one. A label does not state whether it is grams or cents. */
export function measureFacts(gtin: Gtin): Pick<ScannedFacts, 'amount' | 'price'> | undefined {
  if (!isScaleLabel(gtin)) return undefined;
  const digits = measureOf(gtin);
  const isNorthAmerican = gtin.startsWith('002') && digits[0] === verifierOf(digits.slice(1));
  const measure = Number(isNorthAmerican ? digits.slice(1) : digits);
  if (measure === 0) return undefined;
  return {
    amount: { quantity: measure, unit: 'g', assumed: true },
    price: { value: measure / 100, assumed: true },
  };
}

function measureOf(gtin: Gtin): string {
  return gtin.slice(BODY_DIGITS - MEASURE_DIGITS, BODY_DIGITS);
}

function zeroed(gtin: Gtin, digits: number): Gtin {
  const body = gtin.slice(0, BODY_DIGITS - digits) + '0'.repeat(digits);
  return toGtin(body + checkDigit(body));
}

/** Weighting factors of the standard: what a digit counts at its position. */
const TWO_MINUS = [0, 2, 4, 6, 8, 9, 1, 3, 5, 7];
const THREE = [0, 3, 6, 9, 2, 5, 8, 1, 4, 7];
const FIVE_PLUS = [0, 5, 1, 6, 2, 7, 3, 8, 4, 9];
const FIVE_MINUS = [0, 5, 9, 4, 8, 3, 7, 2, 6, 1];
const WEIGHTS: ReadonlyMap<number, readonly (readonly number[])[]> = new Map([
  [4, [TWO_MINUS, TWO_MINUS, THREE, FIVE_MINUS]],
  [5, [FIVE_PLUS, TWO_MINUS, FIVE_MINUS, FIVE_PLUS, TWO_MINUS]],
]);

/** The check digit for a price or weight of four or five digits. */
function verifierOf(digits: string): string {
  const weights = WEIGHTS.get(digits.length)!;
  const sum = weights.reduce((total, weight, at) => total + weight[Number(digits[at])]!, 0);
  if (digits.length === 4) return String((sum * 3) % 10);
  return String(FIVE_MINUS.indexOf((10 - (sum % 10)) % 10));
}
