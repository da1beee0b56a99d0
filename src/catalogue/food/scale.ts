import { decimalText } from './decimal-text.ts';
import type { Food, Serving, StatedNutrients } from './food.ts';
import { NUTRIENT_KEYS, type NutrientKey, type Nutrients, REQUIRED_NUTRIENTS } from './nutrients.ts';

/** Three decimals: a milligram of what is stated in grams. Finer digits are noise of the conversion. */
const STEPS_PER_UNIT = 1000;
/** Of a serving, in its own unit and in g or ml: less would be answered as nothing. */
export const MIN_SERVING_AMOUNT = 1 / STEPS_PER_UNIT;

/** The amount in one serving of what is stated per 100 g or ml. */
export function scaleToServing(per100: number, { basisAmount }: Serving): number {
  return round((per100 * basisAmount) / 100);
}

const OPTIONAL_KEYS = NUTRIENT_KEYS.slice(REQUIRED_NUTRIENTS.length);

/** What 100 g or ml hold of what is stated for another amount, not rounded. Reading a record takes as long as this does. */
export function toPer100({ amount, nutrients }: StatedNutrients): Nutrients {
  const per100: Nutrients = {
    energy: (nutrients.energy * 100) / amount,
    protein: (nutrients.protein * 100) / amount,
    fat: (nutrients.fat * 100) / amount,
    carbohydrates: (nutrients.carbohydrates * 100) / amount,
  };
  for (const key of OPTIONAL_KEYS) {
    const value = nutrients[key];
    if (value !== undefined) per100[key] = (value * 100) / amount;
  }
  return per100;
}

/** The amount in the first serving as it is written in JSON; undefined where it is not known. */
export function servedText({ per100, stated, servings, source }: Food, key: NutrientKey): string | undefined {
  const [{ basisAmount }] = servings;
  if (stated === undefined || stated.amount !== basisAmount) {
    const amount = per100[key];
    return amount === undefined ? undefined : roundedText((amount * basisAmount) / 100);
  }
  const amount = stated.nutrients[key];
  return amount === undefined ? undefined : statedText(amount, source);
}

/** A number of a food as it is written in JSON: what a person entered is answered as it was entered. */
export function statedText(value: number, source: Food['source']): string {
  return source === 'manual_entry' ? String(value) : roundedText(value);
}

/** `round` as it is written in JSON; for what is not negative. */
export function roundedText(value: number): string {
  return decimalText(Math.round(value * STEPS_PER_UNIT));
}

/** A number that prints without binary noise: 0.3, never 0.30000000000000004. */
export function round(value: number): number {
  return Math.round(value * STEPS_PER_UNIT) / STEPS_PER_UNIT;
}
