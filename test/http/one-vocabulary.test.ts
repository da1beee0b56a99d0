import { NUTRIENT_KEYS } from '@larder/core/nutrients.ts';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { SCOPES } from '../../src/access/api-key.ts';
import { ALL_OPERATIONS } from '../../src/http/all-operations.ts';
import type { ScanId } from '../../src/scan/scan-job.ts';
import { type Method, SOUP } from '../support/diary-users.ts';
import { EventReader } from '../support/event-reader.ts';
import { SPREAD } from '../support/foods.ts';
import { BANANA_RESULT, settleScan } from '../support/settle-scan.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

// `nutrients`: all responses have it, with the same names and units.

/** 15 g of `SPREAD`. */
const SPREAD_15 = {
  energy: 80.85,
  protein: 0.945,
  fat: 4.635,
  carbohydrates: 8.625,
  sugars: 8.445,
  sodium: 6.45,
};

let fixture: TestServer;
let key: string;
beforeAll(async () => {
  fixture = await openTestServer();
  key = await fixture.createKey(SCOPES);
});
afterAll(() => fixture[Symbol.asyncDispose]());

const bearer = () => ({ authorization: `Bearer ${key}` });
const ask = (method: Method, url: string, payload?: object) =>
  fixture.ask({ method, url, headers: bearer(), ...(payload && { payload }) });
let users = 0;
function newUser() {
  const path = `/v1/users/user-${++users}`;
  return { send: (method: Method, rest: string, payload?: object) => ask(method, path + rest, payload) };
}

const { date, mealType } = SOUP;
const spread = { date, mealType, foodId: SPREAD.id, quantity: 15, unit: 'g' };

describe.each([
  { prefix: '/v1', headers: bearer },
  { prefix: '', headers: () => ({ 'x-api-key': key }) },
])('foods of $prefix/', ({ prefix, headers }) => {
  const get = async (path: string) =>
    (await fixture.ask({ url: `${prefix}${path}`, headers: headers() })).json();

  it.each([
    ['a search', '/foods/search?q=hazelnut&'],
    ['a look-up', `/foods/barcode/${SPREAD.barcode}?`],
    ['a look-up by code', `/foods/barcode?code=${SPREAD.barcode}&`],
  ])('%s answers them with and without servings', async (_what, path) => {
    const first = (answer: object) => (Array.isArray(answer) ? answer[0] : answer);
    expect(first(await get(path.slice(0, -1))).nutrients).toEqual(SPREAD_15);
    const detailed = first(await get(`${path}include=servings`));
    expect(detailed.nutrients).toEqual(SPREAD_15);
    expect(detailed.per100).toMatchObject({ energy: 539, carbohydrates: 57.5 });
  });

  it('a text has them for each food and in total', async () => {
    const answer = await fixture.ask({
      method: 'POST',
      url: `${prefix}/foods/parse`,
      headers: headers(),
      payload: { text: '15 g hazelnut spread and 15 g hazelnut spread' },
    });
    const { items, totals } = answer.json();
    expect(items[0].food.nutrients).toEqual(SPREAD_15);
    const doubled = Object.entries(SPREAD_15).map(([key, amount]) => [key, Math.round(amount * 2e3) / 1e3]);
    expect(totals.nutrients).toEqual(Object.fromEntries(doubled));
    expect(totals.nutrients.energy).toBe(totals.calories);
  });
});

it('foods by id, singly and together, have them', async () => {
  const one = (await ask('GET', `/v1/foods/${SPREAD.id}`)).json();
  expect(one.nutrients).toEqual(SPREAD_15);
  const { foods } = (await ask('GET', `/v1/foods/batch?ids=${SPREAD.id}`)).json();
  expect(foods).toMatchObject([{ nutrients: SPREAD_15 }]);
});

it('unknown nutrients of a custom food are absent, by id, in lists and in entries', async () => {
  const { send } = newUser();
  const created = await ask('POST', '/v1/foods', {
    name: 'Mystery bar',
    servingSize: { value: 40, unit: 'g' },
    macros: { energy: 180 },
  });
  const { id } = created.json();
  expect((await ask('GET', `/v1/foods/${id}`)).json()).toMatchObject({
    macros: { energy: 180, protein: 0 },
    nutrients: { energy: 180 },
  });
  const listed = (await ask('GET', '/v1/foods')).json() as { id: string }[];
  expect(listed.find((food) => food.id === id)).toHaveProperty('nutrients', { energy: 180 });
  await send('POST', '/diary', { date, mealType, foodId: id, quantity: 40, unit: 'g' });
  const entries = (await send('GET', `/diary?date=${date}`)).json();
  expect(entries).toMatchObject([{ calories: 180, protein: 0, nutrients: { energy: 180 } }]);
  expect(Object.keys(entries[0].nutrients)).toEqual(['energy']);
  const totals = (await send('GET', `/diary/totals?date=${date}`)).json();
  expect(totals.nutrients).toEqual({ energy: 180 });
});

it('entries, totals and meals have them', async () => {
  const { send } = newUser();
  const entry = (await send('POST', '/diary', spread)).json();
  expect(entry.nutrients).toEqual(SPREAD_15);
  expect((await send('GET', `/diary/${entry.id}`)).json()).toEqual(entry);
  expect((await send('GET', `/diary?date=${date}`)).json()).toEqual([entry]);
  expect((await send('GET', `/diary/entries?from=${date}&to=${date}`)).json()).toEqual([entry]);
  expect((await send('GET', '/diary/export')).json()).toMatchObject([{ nutrients: SPREAD_15 }]);
  expect((await send('GET', '/foods/recent')).json()).toMatchObject([{ nutrients: SPREAD_15 }]);
  await send('POST', '/diary', { ...SOUP, sodium: undefined });
  const answer = (await send('GET', `/diary/totals?date=${date}&by=meal`)).json();
  expect(answer.nutrients).toMatchObject({
    energy: answer.calories,
    protein: answer.protein,
    carbohydrates: answer.carbs,
    fat: answer.fat,
    sugars: 8.445,
  });
  expect(answer.unknown).toContain('sugars');
  expect(answer.meals[mealType].nutrients).toEqual(answer.nutrients);
  const empty = (await send('GET', '/diary/totals?date=2026-03-01')).json();
  expect(empty.nutrients).toEqual({ energy: 0, protein: 0, fat: 0, carbohydrates: 0, fiber: 0, sodium: 0 });
});

it('goals and saved meals have them', async () => {
  const { send } = newUser();
  const goals = (await send('PUT', '/goals', { calories: 2000, nutrients: { iron: 14 } })).json();
  expect(goals).toMatchObject({ calories: 2000, nutrients: { energy: 2000, iron: 14 } });
  const items = [{ foodName: 'Bar', calories: 200, carbs: 30, nutrients: { sugars: 20 } }];
  const meal = (await send('POST', '/meals', { name: 'Snack', items })).json();
  expect(meal.items[0].nutrients).toEqual({ energy: 200, carbohydrates: 30, sugars: 20 });
  expect((await send('PATCH', `/meals/${meal.id}`, meal)).json()).toEqual(meal);
});

describe('nutrients with a field of their own, sent', () => {
  const soup = { ...SOUP, nutrients: { energy: SOUP.calories, sugars: 3 } };

  it('make an entry like the field, and contradict it only with an error', async () => {
    const { send } = newUser();
    const entry = (await send('POST', '/diary', soup)).json();
    expect(entry).toMatchObject({ calories: SOUP.calories, nutrients: { energy: SOUP.calories, sugars: 3 } });
    const { protein, ...others } = SOUP;
    const named = (await send('POST', '/diary', { ...others, nutrients: { protein } })).json();
    expect(named).toMatchObject({ protein, nutrients: { protein } });
    const answer = await send('POST', '/diary', { ...soup, nutrients: { energy: SOUP.calories + 1 } });
    expect([answer.statusCode, answer.json().error.details.fields]).toEqual([400, ['calories']]);
  });

  it('and sent back as they were read follow the one that was changed', async () => {
    const { send } = newUser();
    const entry = (await send('POST', '/diary', soup)).json();
    const change = async (body: object) =>
      (await send('PATCH', `/diary/${entry.id}`, body)).json() as {
        calories: number;
        nutrients: { energy: number };
        error?: { code: string };
      };
    const { version: _, updatedAt: __, ...read } = entry;
    expect(await change({ ...read, calories: 11 })).toMatchObject({
      calories: 11,
      nutrients: { energy: 11 },
    });
    const other = await change({ ...read, calories: 11, nutrients: { ...read.nutrients, energy: 12 } });
    expect(other).toMatchObject({ calories: 12, nutrients: { energy: 12 } });
    const both = await change({ calories: 13, nutrients: { energy: 14 } });
    expect(both.error?.code).toBe('invalid_request');
  });

  it('change goals and ingredients alike', async () => {
    const { send } = newUser();
    await send('PUT', '/goals', { calories: 2000, fat: 70 });
    const goals = (await send('GET', `/goals?date=2099-01-01`)).json();
    const { version: _, ...read } = goals;
    const changed = await send('PATCH', '/goals', { ...read, from: undefined, calories: 2100 });
    expect(changed.json()).toMatchObject({ calories: 2100, fat: 70, nutrients: { energy: 2100, fat: 70 } });
    const ingredients = [{ foodName: 'Broth', calories: 40, protein: 3 }];
    const recipe = (await send('POST', '/recipes', { name: 'Broth', servings: 1, ingredients })).json();
    const [read0] = recipe.ingredients;
    expect(read0.nutrients).toEqual({ energy: 40, protein: 3 });
    const same = (await send('PATCH', `/recipes/${recipe.id}`, { ingredients: [read0] })).json();
    expect(same.ingredients).toEqual([read0]);
    const change = (ingredient: object) =>
      send('PATCH', `/recipes/${recipe.id}`, { ingredients: [ingredient] });
    const changedOne = (await change({ ...read0, calories: 50 })).json();
    expect(changedOne.ingredients).toMatchObject([{ calories: 50, nutrients: { energy: 50, protein: 3 } }]);
    const differs = { foodName: 'Broth', calories: 50, nutrients: { energy: 51 } };
    expect((await change(differs)).statusCode).toBe(400);
  });
});

it('recipes have them, and can be sent back as read', async () => {
  const { send } = newUser();
  const ingredients = [{ foodId: SPREAD.id, quantity: 30, unit: 'g' }];
  const { id } = (await send('POST', '/recipes', { name: 'Spread', servings: 2, ingredients })).json();
  const recipe = (await send('GET', `/recipes/${id}`)).json();
  expect(recipe.perServing.nutrients).toEqual(SPREAD_15);
  expect(recipe.total.nutrients.energy).toBe(recipe.total.calories);
  expect((await send('GET', '/recipes')).json()).toEqual([recipe]);
  expect((await send('PATCH', `/recipes/${id}`, recipe)).statusCode).toBe(200);
});

it('scans have them in both variants and in the stream', async () => {
  const created = await ask('POST', '/v1/scan/image', { clientId: 'phone', contentType: 'image/jpeg' });
  const { jobId, uploadUrl, streamUrl } = created.json() as Record<string, string>;
  await fetch(uploadUrl!, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: 'a photo' });
  const id = jobId as ScanId;
  for (const job of await fixture.scanStore.findByIds([id])) await fixture.uploadEvents.look(job);
  await settleScan(fixture.database, id, { result: BANANA_RESULT });
  const { result } = (await ask('GET', `/v1/scan/image/${jobId}`)).json();
  const [item] = result.items;
  expect(item.nutrients).toEqual(item.macros);
  expect(item.nutrients).toHaveProperty('potassium', 422);
  expect(result.nutrients).toEqual(item.nutrients);
  expect(result.nutrients.energy).toBe(result.calories);
  const headers = { 'x-api-key': key };
  const other = await fixture.ask({ url: `/scan/image/${jobId}`, headers });
  expect(other.json().result.items).toMatchObject([{ nutrients: item.nutrients }]);
  const stream = `http://127.0.0.1:${fixture.port}/v1/scan/image/${jobId}/stream`;
  for (const url of [`${stream}`, `${streamUrl}`]) {
    const reader = await EventReader.open(url, bearer());
    let last: { result?: object } = {};
    for (let event = await reader.next(); event !== undefined; event = await reader.next()) last = event.data;
    expect(last.result).toEqual(result);
  }
});

const INCLUDING = ALL_OPERATIONS.filter(
  ({ query }) =>
    query !== undefined &&
    JSON.stringify(Object.keys('shape' in query ? query.shape : {})).includes('"include"'),
);

test.each(INCLUDING.filter(({ access }) => access !== 'public'))(
  '$method $path rejects another include by its name',
  async ({ method, path, access, body }) => {
    const isBearer = typeof access === 'object' && 'credential' in access && access.credential === 'bearer';
    const answer = await fixture.ask({
      method,
      url: `${path.replace(':userId', 'ann').replace(':upc', '4006381333931').replace(/:\w+/, 'starter:x')}?include=everything`,
      headers: isBearer ? bearer() : { 'x-api-key': key },
      ...(body !== undefined && { payload: { text: 'banana' } }),
    });
    const { message, details } = answer.json().error;
    expect([answer.statusCode, details.parameter ?? details.fields[0]]).toEqual([400, 'include']);
    expect(message).toMatch(/^"include" can (?:only )?be "/);
  },
);

test('the names are those of foods', () => {
  for (const name of Object.keys(SPREAD_15)) expect(NUTRIENT_KEYS).toContain(name);
});
