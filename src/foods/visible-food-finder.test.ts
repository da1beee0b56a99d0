import type { Food } from '@larder/core/food.ts';
import { beforeAll, expect, test } from 'vitest';
import { compileFoods } from '../../test/support/compiled-foods.ts';
import { customFood } from '../../test/support/custom-food.ts';
import { BackgroundWork } from '../base/background-work.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import { CustomFoods } from './custom/custom-foods.ts';
import { readStarterFoods } from './starter/starter-foods.ts';
import { VisibleFoodFinder } from './visible-foods.ts';

const QUERIES = [
  'chocolate bar',
  'choclate bar',
  'choc',
  'oat milk',
  'oatmilk',
  'mlik',
  'ba',
  'bar',
  'jam',
  'plum jm',
];

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

/** Written in batches of these sizes, so that there are several indexes. */
async function inBatches(foods: readonly Food[], batches: readonly number[]): Promise<CustomFoods> {
  const custom = new CustomFoods();
  let at = 0;
  for (const size of batches) {
    for (const food of foods.slice(at, at + size)) custom.put(food, 1);
    await custom.whenIndexed({
      work: new BackgroundWork({ nowMs: () => 0 }),
      onError: (cause) => expect.unreachable(String(cause)),
    });
    at += size;
  }
  return custom;
}

/**
 * Copies of one food, foods with equal scores and longer names before shorter ones, and some with an
 * additional word.
 */
function customFoods(): Food[] {
  const copies = Array.from({ length: 30 }, (_, at) =>
    customFood({ key: `copy${at}`, name: 'Milk chocolate bar' }),
  );
  const alike = Array.from({ length: 30 }, (_, at) =>
    customFood({ key: `alike${at}`, name: `Chocolate bar ${'x'.repeat(30 - at)}` }),
  );
  const others = Array.from({ length: 30 }, (_, at) =>
    customFood({ key: `other${at}`, name: `Oat milk jam ${at} barista bar`, popularity: at }),
  );
  return [...copies, ...alike, ...others];
}

test('a shorter result is the beginning of a longer one, over the catalogue and several indexes of custom and external foods', async () => {
  const foods = customFoods();
  const ofTenant = await inBatches(foods, [72, 10, 1, 1]);
  const external = await inBatches(
    [...readStarterFoods()]
      .slice(0, 40)
      .map((food, at) => ({ ...food, id: customFood({ key: `s${at}` }).id })),
    [33, 7],
  );
  const finder = new VisibleFoodFinder({ ofUser: new CustomFoods(), ofTenant, external, catalogue });
  for (const query of QUERIES) {
    const many = finder.search(query, 100).map(({ id }) => id);
    for (const limit of [1, 3, 9, 20]) {
      const few = finder.search(query, limit).map(({ id }) => id);
      expect(few, `${limit} for "${query}"`).toEqual(many.slice(0, limit));
    }
  }
});

test('copies of a custom food do not precede foods with other names', async () => {
  const copies = Array.from({ length: 30 }, (_, at) => customFood({ key: `${at}`, name: 'Chocolate bar' }));
  const others = Array.from({ length: 10 }, (_, at) =>
    customFood({ key: `other${at}`, name: `Salted almond chocolate bar number ${at}` }),
  );
  const foods = [...copies, ...others];
  const found = (await inBatches(foods, [foods.length])).search('chocolate bar', 20);
  expect(found).toHaveLength(20);
  expect(new Set(found.slice(0, 11).map(({ food }) => food.name)).size).toBe(11);
});
