import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCOPES } from '../../src/access/api-key.ts';
import { type Member, type OpenHousehold, openHousehold } from '../support/household.ts';
import { type ImportedProducts, importProducts } from '../support/imported-products.ts';
import { ERAS, openMcpSession } from '../support/mcp-client.ts';

// Nutrients beyond the fifteen of all foods, which facts of foods and people state.

const MACROS = { 'energy-kcal_100g': 300, proteins_100g: 2, fat_100g: 1, carbohydrates_100g: 70 };
const PRODUCTS = [
  {
    code: '5901234123457',
    product_name: 'Bar of dates',
    lang: 'en',
    serving_size: '30 g',
    nutriments: { ...MACROS, magnesium_100g: 0.054, 'vitamin-c_100g': 0 },
  },
  { code: '8711000530085', product_name: 'Bar of secrets', lang: 'en', nutriments: MACROS },
];
const DATES = 'off:5901234123457';
const SECRETS = 'off:8711000530085';
const DAY = '2026-01-31';
const lunch = { date: DAY, mealType: 'lunch' };

let products: ImportedProducts;
let household: OpenHousehold;
let members = 0;
beforeAll(async () => {
  products = await importProducts(PRODUCTS);
  household = await openHousehold({ catalogue: products });
});
afterAll(async () => {
  await household[Symbol.asyncDispose]();
  await products[Symbol.asyncDispose]();
});

/** A person with an empty diary. */
async function newMember() {
  const member: Member = await household.invite(`Member ${++members}`);
  const at = (path: string) => `/v1/users/${member.id}${path}`;
  const ask = async (method: string, path: string, body?: object, headers?: Record<string, string>) => {
    const answer = await member.ask(method, path.startsWith('/v1') ? path : at(path), body, headers);
    expect([answer.statusCode, answer.body]).toEqual([
      expect.toSatisfy((status) => status < 300),
      answer.body,
    ]);
    return answer;
  };
  const json = async (...request: Parameters<typeof ask>) => (await ask(...request)).json();
  return {
    id: member.id,
    member,
    ask,
    json,
    log: (entry: object) => json('POST', '/diary', { ...lunch, ...entry }),
  };
}

test('an entry has the further nutrients of its food for its amount; unknown ones are absent, and 0 is stated', async () => {
  const { json, log } = await newMember();
  const entry = await log({ foodId: DATES, quantity: 50, unit: 'g' });
  expect(entry.nutrients).toMatchObject({ energy: 150, magnesium: 27, vitaminC: 0 });
  expect(entry.nutrients).not.toHaveProperty('zinc');
  expect((await log({ foodId: SECRETS, quantity: 50, unit: 'g' })).nutrients).not.toHaveProperty('magnesium');
  expect((await json('GET', `/diary?date=${DAY}`))[0]).toEqual(entry);
  expect((await json('GET', '/diary/export'))[0].nutrients).toEqual(entry.nutrients);
  expect(
    (await json('GET', '/foods/recent')).map((food: typeof entry) => food.nutrients.magnesium),
  ).toContain(27);
});

test('an entry of another quantity has as much of them, and gets its first amounts back', async () => {
  const { json, log } = await newMember();
  const first = await log({ foodId: DATES, quantity: 1, unit: 'serving' });
  expect(first.nutrients.magnesium).toBe(16.2);
  const third = await json('PATCH', `/diary/${first.id}`, { quantity: 1 / 3 });
  expect(third.nutrients.magnesium).toBe(5.4);
  const back = await json('PATCH', `/diary/${first.id}`, { quantity: 1 });
  expect(back.nutrients).toEqual(first.nutrients);
});

test('an entry can be sent back as it was read, and one nutrient changed, removed or stated as 0', async () => {
  const { json, log } = await newMember();
  const read = await log({ foodId: DATES, quantity: 10, unit: 'g' });
  const same = await json('PATCH', `/diary/${read.id}`, read);
  expect(same.nutrients).toEqual(read.nutrients);
  const patch = (nutrients: object) => json('PATCH', `/diary/${read.id}`, { nutrients });
  expect((await patch({ magnesium: 7, zinc: 0 })).nutrients).toEqual({
    ...read.nutrients,
    magnesium: 7,
    zinc: 0,
  });
  const { magnesium: _, ...others } = read.nutrients;
  expect((await patch({ magnesium: null })).nutrients).toEqual({ ...others, zinc: 0 });
});

test('a typed entry may state any nutrient, and no unknown name', async () => {
  const { member, id, log } = await newMember();
  const typed = { foodName: 'Broth', calories: 40, nutrients: { omega3: 0.4, vitaminB12: 1.234 } };
  const entry = await log(typed);
  expect(entry.nutrients).toEqual({ energy: 40, omega3: 0.4, vitaminB12: 1.234 });
  const wrong = { ...lunch, ...typed, nutrients: { vitaminX: 1 } };
  const answer = await member.ask('POST', `/v1/users/${id}/diary`, wrong);
  expect([answer.statusCode, answer.json().error.details.fields]).toEqual([400, ['nutrients.vitaminX']]);
});

test('totals sum them exactly and say how many entries state each, by day, range and meal', async () => {
  const { json, log } = await newMember();
  for (let at = 0; at < 3; at++) await log({ foodId: DATES, quantity: 1 / 3, unit: 'g' });
  await log({ foodId: SECRETS, quantity: 50, unit: 'g', mealType: 'dinner' });
  const day = await json('GET', `/diary/totals?date=${DAY}&by=meal`);
  expect(day).toMatchObject({
    entries: 4,
    nutrients: { magnesium: 0.54 },
    statedBy: { magnesium: 3, vitaminC: 3 },
  });
  expect(day.unknown).toEqual(expect.arrayContaining(['magnesium', 'vitaminC']));
  // Its sum is 0 and too low: what is known of it is nothing.
  expect(day.nutrients).not.toHaveProperty('vitaminC');
  expect(day.meals.lunch).toMatchObject({ nutrients: { magnesium: 0.54, vitaminC: 0 } });
  expect(day.meals.lunch.unknown).not.toContain('magnesium');
  expect(day.meals.dinner.nutrients).not.toHaveProperty('magnesium');
  const { meals: _, ...sums } = day;
  expect(await json('GET', `/diary/totals/days?from=${DAY}&to=${DAY}`)).toEqual([{ date: DAY, ...sums }]);
});

test('goals may name any nutrient, by day and weekday, and totals say what remains', async () => {
  const { json, log } = await newMember();
  await json('PUT', '/goals', { from: '2026-01-01', nutrients: { magnesium: 350 } });
  // The day is a Saturday.
  const goals = await json('PATCH', '/goals', {
    from: '2026-01-01',
    weekdays: { saturday: { nutrients: { zinc: 8 } } },
  });
  expect(goals).toMatchObject({
    nutrients: { magnesium: 350 },
    weekdays: { saturday: { nutrients: { zinc: 8 } } },
  });
  await log({ foodId: DATES, quantity: 50, unit: 'g' });
  const { remaining } = await json('GET', `/diary/totals?date=${DAY}&remaining=true`);
  expect(remaining.nutrients).toEqual({ magnesium: 323, zinc: 8 });
});

test('a recipe has those that every ingredient states, and so has what is logged of it', async () => {
  const { json, log } = await newMember();
  const broth = { foodName: 'Broth', calories: 10, nutrients: { magnesium: 3, zinc: 1 } };
  const recipe = await json('POST', '/recipes', {
    name: 'Date soup',
    servings: 2,
    ingredients: [{ foodId: DATES, quantity: 100, unit: 'g' }, broth],
  });
  expect(recipe.total).toMatchObject({ nutrients: { magnesium: 57, zinc: 1 }, statedBy: { zinc: 1 } });
  const again = await json('PATCH', `/recipes/${recipe.id}`, { ingredients: recipe.ingredients });
  expect(again.ingredients).toEqual(recipe.ingredients);
  const entry = await log({ recipeId: recipe.id, quantity: 1, unit: 'serving' });
  expect(entry.nutrients.magnesium).toBe(28.5);
  expect(entry.nutrients).not.toHaveProperty('zinc');
});

test('a saved meal keeps them', async () => {
  const { json } = await newMember();
  const items = [{ foodName: 'Broth', calories: 10, nutrients: { zinc: 1 } }];
  const meal = await json('POST', '/meals', { name: 'Broth', items });
  expect(meal.items[0].nutrients).toEqual({ energy: 10, zinc: 1 });
});

test('an export writes them, and an import into another diary writes the same', async () => {
  const from = await newMember();
  await from.log({ foodId: DATES, quantity: 1 / 3, unit: 'g', eatenAt: `${DAY}T12:00:00+01:00` });
  await from.log({ foodName: 'Broth', calories: 1, nutrients: { zinc: 0.001 } });
  await from.json('PUT', '/goals', { from: DAY, nutrients: { zinc: 10 } });
  const importAs = async (path: string, type: string) => {
    const { id, member, ask } = await newMember();
    const answer = await household.fixture.ask({
      method: 'POST',
      url: `/v1/users/${id}/import`,
      headers: { cookie: member.cookie, origin: household.origin, 'content-type': type },
      payload: (await from.ask('GET', path)).body,
    });
    expect(answer.statusCode).toBe(200);
    return ask;
  };
  const exported = async (ask: typeof from.ask) => (await ask('GET', '/export')).body.split('\n').slice(1);
  const imported = await importAs('/export', 'application/x-ndjson');
  expect(await exported(imported)).toEqual(await exported(from.ask));
  const ofTable = await importAs('/diary/export?format=csv', 'text/csv');
  const nutrientsIn = async (ask: typeof from.ask) =>
    (await ask('GET', `/diary?date=${DAY}`)).json().map(({ nutrients }: { nutrients: object }) => nutrients);
  expect(await nutrientsIn(ofTable)).toEqual(await nutrientsIn(from.ask));
});

test('the feed has them', async () => {
  const { id, json, log } = await newMember();
  const entry = await log({ foodId: DATES, quantity: 100, unit: 'g' });
  const { changes } = await json('GET', `/v1/users/${id}/changes`);
  const found = changes.find((change: { id: string }) => change.id === entry.id);
  expect(found.entry ?? found.value).toEqual(entry);
});

test('assistants read and set those that they name, and are not told the others', async () => {
  const { id, json, log } = await newMember();
  await log({ foodId: DATES, quantity: 50, unit: 'g' });
  await log({ foodId: SECRETS, quantity: 50, unit: 'g' });
  await json('PUT', '/goals', { from: '2026-01-01', nutrients: { vitaminC: 95 } });
  const key = await household.fixture.createKey(SCOPES);
  const url = `http://127.0.0.1:${household.fixture.port}/mcp?userId=${id}`;
  await using session = await openMcpSession(url, key, ERAS[0]);
  const day = await session.result('get_day', { date: DAY, further: ['magnesium'] });
  expect(day.meals[0].entries[0].nutrients).toMatchObject({ energy: 150, magnesium: 27 });
  expect(day.meals[0].entries[0].nutrients).not.toHaveProperty('vitaminC');
  const line = (name: string) => day.totals.find(({ nutrient }: { nutrient: string }) => nutrient === name);
  expect(line('magnesium').text).toBe('at least 27 mg; 1 of 2 foods state it');
  expect(line('vitaminC')).toMatchObject({ statedBy: 1, foods: 2, goal: 95 });
  const trend = await session.result('get_trend', { to: DAY, days: 1 });
  expect(trend.days[0].nutrients).not.toHaveProperty('magnesium');
  expect(trend.unknown ?? []).not.toContain('magnesium');
  const asked = await session.result('get_trend', { to: DAY, days: 1, further: ['magnesium'] });
  expect(asked).toMatchObject({ averages: { magnesium: 27 }, unknown: ['magnesium'] });
  expect(await session.call('get_day', { date: DAY, further: ['vitaminX'] })).toMatchObject({
    isError: true,
  });
  await session.result('set_goals', { from: DAY, nutrients: { magnesium: 350 } });
  expect((await json('GET', `/goals?date=${DAY}`)).nutrients).toEqual({ vitaminC: 95, magnesium: 350 });
});

test('a custom food may state them, changed one by one, and what is logged or cooked of it has them', async () => {
  const { member, json, log, ask } = await newMember();
  const jam = {
    name: 'Plum jam',
    servingSize: { value: 20, unit: 'g' },
    macros: { energy: 48, magnesium: 2.5, vitaminC: 0 },
  };
  const food = await json('POST', '/v1/foods', { ...jam, userId: member.id });
  expect(food.nutrients).toEqual({ energy: 48, magnesium: 2.5, vitaminC: 0 });
  expect(food.per100).toEqual({ energy: 240, magnesium: 12.5, vitaminC: 0 });
  const { macros } = await json('PATCH', `/v1/foods/${food.id}`, { macros: { zinc: 0.1, vitaminC: null } });
  expect(macros).toMatchObject({ magnesium: 2.5, zinc: 0.1 });
  expect(macros).not.toHaveProperty('vitaminC');
  const read = await json('GET', `/v1/foods/${food.id}`);
  expect((await json('PATCH', `/v1/foods/${food.id}`, read)).macros).toEqual(macros);
  const entry = await log({ foodId: food.id, quantity: 40, unit: 'g' });
  expect(entry.nutrients).toEqual({ energy: 96, magnesium: 5, zinc: 0.2 });
  const ingredients = [{ foodId: food.id, quantity: 100, unit: 'g' }];
  const recipe = await json('POST', '/recipes', { name: 'Jam alone', servings: 1, ingredients });
  expect(recipe.total.nutrients).toMatchObject({ magnesium: 12.5, zinc: 0.5 });
  expect((await json('GET', `/v1/foods/recipe:${recipe.id}`)).nutrients).toMatchObject({ magnesium: 12.5 });
  expect((await ask('GET', '/export')).body).toContain('"magnesium":2.5');
  const heavy = { ...jam, userId: member.id, macros: { energy: 1, water: 30 } };
  const answer = await member.ask('POST', '/v1/foods', heavy);
  expect([answer.statusCode, answer.json().error.details.fields]).toEqual([400, ['macros.water']]);
});
