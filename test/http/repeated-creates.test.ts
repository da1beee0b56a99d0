import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import type { IdempotentRequestsTable } from '../../src/idempotency/idempotency-store.ts';
import { cutAnswers } from '../support/cut-answers.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

let fixture: TestServer;
let key: string;
beforeAll(async () => {
  fixture = await openTestServer();
  key = await fixture.createKey(['diary:read', 'diary:write', 'diary:erase', 'foods:read', 'foods:write']);
});
afterAll(() => fixture[Symbol.asyncDispose]());

const AMOUNTS = { calories: 100, protein: 1, carbs: 2, fat: 3 };
const ENTRY = { date: '2030-01-01', mealType: 'lunch', foodName: 'Soup', ...AMOUNTS };
const INGREDIENTS = [{ foodName: 'Lentils', ...AMOUNTS }];
const FOOD = {
  name: 'Plum pie',
  servingSize: { value: 100, unit: 'g' },
  macros: { energy: 250, protein: 3, fat: 10, carbohydrates: 35 },
};

const MEASUREMENT = { name: 'weight', value: 72.4, unit: 'kg' };
const MEAL = { name: 'Breakfast', items: [{ foodName: 'Soup', calories: 1 }] };

const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, idempotencyKey?: string) =>
  fixture.ask({
    method,
    url,
    ...(payload && { payload }),
    headers: { authorization: `Bearer ${key}`, ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) },
  });

test.each([
  ['an entry', '/v1/users/ann/diary', ENTRY, '/v1/users/ann/diary?date=2030-01-01', 1],
  ['entries', '/v1/users/bob/diary/batch', [ENTRY, ENTRY, ENTRY], '/v1/users/bob/diary?date=2030-01-01', 3],
  [
    'a recipe',
    '/v1/users/ann/recipes',
    { name: 'Stew', servings: 2, ingredients: INGREDIENTS },
    '/v1/users/ann/recipes',
    1,
  ],
  ['a measurement', '/v1/users/ann/measurements', MEASUREMENT, '/v1/users/ann/measurements', 1],
  ['a saved meal', '/v1/users/ann/meals', MEAL, '/v1/users/ann/meals', 1],
  ['a food', '/v1/foods', FOOD, '/v1/foods/search?q=plum+pie', 1],
])(
  '%s is not created again after its process crashed, and the repetition gets the response',
  async (what, url, body, list, count) => {
    await cutAnswers(fixture.database, async () => {
      const unkept = await ask('POST', url, body, what.replaceAll(' ', '-'));
      expect(unkept.statusCode).toBeGreaterThanOrEqual(500);
      expect(unkept.json().error.requestId).toBe(unkept.headers['x-request-id']);
      // Events of the created objects are sent when the client repeats the request.
      expect([unkept.headers['location'], unkept.headers['etag']]).toEqual([undefined, undefined]);
    });
    const there = (await ask('GET', list)).json();
    expect(there).toHaveLength(count);

    const repeated = await ask('POST', url, body, what.replaceAll(' ', '-'));
    expect([repeated.statusCode, repeated.headers['idempotency-replayed']]).toEqual([201, undefined]);
    expect((await ask('GET', list)).json()).toEqual(there);
    const created: { id: string }[] = [repeated.json()].flat();
    expect(created.map(({ id }) => id)).toEqual(there.map(({ id }: { id: string }) => id));
    if (count === 1) expect(repeated.headers['location']).toContain(created[0]!.id);

    const replayed = await ask('POST', url, body, what.replaceAll(' ', '-'));
    expect([replayed.headers['idempotency-replayed'], replayed.body]).toEqual(['true', repeated.body]);
  },
);

test('repeating a lost request does not create its entries again, even a deleted one', async () => {
  const url = '/v1/users/flo/diary';
  await cutAnswers(fixture.database, () => ask('POST', `${url}/batch`, [ENTRY, ENTRY, ENTRY], 'three'));
  const list = async () => (await ask('GET', `${url}?date=${ENTRY.date}`)).json();
  const [first, ...others] = await list();
  expect((await ask('DELETE', `${url}/${first.id}`)).statusCode).toBe(204);
  const repeated = await ask('POST', `${url}/batch`, [ENTRY, ENTRY, ENTRY], 'three');
  expect([repeated.statusCode, repeated.json()]).toEqual([201, others]);
  expect(await list()).toEqual(others);
});

test.each([
  ['an entry', '/v1/users/gus/diary', ENTRY, '/v1/users/gus/diary?date=2030-01-01'],
  ['entries', '/v1/users/hal/diary/batch', [ENTRY, ENTRY], '/v1/users/hal/diary?date=2030-01-01'],
  [
    'a recipe',
    '/v1/users/gus/recipes',
    { name: 'Stew', servings: 2, ingredients: INGREDIENTS },
    '/v1/users/gus/recipes',
  ],
  ['a measurement', '/v1/users/gus/measurements', MEASUREMENT, '/v1/users/gus/measurements'],
  ['a saved meal', '/v1/users/gus/meals', MEAL, '/v1/users/gus/meals'],
  ['a food', '/v1/foods', { ...FOOD, name: 'Zwetschgendatschi' }, '/v1/foods/search?q=zwetschgendatschi'],
])('%s stays deleted when its lost request is repeated', async (what, url, body, list) => {
  const idempotencyKey = `gone-${what.replaceAll(' ', '-')}`;
  await cutAnswers(fixture.database, () => ask('POST', url, body, idempotencyKey));
  const listed = async () => (await ask('GET', list)).json();
  const created = await listed();
  expect(created).toHaveLength([body].flat().length);
  for (const { id } of created) {
    expect((await ask('DELETE', `${url.replace('/batch', '')}/${id}`)).statusCode).toBe(204);
  }
  const repeated = await ask('POST', url, body, idempotencyKey);
  expect(repeated.statusCode).toBe(201);
  expect([repeated.json()].flat().map(({ id }) => id)).toEqual(created.map(({ id }: { id: string }) => id));
  expect(await listed()).toEqual([]);
  const replayed = await ask('POST', url, body, idempotencyKey);
  expect([replayed.headers['idempotency-replayed'], replayed.body]).toEqual(['true', repeated.body]);
});

test('repeating a lost copy does not copy the day again, even onto itself', async () => {
  const url = '/v1/users/cay/diary';
  await ask('POST', `${url}/batch`, [ENTRY, ENTRY]);
  const order = { from: ENTRY.date, to: ENTRY.date, toMealType: 'dinner' };
  await cutAnswers(fixture.database, () => ask('POST', `${url}/copy`, order, 'copy'));
  const repeated = await ask('POST', `${url}/copy`, order, 'copy');
  expect([repeated.statusCode, repeated.json().length]).toEqual([201, 2]);
  expect((await ask('GET', `${url}?date=${ENTRY.date}`)).json()).toHaveLength(4);
});

it('stores no response about an erased user, whoever sent the request', async () => {
  const keptAbout = async (name: string) => {
    const rows = await sql<IdempotentRequestsTable>`select body from idempotent_requests`.all(
      fixture.database.db,
    );
    return rows.filter(({ body }) => body?.includes(name)).length;
  };
  const url = '/v1/users/dan/diary';
  const { token } = await tokenOf('dan');
  await ask('POST', url, { ...ENTRY, foodName: 'Borscht' }, 'by-key');
  await fixture.ask({
    method: 'POST',
    url,
    payload: { ...ENTRY, foodName: 'Borscht' },
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'by-token' },
  });
  await ask('POST', '/v1/users/eve/diary', { ...ENTRY, foodName: 'Borscht' }, 'of-another');
  expect(await keptAbout('Borscht')).toBe(3);
  expect((await ask('DELETE', '/v1/users/dan')).statusCode).toBe(204);
  expect(await keptAbout('Borscht')).toBe(1);
});

async function tokenOf(userId: string): Promise<{ token: string }> {
  const answer = await fixture.ask({
    method: 'POST',
    url: '/v1/auth/token',
    payload: { client_secret: key, user_id: userId },
  });
  return { token: answer.json().access_token };
}
