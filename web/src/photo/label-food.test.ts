import type { ScanItem } from 'larder-client';
import { expect, it } from 'vitest';
import { foodOfLabel } from './label-food.ts';

const servingOf = (value: number, unit: string, amount: number) =>
  foodOfLabel(
    {
      name: 'Packaged food',
      origin: 'label',
      confidence: 0.9,
      servingSize: { value, unit },
      macros: { energy: 230, protein: 3, fat: 8, carbohydrates: 37 },
      nutrients: {},
      alternatives: [],
    } satisfies ScanItem,
    amount,
  ).servingSize;

it.each([
  [0.667, 'cup', 55, { value: 55, unit: 'g', label: '2/3 cup (55 g)' }],
  [1.5, 'cups', 40, { value: 40, unit: 'g', label: '1 1/2 cups (40 g)' }],
  [2, 'Tbsp', 32, { value: 32, unit: 'g', label: '2 Tbsp (32 g)' }],
])('keeps the grams of %s %s', (value, unit, grams, serving) => {
  expect(servingOf(value, unit, grams)).toEqual(serving);
});

it('keeps a volume whose milliliters are printed', () => {
  expect(servingOf(1, 'Cup', 240)).toEqual({ value: 1, unit: 'cup' });
  expect(servingOf(2, 'tablespoons', 30)).toEqual({ value: 2, unit: 'tbsp' });
});

it('gives a piece its weight, and leaves a weight as it is', () => {
  expect(servingOf(3, 'cookies', 34)).toEqual({ value: 3, unit: 'cookies', grams: 34 });
  expect(servingOf(30, 'g', 30)).toEqual({ value: 30, unit: 'g' });
});

it('leaves out a weight that the label does not tell', () => {
  expect(servingOf(1, 'serving', 0)).toEqual({ value: 1, unit: 'serving' });
});
