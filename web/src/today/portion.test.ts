import type { DiaryEntry } from 'larder-client';
import { expect, it } from 'vitest';
import { portionOf } from './portion.ts';

const entry = {
  foodName: 'Soup',
  quantity: 300,
  unit: 'g',
  calories: 210,
  protein: 0,
  carbs: 30,
  fat: 5,
  unknown: ['protein'],
  nutrients: { iron: 1.5 },
} as unknown as DiaryEntry;

it('links foods of the catalogue, by a share of the amount', () => {
  expect(portionOf({ ...entry, foodId: 'starter:soup' }, 0.5)).toEqual({
    foodId: 'starter:soup',
    quantity: 150,
    unit: 'g',
  });
});

it('copies the values of what may be theirs alone; what is unknown stays so', () => {
  const values = { foodName: 'Soup', calories: 105, carbs: 15, fat: 2.5, nutrients: { iron: 0.75 } };
  expect(portionOf({ ...entry, foodId: 'manual:1' }, 0.5)).toEqual({ ...values, quantity: 150, unit: 'g' });
});
