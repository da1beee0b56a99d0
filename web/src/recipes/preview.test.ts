import type { Food, Ingredient, TextItem } from 'larder-client';
import { expect, it } from 'vitest';
import { asFood } from '../offline/entries/recipe-food.ts';
import type { LinePart, RecipeLine } from './lines.ts';
import { previewOf } from './preview.ts';

const input = { name: 'Soup', servings: 4, yieldGrams: 1000, ingredients: [] };
const whose = { id: 'r', userId: 'ann' };
const kept = (ingredient: Partial<Ingredient>): RecipeLine => ({
  text: 'kept',
  kept: [{ name: 'Peas', nutrients: {}, ...ingredient }],
  parts: [],
});
const part = (rest: Partial<LinePart>): RecipeLine => ({
  text: 'read',
  kept: [],
  parts: [{ key: '', item: { text: 'rice' } as TextItem, unit: 'g', state: 'sure', ...rest } as LinePart],
});
const rice = {
  id: 'starter:rice',
  name: 'Rice',
  servingSize: { value: 50, unit: 'g' },
  macros: { energy: 180, protein: 0, fat: 1, carbohydrates: 39, iron: 1 },
  unknown: ['protein'],
} as Food;

it('adds up what is known of the lines', () => {
  const lines = [
    kept({ calories: 100, protein: 8, carbs: 10, fat: 3 }),
    part({ food: rice, amount: 100, energy: 360 }),
  ];
  const recipe = previewOf(input, lines, whose);
  expect(recipe.ingredients[1]).toMatchObject({ foodId: rice.id, quantity: 100, calories: 360, fat: 2 });
  expect(recipe.total).toMatchObject({ calories: 460, protein: 8, nutrients: { iron: 2 } });
  expect(recipe.perServing).toMatchObject({ calories: 115, carbs: 22, fat: 1.25, nutrients: { iron: 0.5 } });
  expect(recipe.total.unknown).toEqual(['protein', 'fiber', 'sodium', 'iron']);
});

it('says of a line that nobody has read that nothing is known, and so does its food', () => {
  const recipe = previewOf(input, [{ text: '2 eggs', kept: [], parts: [] }], whose);
  expect(recipe.ingredients).toEqual([{ name: '2 eggs', text: '2 eggs', nutrients: {} }]);
  expect(recipe.perServing).toEqual({ nutrients: {}, unknown: recipe.total.unknown });
  expect(asFood(recipe).unknown).toEqual(['energy', 'protein', 'fat', 'carbohydrates']);
});

it('leaves out a part without food, unless its energy is stated', () => {
  expect(previewOf(input, [part({})], whose).ingredients).toEqual([]);
  expect(previewOf(input, [part({ energy: 70 })], whose).ingredients).toEqual([
    { name: 'rice', calories: 70, nutrients: { energy: 70 }, text: 'read' },
  ]);
});
