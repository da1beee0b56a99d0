import type { FoodNutrient } from '../parts/nutrients.ts';

/** Units that say themselves what a serving weighs; others need its weight. */
export const MEASURED_UNITS = ['g', 'ml', 'oz', 'fl_oz', 'cup', 'tbsp', 'tsp'] as const;
export const HOUSEHOLD_UNITS = ['piece', 'slice', 'portion', 'bar', 'bottle', 'can', 'package'] as const;
export const BASES = ['100g', '100ml', 'serving'] as const;

/** A food as it is typed. */
export interface FoodFields {
  readonly name: string;
  readonly brand: string;
  readonly barcode: string;
  /** The amount of the food to which the nutrients belong. */
  readonly per: (typeof BASES)[number];
  readonly quantity: string;
  readonly unit: string;
  readonly grams: string;
  readonly label: string;
  /** Whether the household sees it. */
  readonly isShared: boolean;
  /** In the unit for energy that is shown. */
  readonly energy: string;
  readonly nutrients: Partial<Record<FoodNutrient, string>>;
}

/** Whether the unit does not say what a serving weighs. */
export function needsWeight(fields: FoodFields): boolean {
  return fields.per === 'serving' && !(MEASURED_UNITS as readonly string[]).includes(fields.unit);
}
