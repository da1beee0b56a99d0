import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DiaryUsers, openDiaryUsers, SOUP } from '../support/diary-users.ts';
import { SPREAD } from '../support/foods.ts';

let users: DiaryUsers;
let newUser: DiaryUsers['newUser'];
beforeAll(async () => {
  users = await openDiaryUsers();
  ({ newUser } = users);
});
afterAll(() => users[Symbol.asyncDispose]());

it('a recipe is written, read, changed, eaten and deleted', async () => {
  const { send } = newUser();
  const created = await send('POST', '/recipes', {
    name: 'Sweet toast',
    servings: 2,
    ingredients: [
      { foodId: SPREAD.id, quantity: 30, unit: 'g' },
      { foodName: 'Toast', calories: 100, protein: 3, carbs: 20, fat: 1 },
    ],
  });
  expect([created.statusCode, created.headers['etag']]).toEqual([201, '"1"']);
  const recipe = created.json();
  expect(recipe).toMatchObject({ total: { calories: 261.7 }, perServing: { calories: 130.85 } });
  expect((await send('GET', '/recipes')).json()).toEqual([recipe]);
  expect((await send('GET', `/recipes?after=${recipe.id}`)).json()).toEqual([]);
  const changed = await send('PATCH', `/recipes/${recipe.id}`, { servings: 4 }, { 'if-match': '"1"' });
  expect(changed.json().perServing.calories).toBe(65.425);
  expect(
    (await send('PATCH', `/recipes/${recipe.id}`, { servings: 1 }, { 'if-match': '"1"' })).statusCode,
  ).toBe(412);
  const { date, mealType } = SOUP;
  const eaten = { date, mealType, recipeId: recipe.id, quantity: 2, unit: 'serving' };
  expect((await send('POST', '/diary', eaten)).json()).toMatchObject({
    addedMethod: 'recipe',
    calories: 130.85,
  });
  expect((await send('DELETE', `/recipes/${recipe.id}`)).statusCode).toBe(204);
  expect((await send('GET', `/recipes/${recipe.id}`)).json().error.code).toBe('not_found');
  const bad = await send('POST', '/recipes', {
    name: 'x',
    servings: 1,
    ingredients: [{ foodId: 'fdc:none', quantity: 1, unit: 'g' }],
  });
  expect([bad.statusCode, bad.json().error.code]).toEqual([404, 'food_not_found']);
});

it('a recipe of which nobody could write down a serving is refused, and leaves the others as they were', async () => {
  const { send } = newUser();
  const ingredient = { foodName: 'Butter', calories: 15_000, protein: 10, carbs: 10, fat: 1_600 };
  const cake = { name: 'Cake for a village', servings: 2, ingredients: [ingredient, ingredient] };
  const { id } = (await send('POST', '/recipes', cake)).json();
  const refusals = [
    await send('POST', '/recipes', { ...cake, servings: 1 }),
    await send('PATCH', `/recipes/${id}`, { servings: 1 }),
    await send('PATCH', `/recipes/${id}`, { servings: 5e-324 }),
    await send('PATCH', `/recipes/${id}`, { ingredients: [ingredient, ingredient, ingredient] }),
  ];
  for (const { statusCode, ...answer } of refusals) {
    expect([statusCode, answer.json().error]).toEqual([
      400,
      expect.objectContaining({ code: 'invalid_request', details: { fields: ['servings'], max: 20_000 } }),
    ]);
  }
  expect((await send('GET', '/recipes')).json()).toMatchObject([{ id, perServing: { calories: 15_000 } }]);
});

it('recent and frequent foods come from the diary', async () => {
  const { send } = newUser();
  await send('POST', '/diary', [SOUP, SOUP, { ...SOUP, foodName: 'Tea' }]);
  const names = async (path: string) =>
    (await send('GET', path))
      .json()
      .map((food: { foodName: string; timesEaten: number }) => [food.foodName, food.timesEaten]);
  expect(await names('/foods/recent')).toEqual([
    ['Tea', 1],
    [SOUP.foodName, 2],
  ]);
  expect(await names('/foods/frequent?limit=1')).toEqual([[SOUP.foodName, 2]]);
  expect((await send('GET', '/foods/recent?limit=0')).statusCode).toBe(400);
});
