import type { Serving } from '@larder/core/food.ts';
import { expect, test } from 'vitest';
import { usualServing } from './typical-units.ts';

const weight: Serving = { value: 100, unit: 'g', basisAmount: 100 };

test('a piece is the usual unit if the first serving is only a weight', () => {
  expect(usualServing({ name: 'Apple', servings: [weight] })).toMatchObject({
    unit: 'piece',
    basisAmount: 200,
  });
});

test('a stated serving, a food without pieces and a heavy piece keep the first serving', () => {
  const slice: Serving = { value: 1, unit: 'slice', basisAmount: 25, label: '1 slice' };
  expect(usualServing({ name: 'Apple', servings: [slice] })).toBe(slice);
  expect(usualServing({ name: 'Stew', servings: [weight] })).toBe(weight);
  expect(usualServing({ name: 'Cabbage', servings: [weight] })).toBe(weight);
});
