import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDiary } from '../../test/support/open-diary.ts';
import { sampleFood } from '../../test/support/sample-foods.ts';
import type { Diary } from './diary.ts';
import type { RecipeBook } from './recipe-book.ts';

const DATE = '2026-03-29';
const owner = { tenant: 'acme', userId: 'u1' };
const bread = sampleFood('fdc', '1', {
  per100: { energy: 259, protein: 8.5, carbohydrates: 48.3, fat: 3.3, fiber: 5.8, sodium: 603 },
  servings: [{ value: 1, unit: 'slice', basisAmount: 32 }],
});

let opened: Awaited<ReturnType<typeof openDiary>>;
let diary: Diary;
let recipes: RecipeBook;
beforeAll(async () => {
  opened = await openDiary({ foods: [bread] });
  ({ diary, recipes } = opened);
});
afterAll(() => opened?.close());

test('a recipe is the sum of its ingredients, and its entry a share of that', async () => {
  const { recipe } = await recipes.create(owner, {
    name: 'Toast soup',
    servings: 4,
    ingredients: [
      { foodId: bread.id, quantity: 4, unit: 'slices' },
      { foodName: 'Stock', calories: 100, protein: 4, carbs: 8, fat: 2, sodium: 900 },
    ],
  });
  const [entry] = await diary.create(owner, [
    { date: DATE, mealType: 'dinner', recipeId: recipe.id, quantity: 1.5, unit: 'servings' },
  ]);
  expect(entry).toMatchObject({
    foodName: 'Toast soup',
    addedMethod: 'recipe',
    amounts: { calories: 161_820, protein: 5_580, sodium: 626_940 },
  });
  // The fiber of the stock is unknown.
  expect(entry?.amounts).not.toHaveProperty('fiber');
  const renamed = await recipes.change(owner, recipe.id, { name: 'Bread soup' }, 1);
  expect(renamed).toMatchObject({ name: 'Bread soup', version: 2, ingredients: recipe.ingredients });
  await expect(recipes.change(owner, recipe.id, { servings: 0 })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await expect(recipes.remove(owner, recipe.id, 1)).rejects.toMatchObject({ code: 'version_conflict' });
  await recipes.remove(owner, recipe.id);
  await expect(recipes.get(owner, recipe.id)).rejects.toMatchObject({ code: 'recipe_not_found' });
  expect(await diary.get(owner, entry!.id)).toEqual(entry);
});

test('an entry of a recipe rejects an overlong unit', async () => {
  const cake = { name: 'Cake', servings: 4, ingredients: [{ foodId: bread.id, quantity: 4, unit: 'g' }] };
  const {
    recipe: { id: recipeId },
  } = await recipes.create(owner, cake);
  const unit = `serving${'.'.repeat(100)}`;
  await expect(
    diary.create(owner, [{ date: DATE, mealType: 'dinner', recipeId, quantity: 1, unit }]),
  ).rejects.toMatchObject({ code: 'invalid_request', details: { fields: ['unit'] } });
});
