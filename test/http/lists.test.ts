import { afterAll, describe, expect, it } from 'vitest';
import { createKeyIssuer, openKeyStore } from '../../src/compose/keys.ts';
import { describedApi } from '../../src/http/api-operations.ts';
import { newFood } from '../support/food-owners.ts';
import { openTestServer } from '../support/test-server.ts';

interface Parameter {
  readonly name: string;
  readonly schema: { readonly default?: number };
}

/** More than one answer may hold. */
const COUNT = 105;
const DAY = '2026-01-31';
const AMOUNTS = { calories: 1, protein: 0, carbs: 0, fat: 0 };

const fixture = await openTestServer();
afterAll(() => fixture[Symbol.asyncDispose]());
const key = await fixture.createKey(
  ['foods:read', 'foods:write', 'diary:read', 'diary:write', 'admin'],
  undefined,
  'acme',
);
const numbers = Array.from({ length: COUNT }, (_, at) => at);

async function post(url: string, payload: object) {
  const headers = { authorization: `Bearer ${key}` };
  expect((await fixture.ask({ method: 'POST', url, headers, payload })).statusCode).toBe(201);
}
const issuer = createKeyIssuer(openKeyStore(fixture.database));
for (const at of numbers) {
  await post('/v1/foods', newFood({ name: `quince ${at}` }));
  await post('/v1/users/ann/recipes', {
    name: `tart ${at}`,
    servings: 1,
    ingredients: [{ foodName: 'quince', ...AMOUNTS }],
  });
  if (at > 0) await issuer.create({ tenant: 'acme', scopes: ['foods:read'] });
}
const entries = numbers.map((at) => ({ date: DAY, mealType: 'lunch', foodName: `quince ${at}`, ...AMOUNTS }));
for (const some of [entries.slice(0, 100), entries.slice(100)]) await post('/v1/users/ann/diary', some);

const { paths } = describedApi() as {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters: readonly Parameter[] } }>>;
};
/** The lists of the API: every operation whose answer has a limit. */
const lists = Object.entries(paths).flatMap(([path, { get }]) => {
  const parameters = get?.parameters ?? [];
  const limit = parameters.find(({ name }) => name === 'limit');
  return limit === undefined ? [] : [{ path, limit, names: parameters.map(({ name }) => name) }];
});

function get(path: string, query: string) {
  const needed = path.endsWith('/search') ? 'q=quince' : path.endsWith('/diary') ? `date=${DAY}` : '';
  return fixture.ask({
    url: `${path.replace('{userId}', 'ann')}?${needed}&${query}`,
    headers: path.startsWith('/v1') ? { authorization: `Bearer ${key}` } : { 'x-api-key': key },
  });
}

it('there are lists to try', () => {
  expect(lists.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/v1/foods/search', '/foods/search', '/v1/foods', '/v1/admin/keys']),
  );
});

describe.each(lists)('$path', ({ path, limit }) => {
  it.each([
    ['limit=1', 1],
    ['limit=007', 7],
    ['limit=100', 100],
    ['limit=101', 100],
    ['limit=1000', 100],
    ['limit=81891941609702110003200', 100],
    ['', limit.schema.default ?? COUNT],
  ])('of many, "%s" answers %i', async (query, count) => {
    const answer = await get(path, query);
    expect([answer.statusCode, answer.json().length]).toEqual([200, count]);
  });

  it.each(['0', '-1', 'abc', '', '1.5', '1e1', '%2B5', '5%20', '5&limit=6'])(
    'limit=%s is refused',
    async (typed) => {
      const answer = await get(path, `limit=${typed}`);
      expect([answer.statusCode, answer.json().error]).toEqual([
        400,
        {
          code: 'invalid_query',
          message: '"limit" has to be a whole number from 1; more than 100 is taken as 100.',
          requestId: expect.any(String),
          details: { parameter: 'limit' },
        },
      ]);
    },
  );
});
