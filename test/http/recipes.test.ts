import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLE_NEW_FOOD } from '../../src/api/foods/food-input.ts';
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
  expect((await send('GET', `/recipes/${recipe.id}`)).json().error.code).toBe('recipe_not_found');
  const bad = await send('POST', '/recipes', {
    name: 'x',
    servings: 1,
    ingredients: [{ foodId: 'fdc:none', quantity: 1, unit: 'g' }],
  });
  expect([bad.statusCode, bad.json().error.code]).toEqual([404, 'food_not_found']);
});

it('recipes are listed page by page, and a wrong cursor is rejected', async () => {
  const { send, path } = newUser();
  const ingredients = [{ foodName: 'Toast', calories: 100, protein: 3, carbs: 20, fat: 1 }];
  for (const name of ['A', 'B', 'C']) await send('POST', '/recipes', { name, servings: 1, ingredients });
  const all = (await send('GET', '/recipes')).json();
  const first = await send('GET', '/recipes?limit=2');
  const next = /^<([^>]+)>; rel="next"$/.exec(String(first.headers['link']))![1]!;
  const last = await send('GET', next.slice(path.length));
  expect([...first.json(), ...last.json()]).toEqual(all);
  expect(last.headers).not.toHaveProperty('link');
  for (const after of ['x', '2', 'none']) {
    const answer = await send('GET', `/recipes?after=${after}`);
    expect([answer.statusCode, answer.json().error.details]).toEqual([400, { parameter: 'after' }]);
  }
});

describe('a recipe as returned', () => {
  const stored = async () => {
    const user = newUser();
    const { id } = (
      await user.send('POST', '/recipes', {
        name: 'Sweet toast',
        servings: 3,
        ingredients: [
          { foodId: SPREAD.id, quantity: 7, unit: 'g' },
          { foodId: SPREAD.id, quantity: 7, unit: 'g' },
          { barcode: `0${SPREAD.barcode}`, quantity: 1, unit: 'tbsp' },
          { foodName: 'Toast', calories: 100, protein: 3, carbs: 20, fat: 1, fiber: 2.5 },
          { foodName: 'Butter', calories: 37, protein: 0, carbs: 0, fat: 4, quantity: 1, unit: 'pat' },
        ],
      })
    ).json();
    const path = `/recipes/${id}`;
    return { ...user, path, read: (await user.send('GET', path)).json() };
  };
  const content = ({ id: _, version: _v, createdAt: _c, updatedAt: _u, ...rest }: Record<string, unknown>) =>
    rest;

  it('can be sent back, whole or only its ingredients', async () => {
    const { send, path, read } = await stored();
    for (const body of [read, { ingredients: read.ingredients }]) {
      const changed = await send('PATCH', path, body);
      expect([changed.statusCode, content(changed.json())]).toEqual([200, content(read)]);
    }
    expect(content((await send('GET', path)).json())).toEqual(content(read));
    expect((await send('POST', '/recipes', read)).statusCode).toBe(200);
    const { id: _, ...copy } = read;
    const copied = await send('POST', '/recipes', copy);
    expect(copied.statusCode).toBe(201);
    expect(copied.json().id).not.toBe(read.id);
    const { ingredients, total, perServing } = copied.json();
    expect({ total, perServing }).toEqual({ total: read.total, perServing: read.perServing });
    expect(ingredients.map(({ name }: { name: string }) => name)).toEqual(
      read.ingredients.map(({ name }: { name: string }) => name),
    );
  });

  it('can be sent back in another order, with more, fewer and changed ingredients', async () => {
    const { send, path, read } = await stored();
    const [spread, , , toast, butter] = read.ingredients;
    const ingredients = [
      { ...spread, quantity: 70 },
      { ...butter, calories: 40 },
      { foodId: SPREAD.id, quantity: 100, unit: 'g' },
      toast,
      spread,
    ];
    const changed = (await send('PATCH', path, { ingredients })).json();
    expect(changed.ingredients).toMatchObject([
      { name: SPREAD.name, calories: 377.3, quantity: 70 },
      { ...butter, calories: 40, nutrients: { ...butter.nutrients, energy: 40 } },
      { calories: 539 },
      toast,
      spread,
    ]);
  });

  it('keeps its amounts when a food has changed or is gone', async () => {
    const { send, id } = newUser();
    const key = await users.fixture.createKey(['foods:read', 'foods:write']);
    const food = (method: string, path: string, payload?: object) =>
      users.fixture.ask({
        method,
        url: `/v1/foods${path}`,
        headers: { authorization: `Bearer ${key}` },
        ...(payload && { payload }),
      });
    const made = (await food('POST', '', { ...EXAMPLE_NEW_FOOD, barcode: undefined, userId: id })).json();
    const ingredients = [{ foodId: made.id, quantity: 10, unit: 'g' }];
    const read = (await send('POST', '/recipes', { name: 'Jam', servings: 1, ingredients })).json();
    expect(read.ingredients[0].calories).toBe(24);
    await food('PATCH', `/${made.id}`, { macros: { energy: 40 } });
    const back = (body: object) => send('PATCH', `/recipes/${read.id}`, body);
    expect((await back(read)).json().ingredients).toEqual(read.ingredients);
    const more = [read.ingredients[0], { ...read.ingredients[0], quantity: 20 }];
    expect((await back({ ingredients: more })).json().ingredients).toMatchObject([
      { calories: 24 },
      { calories: 40 },
    ]);
    await food('DELETE', `/${made.id}`);
    expect((await back({ ingredients: read.ingredients })).json().ingredients).toEqual(read.ingredients);
    const gone = await back({ ingredients: [{ ...read.ingredients[0], quantity: 30 }] });
    expect([gone.statusCode, gone.json().error]).toEqual([
      404,
      expect.objectContaining({
        code: 'food_not_found',
        details: { index: 0, fields: ['ingredients[0].foodId'] },
      }),
    ]);
  });

  it('is rejected with changed amounts of a food, and with two names', async () => {
    const { send, path, read } = await stored();
    const [spread, , , toast] = read.ingredients;
    const { calories: _, nutrients: __, ...lacking } = toast;
    const fieldsOf = async (ingredient: object) => {
      const answer = await send('PATCH', path, { ingredients: [ingredient] });
      expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'invalid_request']);
      return answer.json().error.details.fields;
    };
    // A scan cannot be an ingredient.
    expect(await fieldsOf({ quantity: 1, unit: 'g' })).toEqual(
      ['foodName', 'foodId', 'barcode'].map((field) => `ingredients[0].${field}`),
    );
    expect(await fieldsOf({ ...spread, calories: 1 })).toContain('ingredients[0].calories');
    expect(await fieldsOf({ ...spread, name: 'Mine' })).toContain('ingredients[0].name');
    expect(await fieldsOf({ ...toast, foodName: 'Toast' })).toEqual([
      'ingredients[0].name',
      'ingredients[0].foodName',
    ]);
    expect(await fieldsOf(lacking)).toEqual(['ingredients[0].calories']);
  });
});

it('a recipe whose serving is too large for an entry is rejected and changes no other recipe', async () => {
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
  await send('POST', '/diary/batch', [SOUP, SOUP, { ...SOUP, foodName: 'Tea' }]);
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

it('an ingredient of an unknown kind gets an error with the known kinds', async () => {
  const { send } = newUser();
  const refusal = async (ingredient: unknown) => {
    const body = { name: 'Toast', servings: 1, ingredients: [ingredient] };
    const answer = await send('POST', '/recipes', body);
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'invalid_request']);
    return answer.json().error;
  };
  for (const wrong of [5, null, true, ['2 eggs']]) {
    expect(await refusal(wrong)).toMatchObject({
      message: 'The body does not fit: "ingredients[0]" has to be a text or an object.',
      details: { fields: ['ingredients[0]'] },
    });
  }
  for (const empty of [{}, { text: '2 eggs' }]) {
    expect(await refusal(empty)).toMatchObject({
      message:
        'ingredients[0]: Give exactly one of foodName, foodId, barcode, or the line of text alone, such as "2 eggs".',
      details: { fields: ['ingredients[0].foodName', 'ingredients[0].foodId', 'ingredients[0].barcode'] },
    });
  }
});
