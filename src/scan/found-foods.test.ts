import { expect, test } from 'vitest';
import { listedFoods } from '../../test/support/listed-foods.ts';
import { manualFood } from '../../test/support/manual-food.ts';
import { type Food, toFoodId } from '../catalogue/food.ts';
import type { FoodDirectoryPorts } from '../catalogue/live/food-directory.ts';
import { foundFoods } from './found-foods.ts';

const shippedBanana: Food = { ...manualFood({ name: 'Banana' }), id: toFoodId('starter', 'banana') };
const imported: Food = { ...manualFood({ name: 'Banana, raw' }), id: toFoodId('fdc', '1') };

function foodsOver(foods: readonly Food[], outside?: FoodDirectoryPorts['outside']) {
  return foundFoods({
    foods: listedFoods(foods, { outside }),
    viewer: { tenant: 'acme' },
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

test('a scanned UPC-E that nobody here knows is asked for as the UPC-A that it is short for', async () => {
  const asked: string[] = [];
  const find = async (gtins: readonly string[]) => {
    asked.push(...gtins);
    return imported;
  };
  const foods = foodsOver([], { find });
  expect(await foods.findByBarcode('04252614')).toEqual({ food: imported });
  expect(asked).toEqual(['00042100005264']);
});
