import type { Recipe } from 'larder-client';
import { expect, it } from 'vitest';
import { changedPortion } from './tweak.ts';

const recipe = {
  ingredients: [
    { name: 'Rice', calories: 400, protein: 8, fiber: 2, nutrients: { iron: 1 } },
    { name: 'Sauce', calories: 100, nutrients: { iron: 2 } },
    { name: 'Salt', calories: 0, protein: 0, fiber: 0, nutrients: { iron: 0 } },
  ],
} as unknown as Recipe;

it('sums the amounts that all taken ingredients state', () => {
  expect(changedPortion(recipe, [0.5, 1, 1], 0.25, 'Rice (changed)')).toEqual({
    foodName: 'Rice (changed)',
    calories: 75,
    nutrients: { iron: 0.625 },
  });
});

it('knows more without an ingredient that states little', () => {
  expect(changedPortion(recipe, [1, 0, 1], 1, 'Rice')).toMatchObject({ calories: 400, protein: 8, fiber: 2 });
});
