import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileFoods } from '../support/compiled-foods.ts';
import { newFood } from '../support/food-owners.ts';
import { sampleFood } from '../support/sample-foods.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { VARIANTS } from './variants.ts';

const KINDS = ['rye', 'wheat', 'oat', 'corn', 'potato', 'olive', 'walnut'];
/** More than a search ever finds; names of equal form, so that many scores are equal. */
const BREADS = Array.from({ length: 300 }, (_, at) =>
  sampleFood('off', `${1000 + at}`, {
    name: `${KINDS[at % KINDS.length]} bread ${at}`,
    popularity: at % 5,
    ...(at % 3 === 0 && { brand: `Bakery ${at}` }),
  }),
);

let fixture: TestServer;
let key: string;
beforeAll(async () => {
  const { catalogue } = await compileFoods([BREADS]);
  fixture = await openTestServer({ catalogue: { current: catalogue } });
  key = await fixture.createKey(['foods:read', 'foods:write', 'diary:read']);
  for (let at = 0; at < 30; at++) {
    const payload = newFood({ name: `own bread ${at}` });
    const headers = { authorization: `Bearer ${key}` };
    expect((await fixture.ask({ method: 'POST', url: '/v1/foods', headers, payload })).statusCode).toBe(201);
  }
});
afterAll(() => fixture[Symbol.asyncDispose]());

describe.each(VARIANTS)('$name', ({ prefix, credential }) => {
  const get = (query: string) =>
    fixture.ask({ url: `${prefix}/foods/search?q=${query}`, headers: credential(key) });
  const ids = async (query: string): Promise<string[]> =>
    (await get(query)).json().map(({ id }: { id: string }) => id);

  it.each(['bread', 'rye%20bread', 'bred', 'own', 'bakery', 'zzzz'])(
    'pages of any size are consistent parts of one list for %s',
    async (query) => {
      const list = [
        ...(await ids(`${query}&offset=0&limit=100`)),
        ...(await ids(`${query}&offset=100&limit=100`)),
      ];
      expect(new Set(list).size).toBe(list.length);
      for (const size of [7, 20, 64]) {
        const pages: string[] = [];
        for (let offset = 0; offset <= 200; offset += size) {
          pages.push(...(await ids(`${query}&limit=${size}&offset=${offset}`)));
        }
        expect(pages).toEqual(list);
      }
      expect(await ids(`${query}&limit=20`)).toEqual(list.slice(0, 20));
    },
  );

  it('a search returns at most 200 foods over all pages', async () => {
    expect(await ids('bread&offset=150&limit=100')).toHaveLength(50);
    expect(await ids('bread&offset=199&limit=100')).toHaveLength(1);
    expect(await ids('bread&offset=200&limit=100')).toEqual([]);
    expect(await ids('a&offset=20')).toEqual([]);
  });

  it.each(['201', '-1', '1.5', '1e1', 'ten', '', '20&offset=40', '100000000000000000000'])(
    'offset=%s is rejected as invalid_query',
    async (offset) => {
      const answer = await get(`bread&offset=${offset}`);
      expect([answer.statusCode, answer.json().error]).toEqual([
        400,
        expect.objectContaining({ code: 'invalid_query', details: { parameter: 'offset' } }),
      ]);
    },
  );
});

it('pages for a user are consistent parts of one list, too', async () => {
  const ids = async (query: string): Promise<string[]> =>
    (
      await fixture.ask({
        url: `/v1/foods/search?q=bread&userId=ann${query}`,
        headers: { authorization: `Bearer ${key}` },
      })
    )
      .json()
      .map(({ id }: { id: string }) => id);
  const list = await ids('&limit=60');
  expect([...(await ids('&limit=30&offset=0')), ...(await ids('&limit=30&offset=30'))]).toEqual(list);
});
