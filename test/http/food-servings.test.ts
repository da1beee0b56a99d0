import type { Food } from '@larder/core/food.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileFoods } from '../support/compiled-foods.ts';
import { BANANA, COLA, SPREAD } from '../support/foods.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { VARIANTS } from './variants.ts';

const OATS: Food = {
  ...SPREAD,
  per100: { energy: 371.25, protein: 13.15, fat: 6.519999980926514, carbohydrates: 67.7, iron: 4.25 },
  servings: [
    { value: 1, unit: 'oz', basisAmount: 28, label: '1 pouch' },
    { value: 0.5, unit: 'cup', basisAmount: 40.5 },
    { value: 100, unit: 'g', basisAmount: 100 },
  ],
};

let fixture: TestServer;
beforeAll(async () => {
  const { catalogue } = await compileFoods([[OATS, COLA, BANANA]]);
  fixture = await openTestServer({ catalogue: { current: catalogue } });
});
afterAll(() => fixture[Symbol.asyncDispose]());

const PER_100 = { energy: 371.25, protein: 13.15, fat: 6.52, carbohydrates: 67.7, iron: 4.25 };
const EXPECTED = {
  v1: {
    servings: [
      { value: 1, unit: 'oz', label: '1 pouch', grams: 28 },
      { value: 0.5, unit: 'cup', grams: 40.5 },
      { value: 100, unit: 'g', grams: 100 },
    ],
    per100: PER_100,
  },
  unversioned: {
    servings: [
      { amount: 1, unit: 'oz', label: '1 pouch', grams: 28 },
      { amount: 0.5, unit: 'cup', grams: 40.5 },
      { amount: 100, unit: 'g', grams: 100 },
    ],
    per100: PER_100,
  },
};

describe.each(VARIANTS)('$name', ({ name, prefix, credential }) => {
  const get = (path: string) => fixture.ask({ url: `${prefix}${path}`, headers: credential(fixture.key) });
  const expected = EXPECTED[name as keyof typeof EXPECTED];

  it('include=servings adds all servings with their weight and the nutrients per 100 g', async () => {
    const [found] = (await get('/foods/search?q=hazelnut&include=servings')).json();
    expect(found).toMatchObject(expected);
    expect((await get(`/foods/barcode/${OATS.barcode}?include=servings`)).json()).toEqual(found);
  });

  it('a drink has amounts in milliliters', async () => {
    const { servings } = (await get(`/foods/barcode/${COLA.barcode}?include=servings`)).json();
    expect(servings).toMatchObject([{ unit: 'fl_oz', milliliters: 354.882 }]);
    expect(servings[0]).not.toHaveProperty('grams');
  });

  it('responses without include omit servings, even after a request with include', async () => {
    for (const path of ['/foods/search?q=hazelnut', `/foods/barcode/${OATS.barcode}`]) {
      const before = await get(path);
      const wide = await get(`${path}${path.includes('?') ? '&' : '?'}include=servings`);
      const after = await get(path);
      expect(after.body).toBe(before.body);
      expect(wide.body).not.toBe(before.body);
      for (const field of ['servings', 'per100', 'grams']) expect(before.body).not.toContain(`"${field}"`);
    }
  });

  it('an unknown value of include is rejected', async () => {
    for (const path of ['/foods/search?q=oats&include=all', `/foods/barcode/${OATS.barcode}?include=`]) {
      const answer = await get(path);
      expect([answer.statusCode, answer.json().error]).toEqual([
        400,
        expect.objectContaining({ code: 'invalid_query', details: { parameter: 'include' } }),
      ]);
    }
  });
});

it('a food by id has all servings, including the weight of a serving given in another unit', async () => {
  const answer = await fixture.ask({
    url: `/v1/foods/${OATS.id}`,
    headers: { authorization: `Bearer ${fixture.key}` },
  });
  expect(answer.json()).toMatchObject({
    ...EXPECTED.v1,
    servingSize: { value: 1, unit: 'oz', label: '1 pouch', grams: 28 },
  });
  expect(answer.json()).not.toHaveProperty('aliases');
});
