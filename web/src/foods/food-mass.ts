import { numberOf } from '../amounts/typed-number.ts';
import { MACROS } from '../parts/nutrients.ts';
import { type FoodFields, isVolume, measureOfBasis } from './typed-food.ts';

/** The service allows for rounding on labels. */
const MAX_SHARE = 1.05;
const THOUSANDTHS = 1000;
/** A little more than pure fat has. */
const MAX_KCAL_PER_GRAM = 9.05;
/** Labels round the energy of a serving so far. */
const ROUNDING_KCAL = 5;

/** The most grams that the amounts can have together; undefined where no weight is stated. */
export function maxMassOf(fields: FoodFields): number | undefined {
  const grams = isVolume(fields) ? undefined : measureOfBasis(fields);
  return grams && Math.floor(grams * MAX_SHARE * THOUSANDTHS) / THOUSANDTHS;
}

/** The most kcal that the amounts can have; undefined where no size is stated. */
export function maxEnergyOf(fields: FoodFields): number | undefined {
  const measure = measureOfBasis(fields);
  return measure && Math.floor(measure * MAX_KCAL_PER_GRAM + ROUNDING_KCAL);
}

/** Whether protein, carbohydrates and fat together weigh more than the food. */
export function isTooHeavy(fields: FoodFields): boolean {
  const sum = MACROS.reduce((grams, key) => grams + (numberOf(fields.nutrients[key] ?? '') || 0), 0);
  return sum > (maxMassOf(fields) ?? Number.POSITIVE_INFINITY);
}
