import type { Food } from '@larder/core/food.ts';
import { expect, test } from 'vitest';
import { readStarterFoods } from '../../../../../src/foods/starter/starter-foods.ts';
import { assumedPortionOf } from './assumed-portion.ts';

const FOODS = new Map<string, Food>([...readStarterFoods()].map((food) => [food.id, food]));
const food = (key: string) => FOODS.get(`starter:${key}`)!;
const said = { start: 0, end: 1, firstToken: 0, endToken: 1, quantity: 2, alternatives: [] };

test('an amount that the text states is no assumption', () => {
  expect(
    assumedPortionOf(food('onion'), { basisAmount: 50, source: 'weight' }, { ...said, unit: 'g' }),
  ).toBeUndefined();
});

test('without an amount it names the usual portion, its range and the pieces', () => {
  const portion = assumedPortionOf(
    food('onion'),
    { basisAmount: 30, source: 'serving "1 serving (30 g)"' },
    undefined,
  )!;
  expect(portion).toMatchObject({ assumed: 'usual portion', low: 3.3, high: 53 });
  expect(portion.others).toContainEqual({ label: '1 medium', grams: 110 });
});

test('for pieces it offers as many of other pieces', () => {
  const portion = assumedPortionOf(
    food('apple'),
    { basisAmount: 364, source: 'serving "1 medium (182 g)"' },
    said,
  )!;
  expect(portion).toMatchObject({ assumed: '2 × 1 medium', low: 254.8, high: 509.6 });
  expect(portion.others.map(({ label }) => label)).toContain('2 × 1 small');
});
