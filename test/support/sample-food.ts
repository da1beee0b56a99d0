import { type Food, toFoodId } from '../../src/catalogue/food.ts';

/** A complete food of which a test says only what matters to it. */
export function sampleFood(more: Partial<Food> & { readonly key?: string } = {}): Food {
  const { key = 'sample', ...rest } = more;
  return {
    id: toFoodId('manual', key),
    source: 'manual_entry',
    name: 'Plum jam',
    aliases: [],
    basis: 'g',
    per100: { energy: 240, protein: 0.4, fat: 0.1, carbohydrates: 60 },
    servings: [{ value: 20, unit: 'g', basisAmount: 20 }],
    popularity: 100,
    createdAt: 1_700_000_000,
    updatedAt: 1_700_000_000,
    ...rest,
  };
}
