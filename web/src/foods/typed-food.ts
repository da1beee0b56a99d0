import { GRAMS, MILLILITERS } from '../amounts/sizes.ts';
import { numberOf } from '../amounts/typed-number.ts';
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
  /** What a serving in grams or milliliters is called, such as "bar". */
  readonly servingName: string;
  /** Whether the household sees it. */
  readonly isShared: boolean;
  /** In the unit for energy that is shown. */
  readonly energy: string;
  readonly nutrients: Partial<Record<FoodNutrient, string>>;
}

export function isMeasured(unit: string): boolean {
  return (MEASURED_UNITS as readonly string[]).includes(unit);
}

/** Whether the unit does not say what a serving weighs. */
export function needsWeight({ per, unit }: FoodFields): boolean {
  return per === 'serving' && !isMeasured(unit);
}

/** Grams or milliliters that the nutrients are of; undefined where they are not stated. */
export function measureOfBasis(fields: FoodFields): number | undefined {
  if (fields.per !== 'serving') return 100;
  const { quantity, unit, grams } = fields;
  const measure = needsWeight(fields)
    ? numberOf(grams)
    : numberOf(quantity) * (GRAMS[unit] ?? MILLILITERS[unit] ?? Number.NaN);
  return measure > 0 ? measure : undefined;
}

/** Whether the nutrients are of a volume. */
export function isVolume({ per, unit }: FoodFields): boolean {
  return per === '100ml' || (per === 'serving' && MILLILITERS[unit] !== undefined);
}
