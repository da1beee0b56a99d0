import { MACROS } from '../parts/nutrients.ts';
import { type FoodFields, needsWeight } from './typed-food.ts';

/** The service allows for rounding on labels. */
const MAX_SHARE = 1.05;
const THOUSANDTHS = 1000;

/** The most grams that the amounts can have together; undefined where no weight is stated. */
export function maxMassOf(fields: FoodFields): number | undefined {
  const { per, quantity, unit, grams } = fields;
  const stated = per === '100g' ? 100 : Number(needsWeight(fields) ? grams : unit === 'g' ? quantity : 0);
  if (per === '100ml' || !(stated > 0)) return undefined;
  return Math.floor(stated * MAX_SHARE * THOUSANDTHS) / THOUSANDTHS;
}

/** Whether protein, carbohydrates and fat together weigh more than the food. */
export function isTooHeavy(fields: FoodFields): boolean {
  const sum = MACROS.reduce((grams, key) => grams + Number(fields.nutrients[key] ?? 0), 0);
  return sum > (maxMassOf(fields) ?? Number.POSITIVE_INFINITY);
}
