import { parseFoods } from '@larder/text/parse/parse-foods.ts';
import { beforeAll, expect, test } from 'vitest';
import { compileFoods } from '../../../test/support/compiled-foods.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { readStarterFoods } from './starter-foods.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

const FOODS = [...readStarterFoods()].filter(({ barcode }) => barcode === undefined);

test('each name of several words, after an amount, is that food', () => {
  const wrong = FOODS.flatMap(({ name, aliases }) => [name, ...aliases])
    .filter((name) => /\s/.test(name))
    .filter((name) => {
      const [item, ...others] = parseFoods(`100 g ${name}`, { finder: catalogue });
      const names = [item?.food?.name ?? '', ...(item?.food?.aliases ?? [])].map((each) =>
        each.toLowerCase(),
      );
      return others.length > 0 || item?.basisAmount !== 100 || !names.includes(name.toLowerCase());
    });
  expect(wrong).toEqual([]);
});

test.each([
  ['White rice, dry', 'White rice, dry'],
  ['tuna, canned in oil', 'Tuna in oil'],
  ['pasta, dry', 'Pasta, dry'],
])('a name with a comma is that food, also in a list: %s', (said, name) => {
  const items = parseFoods(`100 g ${said}, 2 eggs`, { finder: catalogue });
  expect(items.map(({ food }) => food?.name)).toEqual([name, 'Egg']);
});
