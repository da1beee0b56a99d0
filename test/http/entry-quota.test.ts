import { afterAll, beforeAll, expect, test } from 'vitest';
import { starterCatalogue } from '../support/compiled-foods.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const LIMIT = 1_000;
const BATCH = 100;
const ENTRY = {
  date: '2026-01-31',
  mealType: 'lunch',
  foodName: 'Soup',
  calories: 100,
  protein: 1,
  carbs: 2,
  fat: 3,
};

let fixture: TestServer;
beforeAll(async () => {
  fixture = await openTestServer({
    settings: { LARDER_NEW_ENTRIES_PER_USER: String(LIMIT) },
    catalogue: await starterCatalogue(),
  });
});
afterAll(() => fixture[Symbol.asyncDispose]());

test('a user adds entries up to the quota, in batches and singly, without affecting others', async () => {
  const key = await fixture.createKey(['diary:read', 'diary:write', 'foods:read']);
  const ask = (method: 'POST' | 'GET', path: string, payload?: object) =>
    fixture.ask({
      method,
      url: `/v1/users/${path}`,
      headers: { authorization: `Bearer ${key}` },
      ...(payload !== undefined && { payload }),
    });
  const batch = Array.from({ length: BATCH }, () => ENTRY);
  for (let count = 0; count < LIMIT; count += BATCH) {
    expect((await ask('POST', 'ann/diary/batch', batch)).statusCode).toBe(201);
  }
  for (const [path, payload] of [
    ['ann/diary/batch', [ENTRY, ENTRY]],
    ['ann/diary/batch', [ENTRY, ENTRY]],
    ['ann/diary/text', { date: ENTRY.date, mealType: 'lunch', text: '2 eggs and a banana' }],
    ['ann/diary/copy', { from: ENTRY.date, to: '2026-02-01' }],
  ] as const) {
    const refused = await ask('POST', path, payload);
    expect([path, refused.statusCode, refused.json().error]).toEqual([
      path,
      403,
      expect.objectContaining({
        code: 'quota_exceeded',
        message: expect.stringContaining('later or one by one'),
        details: { quota: 'new_entries_per_user', limit: LIMIT, used: LIMIT },
      }),
    ]);
  }
  expect((await ask('POST', 'bo/diary/batch', [ENTRY, ENTRY])).statusCode).toBe(201);
  expect((await ask('POST', 'ann/diary', ENTRY)).statusCode).toBe(201);
  expect((await ask('GET', `ann/diary?date=${ENTRY.date}`)).json()).toHaveLength(LIMIT + 1);
});
