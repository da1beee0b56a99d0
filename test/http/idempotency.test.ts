import { OutageError } from '@larder/core/errors.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { MAX_BODY_BYTES } from '../../src/api/body-limits.ts';
import { sql } from '../../src/db/sql.ts';
import { testOperation } from '../support/test-operation.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

let fixture: TestServer;
let key: string;
beforeAll(async () => {
  fixture = await openTestServer();
  key = await fixture.createKey(['foods:read', 'diary:read', 'diary:write']);
});
afterAll(() => fixture[Symbol.asyncDispose]());

const ENTRY = {
  date: '2030-01-01',
  mealType: 'lunch',
  foodName: 'Soup',
  calories: 100,
  protein: 1,
  carbs: 2,
  fat: 3,
};

const post = (user: string, idempotencyKey: string, payload: object = ENTRY, credential = key) =>
  fixture.ask({
    method: 'POST',
    url: `/v1/users/${user}/diary${Array.isArray(payload) ? '/batch' : ''}`,
    payload,
    headers: { authorization: `Bearer ${credential}`, 'idempotency-key': idempotencyKey },
  });
async function count(user: string): Promise<number> {
  const answer = await fixture.ask({
    url: `/v1/users/${user}/diary?date=2030-01-01`,
    headers: { authorization: `Bearer ${key}` },
  });
  return answer.json().length;
}

it('a repeated request gets the first response and is executed once', async () => {
  const first = await post('ann', 'k1');
  const second = await post('ann', 'k1');
  expect(first.statusCode).toBe(201);
  expect([second.statusCode, second.body]).toEqual([first.statusCode, first.body]);
  for (const name of ['location', 'etag', 'content-type'])
    expect(second.headers[name]).toBe(first.headers[name]);
  expect([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']]).toEqual([
    undefined,
    'true',
  ]);
  expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  expect(await count('ann')).toBe(1);
});

it('concurrent repetitions are executed once and get the same response', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => post('twins', 'k2')));
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  expect(await count('twins')).toBe(1);
});

it('a body with its fields in another order counts as the same body', async () => {
  const nested = { ...ENTRY, nutrients: { sugars: 1, iron: 2 } };
  const reversed = {
    nutrients: { iron: 2, sugars: 1 },
    ...Object.fromEntries(Object.entries(ENTRY).reverse()),
  };
  const url = '/v1/users/swift/diary/batch';
  const send = (payload: object) =>
    fixture.ask({
      method: 'POST',
      url,
      payload,
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'k0' },
    });
  const first = await send([nested, ENTRY]);
  const second = await send([reversed, ENTRY]);
  expect([second.statusCode, second.body]).toEqual([201, first.body]);
  expect((await send([ENTRY, nested])).statusCode).toBe(409);
  expect(await count('swift')).toBe(2);
});

it('another body or address with the same key is a conflict', async () => {
  await post('eve', 'k3');
  for (const answer of [await post('eve', 'k3', { ...ENTRY, fat: 4 }), await post('bob', 'k3')]) {
    expect([answer.statusCode, answer.json().error.code]).toEqual([409, 'idempotency_conflict']);
  }
  expect(await count('eve')).toBe(1);
});

it('an error response is repeated, too', async () => {
  const wrong = { ...ENTRY, fat: -1 };
  const [first, second] = [await post('ann', 'k4', wrong), await post('ann', 'k4', wrong)];
  expect([first.statusCode, second.statusCode]).toEqual([400, 400]);
  expect(second.headers['idempotency-replayed']).toBe('true');
});

it('a body nested too deeply is rejected with a key, too', async () => {
  const answer = await fixture.ask({
    method: 'POST',
    url: '/v1/users/ann/diary/batch',
    payload: '['.repeat(500_000) + ']'.repeat(500_000),
    headers: {
      authorization: `Bearer ${key}`,
      'idempotency-key': 'deep',
      'content-type': 'application/json',
    },
  });
  expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'invalid_request']);
});

it('another tenant may use the same key', async () => {
  const other = await fixture.createKey(['diary:write'], undefined, 'other');
  await post('ann', 'k5');
  const answer = await post('ann', 'k5', ENTRY, other);
  expect([answer.statusCode, answer.headers['idempotency-replayed']]).toEqual([201, undefined]);
});

it('a caller without access gets no stored response', async () => {
  await post('ann', 'k6');
  expect((await post('ann', 'k6', ENTRY, await fixture.createKey(['diary:read']))).statusCode).toBe(403);
});

it.each(['', ' ', 'a b', 'x'.repeat(256), 'ü'])('the key %.5j is rejected', async (idempotencyKey) => {
  const answer = await post('ann', idempotencyKey);
  expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'invalid_request']);
});

it('a token response is secret and is not stored: each repetition creates a new token', async () => {
  const mint = () =>
    fixture.ask({
      method: 'POST',
      url: '/v1/auth/token',
      payload: { client_secret: key, user_id: 'ann' },
      headers: { 'idempotency-key': 'k7' },
    });
  await mint();
  expect((await mint()).headers['idempotency-replayed']).toBeUndefined();
});

it('the response of a parsed text is not stored, since parsing writes nothing', async () => {
  const read = (text: string) =>
    fixture.ask({
      method: 'POST',
      url: '/v1/foods/parse',
      payload: { text },
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'only-read' },
    });
  const answers = [await read('1 banana'), await read('1 banana'), await read('2 bananas')];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(answers.map(({ headers }) => headers['idempotency-replayed'])).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  const kept = sql`select * from idempotent_requests where idempotency_key = 'only-read'`;
  expect(await kept.all(fixture.database.db)).toEqual([]);
});

it('a failing request gets its error even if its claim cannot be released', async () => {
  await using server: TestServer = await openTestServer({
    operations: [
      testOperation({
        method: 'POST',
        path: '/v1/breaking',
        access: { credential: 'bearer', scope: 'diary:write' },
        body: { schema: z.unknown(), limit: MAX_BODY_BYTES },
        handle: async () => {
          await sql`alter table idempotent_requests rename to out_of_reach`.all(server.database.db);
          throw new OutageError('gone');
        },
      }),
    ],
  });
  const credential = await server.createKey(['diary:write']);
  const answer = await server.ask({
    method: 'POST',
    url: '/v1/breaking',
    payload: {},
    headers: { authorization: `Bearer ${credential}`, 'idempotency-key': 'k' },
  });
  expect([answer.statusCode, answer.json().error.code]).toEqual([503, 'unavailable']);
  expect(answer.headers['content-type']).toContain('application/json');
});
