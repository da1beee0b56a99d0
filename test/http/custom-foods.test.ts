import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLE_NEW_FOOD } from '../../src/api/foods/food-input.ts';
import { SPREAD } from '../support/foods.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { VARIANTS } from './variants.ts';

let fixture: TestServer;
let key: string;
let otherKey: string;
beforeAll(async () => {
  fixture = await openTestServer();
  key = await fixture.createKey(['foods:read', 'foods:write'], undefined, 'acme');
  otherKey = await fixture.createKey(['foods:read', 'foods:write'], undefined, 'other');
});
afterAll(() => fixture[Symbol.asyncDispose]());

interface Asked {
  readonly as?: string;
  readonly body?: unknown;
  readonly ifMatch?: string;
}

function ask(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  { as = key, body, ifMatch }: Asked = {},
) {
  return fixture.ask({
    method,
    url: `/v1/foods${path}`,
    headers: { authorization: `Bearer ${as}`, ...(ifMatch !== undefined && { 'if-match': ifMatch }) },
    ...(body !== undefined && { payload: body as object }),
  });
}

/** A separate food for each test; the last digits make names and barcodes differ. */
let made = 0;
async function create(more: object = {}) {
  const name = `Plum jam ${'abcdefghijklmnop'[made++]!.repeat(6)}`;
  const answer = await ask('POST', '', { body: { ...EXAMPLE_NEW_FOOD, name, barcode: undefined, ...more } });
  return { answer, name, id: answer.json().id as string, etag: answer.headers['etag'] as string };
}

it('a food of the catalogue has an ETag', async () => {
  const url = `/v1/foods/${SPREAD.id}`;
  const read = (tag?: string) =>
    fixture.ask({
      url,
      headers: { authorization: `Bearer ${key}`, ...(tag !== undefined && { 'if-none-match': tag }) },
    });
  const first = await read();
  const tag = first.headers['etag'] as string;
  expect([first.statusCode, tag]).toEqual([200, expect.stringMatching(/^"[\w-]{22}"$/)]);
  const again = await read(tag);
  expect([again.statusCode, again.body, again.headers['etag']]).toEqual([304, '', tag]);
  expect((await read('"1"')).statusCode).toBe(200);
});

describe('a custom food', () => {
  it('is returned with 201, its address and ETag, scaled to its serving', async () => {
    const { answer, id, name } = await create();
    expect(answer.statusCode).toBe(201);
    expect(id).toMatch(/^manual:[0-9A-Z]{26}$/);
    expect(answer.headers).toMatchObject({
      location: `/v1/foods/${id}`,
      etag: '"1"',
    });
    expect(answer.json()).toMatchObject({
      name,
      brand: 'Example Brand',
      servingSize: { value: 20, unit: 'g', label: '1 tbsp (20 g)' },
      macros: EXAMPLE_NEW_FOOD.macros,
      source: 'manual_entry',
    });
    expect((await ask('GET', `/${id}`)).json()).toEqual(answer.json());
  });

  it.each(VARIANTS)(
    'is found by search and barcode in the next request of $name',
    async ({ prefix, credential }) => {
      const { id, name } = await create({ barcode: '012345 67890-5', aliases: ['Zwetschgenmus'] });
      const find = async (path: string, as = key) =>
        (await fixture.ask({ url: `${prefix}/foods${path}`, headers: credential(as) })).json();
      for (const text of [name, 'zwetschgenmus', '0012345678905']) {
        const found = await find(`/search?q=${encodeURIComponent(text)}`);
        expect(found.map((food: { id: string }) => food.id)).toContain(id);
      }
      expect((await find('/barcode/12345670')).error?.code).toBe('barcode_not_found');
      expect((await find('/barcode/00012345678905')).id).toBe(id);
      expect((await find('/barcode/00012345678905', otherKey)).id).toBe('fdc:100001');
      expect(await find('/search?q=zwetschgenmus', otherKey)).toEqual([]);
      await ask('DELETE', `/${id}`);
      expect((await find('/barcode/00012345678905')).id).toBe('fdc:100001');
      expect(await find('/search?q=zwetschgenmus')).toEqual([]);
    },
  );

  it('gives other tenants exactly the response for a missing food', async () => {
    const { id } = await create();
    const bodyOf = (answer: { body: string }) => answer.body.replace(/"requestId":"[^"]+"/, '');
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Mine' }], ['DELETE']] as const) {
      const theirs = await ask(method, `/${id}`, { as: otherKey, body });
      const nobodys = await ask(method, '/manual:none', { as: otherKey, body });
      expect(theirs.statusCode).toBe(404);
      expect(bodyOf(theirs)).toBe(bodyOf(nobodys));
    }
    expect((await ask('GET', `/${id}`)).statusCode).toBe(200);
  });

  it('can be changed field by field, and null removes an optional field', async () => {
    const { id } = await create();
    const answer = await ask('PATCH', `/${id}`, { body: { brand: null, macros: { protein: 0.4 } } });
    expect(answer.statusCode).toBe(200);
    expect(answer.json().macros).toEqual({ ...EXAMPLE_NEW_FOOD.macros, protein: 0.4 });
    expect(answer.json()).not.toHaveProperty('brand');
  });

  it('forgets the nutrients that are null, but not the energy', async () => {
    const { id } = await create();
    const answer = await ask('PATCH', `/${id}`, { body: { macros: { fat: null, sugars: null } } });
    const { sugars, ...others } = EXAMPLE_NEW_FOOD.macros;
    expect(answer.json()).toMatchObject({ macros: { ...others, fat: 0 }, unknown: ['fat'] });
    expect(answer.json().macros).not.toHaveProperty('sugars');
    expect((await ask('PATCH', `/${id}`, { body: { macros: { energy: null } } })).statusCode).toBe(400);
  });

  it('is returned as entered, also after a change is reverted', async () => {
    const servingSize = { value: 1 / 3, unit: 'cup', label: '1/3 cup' };
    const macros = { energy: 48.0000001, protein: 0.0004, fat: 1e-7, carbohydrates: 1 / 3, iron: 0.00123 };
    const { answer, id } = await create({ servingSize, macros });
    expect(answer.json()).toMatchObject({ servingSize, macros });
    const there = await ask('PATCH', `/${id}`, {
      body: { macros: { protein: 2 }, servingSize: { value: 7, unit: 'g' } },
    });
    expect(there.json()).toMatchObject({
      servingSize: { value: 7, unit: 'g' },
      macros: { ...macros, protein: 2 },
    });
    await ask('PATCH', `/${id}`, {
      body: { servingSize: { value: 1, unit: 'piece', grams: 31 }, brand: 'Other' },
    });
    const back = { macros: { protein: macros.protein }, servingSize, brand: EXAMPLE_NEW_FOOD.brand };
    const { updatedAt: _, version: _v, ...last } = (await ask('PATCH', `/${id}`, { body: back })).json();
    const { updatedAt: __, version: _w, ...first } = answer.json();
    expect(last).toEqual(first);
    const [found] = (
      await fixture.ask({
        url: `/foods/search?q=${encodeURIComponent(first.name)}`,
        headers: { 'x-api-key': key },
      })
    ).json();
    expect(found).toMatchObject({
      serving: { amount: servingSize.value, unit: 'cup' },
      macros: {
        calories: macros.energy,
        protein: macros.protein,
        carbs: macros.carbohydrates,
        fat: macros.fat,
      },
    });
  });

  it('is changed and deleted with If-Match only if it is unchanged', async () => {
    const { id, etag } = await create();
    const first = await ask('PATCH', `/${id}`, { body: { name: 'First' }, ifMatch: etag });
    expect(first.statusCode).toBe(200);
    expect([etag, first.headers['etag'], first.json().version]).toEqual(['"1"', '"2"', 2]);
    expect((await ask('GET', `/${id}`)).headers['etag']).toBe(first.headers['etag']);
    for (const [method, body] of [['PATCH', { name: 'Second' }], ['DELETE']] as const) {
      const late = await ask(method, `/${id}`, { body, ifMatch: etag });
      expect([late.statusCode, late.json().error.code]).toEqual([412, 'version_conflict']);
    }
    const gone = await ask('DELETE', `/${id}`, { ifMatch: first.headers['etag'] as string });
    expect([gone.statusCode, gone.body]).toEqual([204, '']);
    expect((await ask('DELETE', `/${id}`)).json().error.code).toBe('food_not_found');
  });

  it('of the catalogue cannot be changed or deleted', async () => {
    expect((await ask('PATCH', '/fdc:100001', { body: { name: 'Mine' } })).json().error.code).toBe(
      'food_not_found',
    );
    expect((await ask('DELETE', '/fdc:100001')).json().error.code).toBe('food_not_found');
  });

  it('needs the scope foods:write', async () => {
    const reader = await fixture.createKey(['foods:read']);
    const refused = await ask('POST', '', { as: reader, body: EXAMPLE_NEW_FOOD });
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'forbidden']);
  });

  it.each<[string, object, string]>([
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['no name', { name: '  ' }, 'name'],
    ['a name of several lines', { name: 'a\nb' }, 'name'],
    ['half a character', { name: '\ud800' }, 'name'],
    ['the energy missing', { macros: { protein: 1, fat: 1, carbohydrates: 1 } }, 'macros.energy'],
    ['an unknown nutrient', { macros: { ...EXAMPLE_NEW_FOOD.macros, calories: 1 } }, 'macros.calories'],
    ['a negative amount', { macros: { ...EXAMPLE_NEW_FOOD.macros, fat: -1 } }, 'macros.fat'],
    ['an empty serving', { servingSize: { value: 0, unit: 'g' } }, 'servingSize.value'],
    [
      'a serving that would be answered as 0',
      { servingSize: { value: 0.0004, unit: 'cup' } },
      'servingSize.value',
    ],
    [
      'a serving that weighs next to nothing',
      { servingSize: { value: 1, unit: 'crumb', grams: 0.0004 } },
      'servingSize.grams',
    ],
    ['too many aliases', { aliases: Array(21).fill('x') }, 'aliases'],
  ])('%s is rejected with the name of the field', async (_, more, field) => {
    const answer = await ask('POST', '', { body: { ...EXAMPLE_NEW_FOOD, ...more } });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toMatchObject({ code: 'invalid_request', details: { fields: [field] } });
  });

  it('the smallest serving is returned as entered', async () => {
    const servingSize = { value: 0.001, unit: 'g' };
    const { answer } = await create({
      servingSize,
      macros: { energy: 0, protein: 0, fat: 0, carbohydrates: 0 },
    });
    expect(answer.statusCode).toBe(201);
    expect(answer.json().servingSize).toMatchObject(servingSize);
  });

  it('an empty change is rejected', async () => {
    const { id } = await create();
    expect((await ask('PATCH', `/${id}`, { body: {} })).statusCode).toBe(400);
  });
});
