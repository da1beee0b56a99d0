import { decimalText } from '../decimal-text.ts';
import type { Serving } from './food.ts';

/** Three decimals: a milligram of what is stated in grams. Finer digits are noise of the conversion. */
const STEPS_PER_UNIT = 1000;
/** Of a serving, in its own unit and in g or ml: less would be answered as nothing. */
export const MIN_SERVING_AMOUNT = 1 / STEPS_PER_UNIT;

/** The amount in one serving of what is stated per 100 g or ml. */
export function scaleToServing(per100: number, { basisAmount }: Serving): number {
  return round((per100 * basisAmount) / 100);
}

/** `scaleToServing` as it is written in JSON. */
export function scaledText(per100: number, { basisAmount }: Serving): string {
  return roundedText((per100 * basisAmount) / 100);
}

/** `round` as it is written in JSON; for what is not negative. */
export function roundedText(value: number): string {
  return decimalText(Math.round(value * STEPS_PER_UNIT));
}

/** A number that prints without binary noise: 0.3, never 0.30000000000000004. */
export function round(value: number): number {
  return Math.round(value * STEPS_PER_UNIT) / STEPS_PER_UNIT;
}
