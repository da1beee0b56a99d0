import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXAMPLE_NEW_FOOD } from '../../src/api/foods/food-input.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const FOODS = 6;
const WORDS = 2_000;
/** Name and brand of the example have two words each, and its alias one. */
const EXAMPLE_WORDS = 5;
/** Long aliases: two foods with them exceed the quota. */
const ALIASES = Array.from({ length: 20 }, (_, at) => `${at} ${'a '.repeat(46)}a`);

let fixture: TestServer;
beforeAll(async () => {
  fixture = await openTestServer({
    settings: {
      LARDER_OWN_FOODS_PER_TENANT: String(FOODS),
      LARDER_OWN_FOOD_WORDS_PER_TENANT: String(WORDS),
    },
  });
});
afterAll(() => fixture[Symbol.asyncDispose]());

/** Uses its own tenant. */
async function asTenant(tenant: string) {
  const key = await fixture.createKey(['foods:read', 'foods:write'], undefined, tenant);
  return (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
    fixture.ask({
      method,
      url: `/v1/foods${path}`,
      headers: { authorization: `Bearer ${key}` },
      ...(payload !== undefined && { payload }),
    });
}

test('a tenant cannot exceed its quota of foods with concurrent requests', async () => {
  const ask = await asTenant('acme');
  const answers = await Promise.all(
    Array.from({ length: 4 * FOODS }, () => ask('POST', '', EXAMPLE_NEW_FOOD)),
  );
  const created = answers.filter(({ statusCode }) => statusCode === 201).map((answer) => answer.json().id);
  expect(created).toHaveLength(FOODS);
  const refused = answers.find(({ statusCode }) => statusCode !== 201)!;
  expect([refused.statusCode, refused.json().error]).toEqual([
    403,
    expect.objectContaining({
      code: 'quota_exceeded',
      message: expect.stringContaining('delete some'),
      details: { quota: 'custom_foods', limit: FOODS, used: FOODS },
    }),
  ]);
  expect((await (await asTenant('other'))('POST', '', EXAMPLE_NEW_FOOD)).statusCode).toBe(201);

  await ask('DELETE', `/${created[0]}`);
  expect((await ask('POST', '', EXAMPLE_NEW_FOOD)).statusCode).toBe(201);
  expect((await ask('POST', '', EXAMPLE_NEW_FOOD)).statusCode).toBe(403);
  expect((await ask('GET', '/search?q=plum')).json()).toHaveLength(FOODS);
});

test('the quota of words also applies to changes', async () => {
  const ask = await asTenant('wordy');
  const long = await ask('POST', '', { ...EXAMPLE_NEW_FOOD, aliases: ALIASES });
  const used = EXAMPLE_WORDS - 1 + 20 * 48;
  const { id } = (await ask('POST', '', EXAMPLE_NEW_FOOD)).json();
  expect((await ask('PATCH', `/${id}`, { aliases: ALIASES })).statusCode).toBe(200);
  const refused = await ask('POST', '', { ...EXAMPLE_NEW_FOOD, aliases: ALIASES });
  expect([refused.statusCode, refused.json().error.details]).toEqual([
    403,
    { quota: 'custom_food_words', limit: WORDS, used: 2 * used },
  ]);
  const third = (await ask('POST', '', EXAMPLE_NEW_FOOD)).json();
  const grown = await ask('PATCH', `/${third.id}`, { aliases: ALIASES.slice(0, 2) });
  expect([grown.statusCode, grown.json().error.code]).toEqual([403, 'quota_exceeded']);
  expect((await ask('GET', '/search?q=powidl')).json()[0].id).toBe(third.id);

  expect((await ask('PATCH', `/${long.json().id}`, { aliases: null })).statusCode).toBe(200);
  expect((await ask('PATCH', `/${third.id}`, { aliases: ALIASES.slice(0, 2) })).statusCode).toBe(200);
});
