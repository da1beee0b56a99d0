import { expect, test } from 'vitest';
import { isTooHeavy, maxMassOf } from './food-mass.ts';
import type { FoodFields } from './typed-food.ts';

const food: FoodFields = {
  ...{
    name: 'Bread',
    brand: '',
    barcode: '',
    per: '100g',
    quantity: '',
    unit: 'g',
    grams: '',
    servingName: '',
  },
  ...{ isShared: true, energy: '', nutrients: {} },
};

test('the most that amounts weigh follows from what they are of', () => {
  expect(maxMassOf(food)).toBe(105);
  expect(maxMassOf({ ...food, per: '100ml' })).toBeUndefined();
  expect(maxMassOf({ ...food, per: 'serving', quantity: '20' })).toBe(21);
  expect(maxMassOf({ ...food, per: 'serving', quantity: '1', unit: 'slice', grams: '80' })).toBe(84);
  expect(maxMassOf({ ...food, per: 'serving', quantity: '1', unit: 'cup' })).toBeUndefined();
  expect(maxMassOf({ ...food, per: 'serving' })).toBeUndefined();
});

test('protein, carbohydrates and fat are too heavy together', () => {
  const nutrients = { protein: '50', carbohydrates: '50', fat: '5' };
  expect(isTooHeavy({ ...food, nutrients })).toBe(false);
  expect(isTooHeavy({ ...food, nutrients: { ...nutrients, fat: '5.1' } })).toBe(true);
  expect(isTooHeavy({ ...food, per: '100ml', nutrients: { ...nutrients, fat: '9' } })).toBe(false);
});
