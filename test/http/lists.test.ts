import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createKeyIssuer, openKeyStore } from '../../src/app/keys.ts';
import { MAX_LIMIT } from '../../src/base/list-request.ts';
import { describedApi } from '../../src/http/openapi/described-api.ts';
import { newFood } from '../support/food-owners.ts';
import { PATIENCE } from '../support/patience.ts';
import { openTestServer } from '../support/test-server.ts';

interface Parameter {
  readonly name: string;
  readonly schema: { readonly default?: number };
}

/** More than one response may contain. */
const COUNT = 105;
const DAY = '2026-01-31';
const AMOUNTS = { calories: 1, protein: 0, carbs: 0, fat: 0 };

const fixture = await openTestServer({ settings: { LARDER_WEBHOOKS_PER_TENANT: '200' } });
afterAll(() => fixture[Symbol.asyncDispose]());
const key = await fixture.createKey(
  ['foods:read', 'foods:write', 'diary:read', 'diary:write', 'admin', 'webhooks'],
  undefined,
  'acme',
);
/** A key of another tenant, so that the lists do not contain it. */
const operator = await fixture.createKey(['operator'], undefined, 'operators');
const numbers = Array.from({ length: COUNT }, (_, at) => at);

async function post(url: string, payload?: object) {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fixture.ask({ method: 'POST', url, headers, payload });
  expect(answer.statusCode).toBe(201);
  return answer.json();
}
async function put(url: string, payload: object) {
  const headers = { authorization: `Bearer ${key}` };
  expect((await fixture.ask({ method: 'PUT', url, headers, payload })).statusCode).toBe(200);
}

const issuer = createKeyIssuer(openKeyStore(fixture.database));
for (const at of numbers) {
  // The tenant's user ann is the last one.
  if (at > 0) await put(`/v1/users/user${at}/goals`, { calories: 2_000 });
  await post('/v1/foods', newFood({ name: `quince ${at}` }));
  await post('/v1/users/ann/recipes', {
    name: `tart ${at}`,
    servings: 1,
    ingredients: [{ foodName: 'quince', ...AMOUNTS }],
  });
  await post('/v1/users/ann/measurements', { name: 'weight', value: at, unit: 'kg' });
  await post('/v1/users/ann/meals', { name: `meal ${at}`, items: [{ foodName: 'quince', ...AMOUNTS }] });
  await post('/v1/users/ann/favourites', { name: `favourite ${at}`, foodId: `fdc:${at}` });
  const day = new Date(Date.UTC(2025, 0, 1 + at)).toISOString().slice(0, 10);
  await put(`/v1/users/ann/diary/days/${day}`, { note: `day ${at}` });
  if (at > 0) await issuer.create({ tenant: 'acme', scopes: ['foods:read'] });
}
const entries = numbers.map((at) => ({ date: DAY, mealType: 'lunch', foodName: `quince ${at}`, ...AMOUNTS }));
for (const some of [entries.slice(0, 100), entries.slice(100)]) await post('/v1/users/ann/diary/batch', some);

// They get no earlier events.
const webhook = { url: 'https://app.example.com/hook', events: ['food.changed'] };
const { id: webhookId } = await post('/v1/webhooks', webhook);
for (const _ of numbers) await post(`/v1/webhooks/${webhookId}/test`);
for (const at of numbers) if (at > 0) await post('/v1/webhooks', webhook);

const paths = (['versioned', 'unversioned'] as const).flatMap((variant) => {
  const described = describedApi(variant) as {
    readonly paths: Readonly<
      Record<string, { readonly get?: { readonly parameters: readonly Parameter[] } }>
    >;
  };
  return Object.entries(described.paths);
});
/** The lists of the API: every operation whose response has a limit, except the feed, whose pages are objects. */
const lists = paths.flatMap(([path, { get }]) => {
  const parameters = get?.parameters ?? [];
  const limit = parameters.find(({ name }) => name === 'limit');
  const cursor = parameters.find(({ name }) => name === 'after' || name === 'offset')?.name;
  // Short lists of people, sessions and the like hold what a test cannot make more than a hundred of.
  if (limit === undefined || limit.schema.default === MAX_LIMIT || path.endsWith('/changes')) return [];
  return [{ path, limit, cursor }];
});

/** Required parameters of lists, by the end of the path. */
const NEEDED = { '/search': 'q=quince', '/v1/keys': 'tenant=acme' };

function filled(path: string): string {
  return path.replace('{userId}', 'ann').replace('{webhookId}', webhookId);
}

function get(path: string, query: string) {
  const needed = Object.entries(NEEDED).find(([end]) => path.endsWith(end))?.[1] ?? '';
  return follow(`${filled(path)}?${needed}&${query}`);
}

function follow(url: string) {
  const headers: Record<string, string> = url.startsWith('/v1')
    ? { authorization: `Bearer ${url.startsWith('/v1/operator') ? operator : key}` }
    : { 'x-api-key': key };
  return fixture.ask({ url, headers });
}

// A search waits a tenth of a second for the foods of a tenant, which a busy machine may exceed.
beforeAll(() =>
  vi.waitFor(async () => {
    expect((await get('/v1/foods/search', 'limit=100')).json()).toHaveLength(100);
  }, PATIENCE),
);

it('the API has lists to test', () => {
  expect(lists.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/v1/foods/search', '/foods/search', '/v1/foods', '/v1/keys']),
  );
});

describe.each(lists)('$path', ({ path, limit, cursor }) => {
  it.each([
    ['limit=1', 1],
    ['limit=007', 7],
    ['limit=100', 100],
    ['limit=101', 100],
    ['limit=1000', 100],
    ['limit=81891941609702110003200', 100],
    ['', limit.schema.default ?? COUNT],
  ])('limit "%s" of a long list returns %i', async (query, count) => {
    const answer = await get(path, query);
    expect([answer.statusCode, answer.json().length]).toEqual([200, count]);
    const isClamped = Number(query.slice('limit='.length)) > MAX_LIMIT;
    expect(answer.headers['limit-applied']).toBe(isClamped ? String(MAX_LIMIT) : undefined);
  });

  it.each(['0', '-1', 'abc', '', '1.5', '1e1', '%2B5', '5%20', '5&limit=6'])(
    'limit=%s is rejected',
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

  it.each([40, 35, 104, 105])('pages of %i are linked and make up the whole list', async (size) => {
    const whole: unknown[] = [];
    const sizes: number[] = [];
    let answer = await get(path, `limit=${size}${cursor === 'offset' ? '&offset=0' : ''}`);
    for (;;) {
      const page = answer.json();
      whole.push(...page);
      sizes.push(page.length);
      const { link } = answer.headers;
      if (link === undefined) break;
      const next = /^<([^>]+)>; rel="next"$/.exec(String(link))![1]!;
      expect(next.startsWith(filled(path))).toBe(true);
      answer = await follow(next);
      expect(answer.statusCode).toBe(200);
    }
    const most = Math.min(size, 100);
    const last = COUNT % most;
    expect(sizes).toEqual([
      ...Array.from({ length: Math.floor(COUNT / most) }, () => most),
      ...(last === 0 ? [] : [last]),
    ]);
    const texts = whole.map((element) => JSON.stringify(element));
    expect(new Set(texts).size).toBe(COUNT);
  });

  it.each([
    'x',
    '-1',
    '1.5',
    '2026-01-31',
    'manual:',
    '%00',
    '%F0%9F%8D%93',
    '..%2F',
    'a'.repeat(200),
    '1&CURSOR=1',
  ])('a malformed cursor, %s, is rejected', async (typed) => {
    const answer = await get(path, `${cursor}=${typed.replace('CURSOR', cursor!)}`);
    expect([answer.statusCode, answer.json().error]).toMatchObject([
      400,
      { code: 'invalid_query', details: { parameter: cursor } },
    ]);
  });
});

const diary = '/v1/users/ann/diary';
const OTHER_DAY = '2026-02-01';

it('diary pages continue after their last entry, across days and after its deletion', async () => {
  const meal = { mealType: 'lunch', foodName: 'leek', ...AMOUNTS };
  const headers = { authorization: `Bearer ${key}` };
  const ben = diary.replace('ann', 'ben');
  await post(
    `${ben}/batch`,
    [DAY, DAY, OTHER_DAY].map((date) => ({ ...meal, date })),
  );
  const range = `from=${DAY}&to=${OTHER_DAY}`;
  const all = (await follow(`${ben}/entries?${range}`)).json();
  const first = await follow(`${ben}/entries?${range}&limit=2`);
  expect(first.json()).toEqual(all.slice(0, 2));
  await fixture.ask({ method: 'DELETE', url: `${ben}/${all[1].id}`, headers });
  const second = await follow(/<([^>]+)>/.exec(String(first.headers['link']))![1]!);
  expect(second.json()).toEqual(all.slice(2));
  expect(second.headers).not.toHaveProperty('link');
});

it('a diary cursor outside of the requested days is rejected', async () => {
  const at = (day: string, query: string) => follow(`${diary}/entries?from=${day}&to=${day}&${query}`);
  const first = await at(DAY, 'limit=2');
  const after = /after=([^>&]+)/.exec(String(first.headers['link']))![1]!;
  for (const day of [OTHER_DAY, '2026-01-30']) {
    const answer = await at(day, `after=${after}`);
    expect([answer.statusCode, answer.json().error.details]).toEqual([400, { parameter: 'after' }]);
  }
  expect((await at(DAY, `limit=20&after=${after}`)).json()).toHaveLength(20);
});

it('entries of a range have a page of 100, and at most 500; those of a day are complete', async () => {
  const range = `${diary}/entries?from=${DAY}&to=${DAY}`;
  const usual = await follow(range);
  expect([usual.json().length, usual.headers['limit-applied']]).toEqual([100, undefined]);
  const many = await follow(`${range}&limit=501`);
  expect([many.json().length, many.headers['limit-applied'], many.headers['link']]).toEqual([
    COUNT,
    '500',
    undefined,
  ]);
  const day = await follow(`${diary}?date=${DAY}`);
  expect(day.json()).toEqual(many.json());
  expect((await follow(`${diary}?date=${DAY}&limit=2`)).statusCode).toBe(400);
  const feed = await follow('/v1/users/ann/changes?limit=501');
  expect([feed.json().changes.length, feed.headers['limit-applied']]).toEqual([500, '500']);
});

it('a search without an offset has no link to a next page', async () => {
  expect((await get('/v1/foods/search', 'limit=5')).headers).not.toHaveProperty('link');
});
