import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileFoods } from '../support/compiled-foods.ts';
import { newFood } from '../support/food-owners.ts';
import { sampleFood } from '../support/sample-foods.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { namesFound, VARIANTS } from './variants.ts';

const NAMES = [
  'Eggs, whole, raw',
  'Bread with 2% milk and eggs',
  'Rice, white, cooked',
  'Noodles 200 g',
  'Pizza, cheese',
  'Apple slice of the orchard',
  'Milk, whole',
  '7 Up',
  'Cola',
  'Cola light 330 ml',
];
const FOODS = NAMES.map((name, at) => sampleFood('fdc', String(at), { name }));

let fixture: TestServer;
let key: string;
beforeAll(async () => {
  const { catalogue } = await compileFoods([FOODS]);
  fixture = await openTestServer({ catalogue: { current: catalogue } });
  key = await fixture.createKey(['foods:read', 'foods:write']);
});
afterAll(() => fixture[Symbol.asyncDispose]());

/** First with the foods of the catalogue only, then with custom foods, too. */
describe.each(['the catalogue', 'custom foods, too'])('%s', (foods) => {
  beforeAll(async () => {
    if (foods === 'the catalogue') return;
    for (const name of ['Strudel of the house', '2 things with oat']) {
      const headers = { authorization: `Bearer ${key}` };
      const payload = newFood({ name });
      expect((await fixture.ask({ method: 'POST', url: '/v1/foods', headers, payload })).statusCode).toBe(
        201,
      );
    }
  });

  describe.each(VARIANTS)('$name', (variant) => {
    const names = (query: string) => namesFound(fixture, variant, key, query);

    it.each([
      ['2 eggs', 'Eggs, whole, raw'],
      ['200 g rice', 'Rice, white, cooked'],
      ['slice of pizza', 'Pizza, cheese'],
      ['a glass of milk', 'Milk, whole'],
      ['2x330 ml cola', 'Cola'],
      ['7 up', '7 Up'],
      ['cola 330 ml', 'Cola light 330 ml'],
    ])('"%s" finds %s first', async (query, name) => {
      expect((await names(query))[0]).toBe(name);
    });
  });
});

it('a custom food is found by its amount, in the usual response format', async () => {
  const answer = await fixture.ask({
    url: '/v1/foods/search?q=2%20slices%20of%20strudel&limit=1',
    headers: { authorization: `Bearer ${key}` },
  });
  const plain = await fixture.ask({
    url: '/v1/foods/search?q=strudel&limit=1',
    headers: { authorization: `Bearer ${key}` },
  });
  expect(answer.json()).toHaveLength(1);
  expect(answer.json()).toEqual(plain.json());
});
