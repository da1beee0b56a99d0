import { expect, test } from 'vitest';
import { manualFood } from '../../test/support/manual-food.ts';
import { type Food, toFoodId } from '../catalogue/food.ts';
import type { FoodFinder } from '../catalogue/food-finder.ts';
import { foundFoods } from './found-foods.ts';

const shippedBanana: Food = { ...manualFood({ name: 'Banana' }), id: toFoodId('starter', 'banana') };
const imported: Food = { ...manualFood({ name: 'Banana, raw' }), id: toFoodId('fdc', '1') };

function foodsOver(foods: readonly Food[]) {
  const finder: FoodFinder = {
    findById: (id) => foods.find((food) => food.id === id),
    findByBarcode: () => undefined,
    search: () => foods,
  };
  return foundFoods({
    finder: () => finder,
    askOutside: async () => undefined,
    shipped: (id) => (id === shippedBanana.id ? shippedBanana : undefined),
  });
}

test('a shipped food is the catalogue’s own, else its food of that name, else itself', async () => {
  const idIn = async (foods: readonly Food[]) => (await foodsOver(foods).findById('starter:banana'))?.id;
  expect(await idIn([imported, shippedBanana])).toBe('starter:banana');
  expect(await idIn([imported])).toBe('fdc:1');
  expect(await idIn([])).toBe('starter:banana');
});

test('what nobody ships and the catalogue lacks is not found', async () => {
  expect(await foodsOver([imported]).findById('starter:none')).toBeUndefined();
});
