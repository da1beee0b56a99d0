import type { Food } from 'larder-client';
import { usMeasureOf } from '../parts/measures.ts';
import { basisOf, type UnitChoice, unitChoices, wordsOf } from './food-amounts.ts';

/** The units that are offered for a food, US measures among them where those are chosen. */
export function unitsOf(food: Food): UnitChoice[] {
  return unitChoices(food, usMeasureOf(basisOf(food)) !== undefined);
}

/** The units of a food, and one that was used before, though the food may not list it. */
export function unitsWith(food: Food, unit: string): readonly UnitChoice[] {
  const units = unitsOf(food);
  return units.some(([each]) => each === unit) ? units : [...units, [unit, wordsOf(food, unit)]];
}
