import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DiaryUsers, openDiaryUsers, SOUP } from '../support/diary-users.ts';
import { BANANA, SPREAD } from '../support/foods.ts';
import { answered } from '../support/nutrients.ts';

let users: DiaryUsers;
let newUser: DiaryUsers['newUser'];
beforeAll(async () => {
  users = await openDiaryUsers();
  ({ newUser } = users);
});
afterAll(() => users[Symbol.asyncDispose]());

const { date, mealType } = SOUP;
const spread = { date, mealType, foodId: SPREAD.id, quantity: 15, unit: 'g' };
const totals = `/diary/totals?date=${date}`;

it('an entry keeps all nutrients of its food, scaled to its quantity', async () => {
  const { send } = newUser();
  const entry = (await send('POST', '/diary', spread)).json();
  expect(entry).toMatchObject({ sodium: 6.45, nutrients: { sugars: 8.445 } });
  expect((await send('GET', `/diary?date=${date}`)).json()).toEqual([entry]);
  expect((await send('GET', '/foods/recent')).json()).toMatchObject([{ nutrients: { sugars: 8.445 } }]);
  const doubled = (await send('PATCH', `/diary/${entry.id}`, { quantity: 30 })).json();
  expect(doubled.nutrients).toMatchObject({ energy: 161.7, sugars: 16.89 });
  const copied = (await send('POST', '/diary/copy', { from: date, to: '2026-02-01' })).json();
  expect(copied).toMatchObject([{ nutrients: { sugars: 16.89 } }]);
  const [header, line] = (await send('GET', '/diary/export?format=csv')).body.split('\r\n');
  expect(line!.split(',')[header!.split(',').indexOf('sugars')]).toBe('16.89');
});

it('nutrients can be entered, changed one by one and made unknown', async () => {
  const { send } = newUser();
  const nutrients = { sugars: 4.5, iron: 0.7, vitaminD: 0 };
  const entry = (await send('POST', '/diary', { ...SOUP, nutrients })).json();
  const all = answered({ ...SOUP, nutrients }).nutrients;
  expect(entry.nutrients).toEqual(all);
  const change = async (to: object) => (await send('PATCH', `/diary/${entry.id}`, { nutrients: to })).json();
  expect((await change({ iron: 0.9 })).nutrients).toEqual({ ...all, iron: 0.9 });
  expect(await change({ sugars: null, vitaminD: null })).toMatchObject({
    calories: 230.5,
    nutrients: { iron: 0.9 },
  });
  const { iron: _, sugars: __, vitaminD: ___, ...main } = all as Record<string, number>;
  expect((await change({ iron: null })).nutrients).toEqual(main);
  expect((await change({})).nutrients).toEqual(main);
});

it.each([
  [{ ...SOUP, nutrients: { sugars: -1 } }, 'nutrients.sugars'],
  [{ ...SOUP, nutrients: { sugars: 100_001 } }, 'nutrients.sugars'],
  [{ ...SOUP, nutrients: { sugars: null } }, 'nutrients.sugars'],
  [{ ...SOUP, nutrients: { fibre: 1 } }, 'nutrients.fibre'],
  [{ ...spread, nutrients: { sugars: 1 } }, 'nutrients'],
])('%j is rejected with the name of the field', async (entry, field) => {
  const refused = await newUser().send('POST', '/diary', entry);
  expect([refused.statusCode, refused.json().error.details.fields]).toEqual([400, [field]]);
});

it('totals include all nutrients of the entries and list those that some entry does not state', async () => {
  const { send } = newUser();
  await send('POST', '/diary/batch', [spread, spread]);
  const sums = { calories: 161.7, protein: 1.89, carbs: 17.25, fat: 9.27, fiber: 0, sodium: 12.9 };
  const nutrients = { sugars: 16.89 };
  const first = answered({ ...sums, nutrients, unknown: ['fiber'], statedBy: { fiber: 0 }, entries: 2 });
  expect((await send('GET', totals)).json()).toEqual(first);
  await send('POST', '/diary', { ...SOUP, fiber: 2, nutrients: { iron: 0.7 } });
  expect((await send('GET', totals)).json()).toMatchObject({
    fiber: 2,
    nutrients: { sugars: 16.89, iron: 0.7 },
    unknown: ['fiber', 'sodium', 'sugars', 'iron'],
  });
});

it('goals can be set for any nutrient, and totals state what remains', async () => {
  const { send } = newUser();
  const goals = { from: '2026-01-01', calories: 2000, nutrients: { sugars: 10, iron: 14 } };
  expect((await send('PUT', '/goals', goals)).json()).toEqual(answered({ ...goals, version: 1 }));
  expect((await send('GET', '/goals')).json()).toEqual(answered({ ...goals, version: 1 }));
  await send('POST', '/diary', spread);
  const { from: _, ...amounts } = goals;
  expect((await send('GET', `${totals}&remaining=true`)).json()).toMatchObject({
    nutrients: { sugars: 8.445 },
    goals: amounts,
    remaining: { calories: 1919.15, nutrients: { sugars: 1.555, iron: 14 } },
  });
  const iron = { from: '2026-01-01', nutrients: { iron: 10 } };
  expect((await send('PUT', '/goals', iron)).json()).toEqual({ ...iron, version: 2 });
  expect((await send('GET', '/goals')).json()).toEqual({ ...iron, version: 2 });
  expect((await send('PUT', '/goals', { nutrients: {} })).statusCode).toBe(400);
});

it('a recipe has the nutrients of its ingredients and can be sent back with or without them', async () => {
  const { send } = newUser();
  const ingredients = [
    { foodId: SPREAD.id, quantity: 15, unit: 'g' },
    { foodName: 'Toast', calories: 100, protein: 3, carbs: 20, fat: 1, nutrients: { sugars: 1, iron: 1.5 } },
  ];
  const recipe = (await send('POST', '/recipes', { name: 'Toast', servings: 2, ingredients })).json();
  expect(recipe).toMatchObject({
    ingredients: [{ nutrients: { sugars: 8.445 } }, { nutrients: { sugars: 1, iron: 1.5 } }],
    total: {
      fiber: 0,
      sodium: 6.45,
      nutrients: { sugars: 9.445, iron: 1.5 },
      unknown: ['fiber', 'sodium', 'iron'],
    },
    perServing: {
      fiber: 0,
      sodium: 3.225,
      nutrients: { sugars: 4.723, iron: 0.75 },
      unknown: ['fiber', 'sodium', 'iron'],
    },
  });
  const eaten = { date, mealType, recipeId: recipe.id, quantity: 1, unit: 'serving' };
  expect((await send('POST', '/diary', eaten)).json().nutrients).toMatchObject({ sugars: 4.723 });
  const { version: _, updatedAt: __, ...content } = recipe;
  const path = `/recipes/${recipe.id}`;
  expect((await send('PATCH', path, recipe)).json()).toMatchObject(content);
  // Sends back only known fields, as an older client does.
  const known = recipe.ingredients.map(
    ({ nutrients: _n, ...ingredient }: Record<string, unknown>) => ingredient,
  );
  expect((await send('PATCH', path, { ingredients: known })).json()).toMatchObject(content);
  const changed = [recipe.ingredients[0], { ...recipe.ingredients[1], nutrients: { sugars: 2 } }];
  expect((await send('PATCH', path, { ingredients: changed })).json().ingredients).toEqual(
    changed.map(answered),
  );
});

it('a food without further nutrients has none in its entries', async () => {
  const { send } = newUser();
  const entry = (await send('POST', '/diary', { ...spread, foodId: BANANA.id })).json();
  expect(Object.keys(entry.nutrients)).toEqual(['energy', 'protein', 'fat', 'carbohydrates']);
});
