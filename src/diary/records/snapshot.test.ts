import type { Food } from '@larder/core/food.ts';
import { beforeAll, expect, test } from 'vitest';
import { compileFoods } from '../../../test/support/compiled-foods.ts';
import { readStarterFoods } from '../../foods/starter/starter-foods.ts';
import { AMOUNT_KEYS, AMOUNT_LIMITS } from './entry.ts';
import { amountsOf, restsOf, snapshotOf } from './snapshot.ts';
import { sumAmounts, toSums } from './totals.ts';

let products: Food[];
beforeAll(async () => {
  const shipped = [...readStarterFoods()];
  const { catalogue } = await compileFoods([shipped]);
  products = shipped
    .map(({ id }) => catalogue.findById(id)!)
    .filter(({ stated, servings }) => stated?.amount === servings[0].basisAmount);
});

test('servings of the shipped products have the amounts of their labels, once, twice, ten and a thousand times', () => {
  expect(products.length).toBeGreaterThan(300);
  for (const food of products) {
    const label = amountsOf(food.stated!.nutrients);
    for (const count of [1, 2, 10, 1000].filter((times) => times * label.calories! <= 20_000)) {
      const together = snapshotOf(food, count, 'serving');
      const each = Array.from({ length: count }, () => snapshotOf(food, 1, 'serving'));
      const { totals, incomplete } = toSums(
        sumAmounts(each.map(({ amounts, basis }) => ({ amounts, rests: restsOf(basis) }))),
      );
      expect(incomplete).toEqual(['fiber', 'sodium'].filter((key) => !(key in label)));
      for (const key of AMOUNT_KEYS.filter((known) => label[known]! * count <= AMOUNT_LIMITS[known])) {
        const exact = Math.round(label[key]! * count * 1000);
        expect([food.name, key, together.amounts[key], totals[key]]).toEqual([food.name, key, exact, exact]);
      }
    }
  }
});

test('a square of chocolate has 1 g of protein, and ten of them have 10 g', () => {
  const chocolate = products.find(({ barcode }) => barcode === '747599322198')!;
  const proteinOf = (squares: number) => snapshotOf(chocolate, squares, 'square').amounts.protein;
  expect([1, 2, 10, 250].map(proteinOf)).toEqual([1_000, 2_000, 10_000, 250_000]);
});
