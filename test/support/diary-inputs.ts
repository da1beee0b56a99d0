import { type Food, toFoodId } from '@larder/core/food.ts';
import type { EntryInput } from '../../src/diary/entry-input.ts';

export const DATE = '2026-03-29';

export const bread: Food = {
  id: toFoodId('fdc', '1'),
  source: 'public_dataset',
  name: 'Rye bread',
  aliases: [],
  barcode: '4006381333931',
  basis: 'g',
  per100: { energy: 259, protein: 8.5, carbohydrates: 48.3, fat: 3.3, fiber: 5.8, sodium: 603 },
  servings: [{ value: 1, unit: 'slice', basisAmount: 32, label: '1 slice (32 g)' }],
  popularity: 0,
  createdAt: 0,
  updatedAt: 0,
};

/** Typed by hand. */
export const soup: EntryInput = {
  date: DATE,
  mealType: 'lunch',
  foodName: 'Soup',
  calories: 250.1234,
  protein: 10.1,
  carbs: 0.2,
  fat: 0,
};
