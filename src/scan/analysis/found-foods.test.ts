import { parseBarcode } from '@larder/core/codes/scanned-code.ts';
import { type Food, toFoodId } from '@larder/core/food.ts';
import { expect, test } from 'vitest';
import { customFood } from '../../../test/support/custom-food.ts';
import { listedFoods } from '../../../test/support/listed-foods.ts';
import { openCustomFoods } from '../../../test/support/open-custom-foods.ts';
import type { FoodViewer } from '../../foods/custom/food-owner.ts';
import type { FoodDirectoryOptions } from '../../foods/visible-foods.ts';
import { foundFoods } from './scan-foods.ts';

const shippedBanana: Food = { ...customFood({ name: 'Banana' }), id: toFoodId('starter', 'banana') };
const imported: Food = { ...customFood({ name: 'Banana, raw' }), id: toFoodId('fdc', '1') };

function foodsOver(foods: readonly Food[], externalLookup?: FoodDirectoryOptions['externalLookup']) {
  return foundFoods({
    foods: listedFoods(foods, { externalLookup }),
    viewer: { tenant: 'acme' },
    shipped: (id) => (id === shippedBanana.id ? shippedBanana : undefined),
  });
}

test('a shipped food is found in the catalogue by id, then by name, else in the shipped table', async () => {
  const idIn = async (foods: readonly Food[]) => (await foodsOver(foods).findById('starter:banana'))?.id;
  expect(await idIn([imported, shippedBanana])).toBe('starter:banana');
  expect(await idIn([imported])).toBe('fdc:1');
  expect(await idIn([])).toBe('starter:banana');
});

test('an id that neither the catalogue nor the shipped table has is not found', async () => {
  expect(await foodsOver([imported]).findById('starter:none')).toBeUndefined();
});

test('a user’s custom foods are found by that user’s scans only', async () => {
  const jam: Food = { ...customFood({ name: 'Plum jam', barcode: '4006381333931' }), userId: 'ann' };
  const row = { tenant: 'acme', id: jam.id, revision: 1, version: 1, food: jam };
  const customFoods = openCustomFoods({
    store: {
      changesAfter: async () => [row],
      latestRevisions: async () => new Map([['acme', 1]]),
      list: async (tenant, after) => (tenant === 'acme' && after === '' ? [row] : []),
    },
  });
  const foods = listedFoods([], { customFoods });
  const findAs = async (viewer: FoodViewer) => {
    const seen = foundFoods({ foods, viewer, shipped: () => undefined });
    return [
      await seen.findByBarcode(parseBarcode('4006381333931')),
      await seen.findById(jam.id),
      ...(await seen.search('jam', 5)),
    ];
  };
  expect(await findAs({ tenant: 'acme', userId: 'ann' })).toEqual([{ food: jam }, jam, jam]);
  for (const viewer of [
    { tenant: 'acme', userId: 'bob' },
    { tenant: 'acme' },
    { tenant: 'other', userId: 'ann' },
  ]) {
    expect(await findAs(viewer)).toEqual([undefined, undefined]);
  }
});

test('an unknown UPC-E is looked up externally as the UPC-A that it abbreviates', async () => {
  const asked: string[] = [];
  const find = async (_tenant: string, gtins: readonly string[]) => {
    asked.push(...gtins);
    return imported;
  };
  const foods = foodsOver([], { find });
  expect(await foods.findByBarcode(parseBarcode('04252614'))).toEqual({ food: imported });
  expect(asked).toEqual(['00042100005264']);
});
