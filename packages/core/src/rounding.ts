import type { Food, Serving, StatedNutrients } from './food.ts';
import { NUTRIENT_KEYS, type NutrientKey, type Nutrients, REQUIRED_NUTRIENTS } from './nutrients.ts';

/**
 * Removes floating-point noise and false precision: keeps 3 decimals or 5 significant digits, whichever keeps more.
 * 28.000000000000004 -> 28, 0.00999999977 -> 0.01. Whole numbers are divided by powers of ten, which gives the float
 * nearest to the decimal.
 */
export function tidyNumber(value: number): number {
  const thousandths = Math.round(value * 1_000) / 1_000;
  if (thousandths === value) return value;
  const size = Math.abs(value);
  if (size >= 10) return thousandths;
  let scale = 10_000;
  for (let limit = 1; size < limit && scale < MAX_SCALE; limit /= 10) scale *= 10;
  return Math.round(value * scale) / scale;
}

/** The finest step; labels state no smaller amounts. */
const MAX_SCALE = 1e9;

/** Three decimals: a milligram of a value in grams. Finer digits are conversion noise. */
const STEPS_PER_UNIT = 1000;
/** Minimum of a serving, in its unit and in g or ml; less would be returned as 0. */
export const MIN_SERVING_AMOUNT = 1 / STEPS_PER_UNIT;

/** The amount in one serving of a value per 100 g or ml. */
export function scaleToServing(per100: number, { basisAmount }: Serving): number {
  return round((per100 * basisAmount) / 100);
}

const OPTIONAL_KEYS = NUTRIENT_KEYS.slice(REQUIRED_NUTRIENTS.length);

/**
 * Converts stated amounts to 100 g or ml, without rounding. Speed matters: it determines how long reading a record
 * takes.
 */
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

/** The amount in the first serving; undefined if unknown. */
export function servedAmount(
  { per100, stated, servings, source }: Food,
  key: NutrientKey,
): number | undefined {
  const [{ basisAmount }] = servings;
  if (stated === undefined || stated.amount !== basisAmount) {
    const amount = per100[key];
    return amount === undefined ? undefined : round((amount * basisAmount) / 100);
  }
  const amount = stated.nutrients[key];
  return amount === undefined ? undefined : statedAmount(amount, source);
}

/** A number of a food as in responses; values entered by people are returned unchanged. */
export function statedAmount(value: number, source: Food['source']): number {
  return source === 'manual_entry' ? value : round(value);
}

/** Removes binary noise: 0.30000000000000004 becomes 0.3. */
export function round(value: number): number {
  return Math.round(value * STEPS_PER_UNIT) / STEPS_PER_UNIT;
}
