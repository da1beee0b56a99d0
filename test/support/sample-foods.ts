import { type Food, type KnownProduct, type Origin, toFoodId } from '@larder/core/food.ts';
import { toGtin } from '@larder/core/gtin.ts';

/** A food with defaults for fields that a test does not state. */
export function sampleFood(origin: Origin, key: string, food: Partial<Omit<Food, 'id' | 'gtin'>> = {}): Food {
  return {
    id: toFoodId(origin, key),
    source: 'public_dataset',
    name: `Food ${key}`,
    aliases: [],
    basis: 'g',
    per100: { energy: 120, protein: 4.2, fat: 3.1, carbohydrates: 17.5 },
    servings: [{ value: 100, unit: 'g', basisAmount: 100 }],
    popularity: 0,
    createdAt: 1_700_000_000,
    updatedAt: 1_700_000_000,
    ...food,
    ...(food.barcode !== undefined && { gtin: toGtin(food.barcode) }),
  };
}

export function sampleProduct(
  origin: Origin,
  key: string,
  barcode: string,
  name = `Product ${key}`,
): KnownProduct {
  return { id: toFoodId(origin, key), name, barcode, gtin: toGtin(barcode) };
}
