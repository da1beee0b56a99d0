import { beforeAll, expect, test } from 'vitest';
import type { Catalogue } from '../../../../../src/foods/catalogue/catalogue.ts';
import { readStarterFoods } from '../../../../../src/foods/starter/starter-foods.ts';
import { compileFoods } from '../../../../../test/support/compiled-foods.ts';
import { parseFoods } from '../parse-foods.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

const read = (text: string) =>
  parseFoods(text, { finder: catalogue }).map(({ food, basisAmount }) => [
    food?.name,
    Math.round(10 * basisAmount!) / 10,
  ]);

test.each([
  ['3 Knoblauchzehen', [['Garlic', 9]]],
  ['1 kleine Knoblauchzehe, gepresst', [['Garlic', 3]]],
  ['2 Selleriestangen', [['Celery', 80]]],
  ['4 Basilikumblätter', [['Basil, fresh', 2]]],
  ['2 Zimtstangen', [['Cinnamon', 6]]],
  ['3 Petersilienstängel', [['Parsley, fresh', 3]]],
  ['eine Fenchelknolle', [['Fennel', 234]]],
  [
    '2 Brotscheiben mit 20 g Butter',
    [
      ['White bread', 90],
      ['Butter', 20],
    ],
  ],
])('%s', (text, foods) => {
  expect(read(text)).toEqual(foods);
});

test('a compound that is a name is not split', () => {
  expect(read('1 Vanilleschote')).toEqual([['Vanilla pod', 3]]);
});

test('offsets are those of the food and of the amount in the text', () => {
  const [item] = parseFoods('2 Zimtstangen', { finder: catalogue });
  expect(item).toMatchObject({
    text: 'Zimt',
    start: 2,
    end: 6,
    amount: { unit: 'stick', start: 0, end: 13 },
  });
});
