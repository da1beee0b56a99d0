import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AcceptanceTarget, openTarget } from './service.ts';

let target: AcceptanceTarget;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target[Symbol.asyncDispose]());

const VARIANTS = [
  { name: 'v1', prefix: '/v1', credential: (key: string) => ({ authorization: `Bearer ${key}` }) },
  { name: 'unversioned', prefix: '', credential: (key: string) => ({ 'x-api-key': key }) },
];

interface AnyFood {
  readonly id: string;
  readonly name: string;
  readonly barcode?: string;
  readonly macros: Readonly<Record<string, number>>;
}

describe.each(VARIANTS)('$name', ({ prefix, credential }) => {
  const get = (path: string, headers: Record<string, string> = credential(target.key)) =>
    fetch(`${target.url}${prefix}${path}`, { headers });
  const search = async (query: string) => (await (await get(`/foods/search?${query}`)).json()) as AnyFood[];

  it('finds an everyday food by the beginning of its name', async () => {
    const foods = await search('q=banan&limit=5');
    expect(foods.length).toBeGreaterThan(0);
    expect(foods.length).toBeLessThanOrEqual(5);
    expect(foods.some(({ name }) => /banana/i.test(name))).toBe(true);
    for (const { macros } of foods)
      for (const amount of Object.values(macros)) expect(amount).toBeGreaterThanOrEqual(0);
  });

  it('returns at most 20 foods by default', async () => {
    expect((await search('q=ch')).length).toBeLessThanOrEqual(20);
  });

  it('returns an empty array for a query that is too short', async () => {
    expect(await search('q=b')).toEqual([]);
  });

  it('rejects a request without a key', async () => {
    const answer = await get('/foods/search?q=banana', {});
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).not.toBeNull();
  });

  it('returns 404 with the candidates for an unknown barcode', async () => {
    const answer = await get('/foods/barcode/99999999999994');
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      error: { code: 'barcode_not_found', details: { candidates: expect.any(Array) } },
    });
  });

  it('returns rate limit headers in every response', async () => {
    for (const path of ['/foods/search?q=banana', '/foods/barcode/x', '/nowhere']) {
      const { headers } = await get(path);
      for (const name of ['limit', 'remaining', 'reset'])
        expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
      expect(headers.get('x-request-id')).not.toBeNull();
    }
  });
});

it('a food from a search is found by id and by every form of its barcode in both variants', async () => {
  const v1 = { headers: { authorization: `Bearer ${target.key}` } };
  const unversioned = { headers: { 'x-api-key': target.key } };
  const foods = (await (
    await fetch(`${target.url}/v1/foods/search?q=chocolate&limit=100`, v1)
  ).json()) as AnyFood[];
  const food = foods.find(({ barcode }) => barcode !== undefined);
  expect(food).toBeDefined();
  expect(await (await fetch(`${target.url}/v1/foods/${food!.id}`, v1)).json()).toMatchObject(food!);
  for (const form of [food!.barcode!, food!.barcode!.padStart(13, '0'), food!.barcode!.padStart(14, '0')]) {
    const byBarcode = (await (await fetch(`${target.url}/v1/foods/barcode/${form}`, v1)).json()) as AnyFood;
    expect(byBarcode.id).toBe(food!.id);
    const other = (await (await fetch(`${target.url}/foods/barcode/${form}`, unversioned)).json()) as AnyFood;
    expect(other.id).toBe(food!.id);
  }
});

it.each(['/healthz', '/readyz', '/openapi.json', '/docs'])('%s needs no credential', async (path) => {
  expect((await fetch(`${target.url}${path}`)).status).toBe(200);
});
