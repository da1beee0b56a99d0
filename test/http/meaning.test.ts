import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readWordVectors } from '../../src/foods/compile/read-word-vectors.ts';
import { compileFoods } from '../support/compiled-foods.ts';
import { newFood } from '../support/food-owners.ts';
import { sampleFood } from '../support/sample-foods.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { namesFound, VARIANTS } from './variants.ts';

const WORDS = readWordVectors(fileURLToPath(new URL('../../models/food-words', import.meta.url)));
const NAMES = [
  'Soft drink, cola',
  'Soft drink, fruit flavored',
  'Orange juice, 100%',
  'Peanut butter and jelly sandwich',
  'Macaroni with cheese',
  'Bread, white, toasted',
  'Beef steak, braised',
  'Carrots, raw',
];
const GENERIC = NAMES.map((name, at) => sampleFood('fdc', String(at), { name }));

let fixture: TestServer;
let key: string;
beforeAll(async () => {
  const { catalogue } = await compileFoods([GENERIC], [], WORDS);
  fixture = await openTestServer({ catalogue: { current: catalogue } });
  key = await fixture.createKey(['foods:read', 'foods:write']);
  for (const name of ['Pop tart', 'Sandwich of the house']) {
    const headers = { authorization: `Bearer ${key}` };
    const payload = newFood({ name });
    expect((await fixture.ask({ method: 'POST', url: '/v1/foods', headers, payload })).statusCode).toBe(201);
  }
});
afterAll(() => fixture[Symbol.asyncDispose]());

describe.each(VARIANTS)('$name', (variant) => {
  const { prefix, credential } = variant;
  const names = (query: string) => namesFound(fixture, variant, key, query);

  it.each([
    ['fizzy drink', 'Soft drink, cola'],
    ['OJ', 'Orange juice, 100%'],
    ['PB&J', 'Peanut butter and jelly sandwich'],
    ['mac n chz', 'Macaroni with cheese'],
  ])('a search for "%s" finds %s by meaning', async (query, name) => {
    expect((await names(query)).slice(0, 4)).toContain(name);
  });

  it('foods found by words come first, including custom foods', async () => {
    expect((await names('carrots'))[0]).toBe('Carrots, raw');
    const found = await names('fizzy pop');
    expect(found.indexOf('Pop tart')).toBe(0);
    expect(found).toContain('Soft drink, cola');
  });

  it('a query without words finds nothing', async () => {
    expect(await names('zxqv')).toEqual([]);
  });

  it('pages of any size are consistent parts of one list', async () => {
    const list = await names('grilled sandwich');
    expect(list.length).toBeGreaterThan(2);
    for (const size of [1, 2, 3, 5]) {
      const pages: string[] = [];
      for (let offset = 0; offset < list.length; offset += size) {
        const url = `${prefix}/foods/search?q=grilled%20sandwich&limit=${size}&offset=${offset}`;
        const answer = await fixture.ask({ url, headers: credential(key) });
        pages.push(...answer.json().map(({ name }: { name: string }) => name));
      }
      expect(pages).toEqual(list);
    }
  });
});
