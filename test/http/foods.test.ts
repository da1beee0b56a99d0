import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BANANA, SPREAD } from '../support/foods.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { VARIANTS } from './variants.ts';

let fixture: TestServer;
beforeAll(async () => {
  fixture = await openTestServer();
});
afterAll(() => fixture[Symbol.asyncDispose]());

describe.each(VARIANTS)('$name', ({ prefix, credential, spread, cola }) => {
  const get = (path: string) => fixture.ask({ url: `${prefix}${path}`, headers: credential(fixture.key) });
  const errorOf = async (path: string) => {
    const answer = await get(path);
    return { status: answer.statusCode, ...answer.json().error };
  };

  it('search returns the foods found, scaled to their serving', async () => {
    const answer = await get('/foods/search?q=Hazelnut');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()).toEqual([spread]);
  });

  it('a search without results returns an empty array', async () => {
    expect((await get('/foods/search?q=zzzz')).json()).toEqual([]);
  });

  it.each(['', '?q=', '?q=a', '?q=%20a%20', '?q=%F0%9F%8D%8C'])(
    'the query %j is too short and returns an empty array',
    async (query) => {
      const answer = await get(`/foods/search${query}`);
      expect([answer.statusCode, answer.body]).toEqual([200, '[]']);
    },
  );

  it('the search text is trimmed and counted in characters, not bytes', async () => {
    expect((await get('/foods/search?q=%20%20cola%20')).json()).toEqual([cola]);
    expect((await get(`/foods/search?q=${encodeURIComponent('🍌'.repeat(200))}`)).statusCode).toBe(200);
    expect((await get(`/foods/search?q=${'a'.repeat(200)}`)).statusCode).toBe(200);
  });

  it.each([
    ['a search text of 201 characters', `q=${'a'.repeat(201)}`, 'q'],
    [
      'a search text of 201 characters beyond the basic plane',
      `q=${encodeURIComponent('🍌'.repeat(201))}`,
      'q',
    ],
    ['two search texts', 'q=cola&q=banana', 'q'],
    ['limit=0', 'q=cola&limit=0', 'limit'],
    ['limit=-1', 'q=cola&limit=-1', 'limit'],
    ['limit=1.5', 'q=cola&limit=1.5', 'limit'],
    ['limit=1e1', 'q=cola&limit=1e1', 'limit'],
    ['limit=ten', 'q=cola&limit=ten', 'limit'],
    ['an empty limit', 'q=cola&limit=', 'limit'],
    ['two limits', 'q=cola&limit=1&limit=2', 'limit'],
    ['a bad limit, though the text is too short', 'q=a&limit=0', 'limit'],
  ])('%s is rejected as invalid_query', async (_what, query, parameter) => {
    expect(await errorOf(`/foods/search?${query}`)).toMatchObject({
      status: 400,
      code: 'invalid_query',
      details: { parameter },
    });
  });

  it('a query that is too long gets an error with the maximum length', async () => {
    const { details } = await errorOf(`/foods/search?q=${'a'.repeat(201)}`);
    expect(details).toEqual({ parameter: 'q', limit: 200 });
  });

  it('limit bounds the number of results, and values above 100 mean 100', async () => {
    expect((await get('/foods/search?q=nutty&limit=1')).json()).toHaveLength(1);
    expect((await get('/foods/search?q=an&limit=100000000000000000000')).statusCode).toBe(200);
  });

  it.each([
    ['colour=red', 'There is no parameter "colour". Known here: ', 'colour'],
    ['minProtein=20', 'There is no parameter "minProtein". Known here: ', 'minProtein'],
    ['limit=1&Limit=2', 'There is no parameter "Limit". Did you mean "limit"?', 'Limit'],
  ])('the unknown parameter in %s is rejected', async (query, message, parameter) => {
    expect(await errorOf(`/foods/search?q=Hazelnut&${query}`)).toMatchObject({
      status: 400,
      code: 'invalid_query',
      message: expect.stringContaining(message),
      details: { parameter },
    });
  });

  it.each(['3017620422003', '03017620422003', '3017620-422003', '%203017620422003%20'])(
    'barcode %j finds the food',
    async (code) => {
      expect((await get(`/foods/barcode/${code}`)).json()).toEqual(spread);
    },
  );

  it.each(['012345678905', '0012345678905', '00012345678905', '12345678905'])(
    'a barcode stored as UPC-A is found as %s',
    async (code) => {
      expect((await get(`/foods/barcode/${code}`)).json()).toEqual(cola);
    },
  );

  it.each(['12345', '123456789012345', '12345x', 'search', '1e7'])('barcode %j is rejected', async (code) => {
    expect(await errorOf(`/foods/barcode/${code}`)).toMatchObject({ status: 400, code: 'invalid_barcode' });
  });

  it('an unknown barcode gets an error with the candidates that were tried', async () => {
    const error = await errorOf('/foods/barcode/9999999999994');
    expect(error).toMatchObject({ status: 404, code: 'barcode_not_found' });
    expect(error.details).toEqual({ candidates: ['09999999999994'] });
  });

  it('a barcode of a product without nutrients gets an error with the known product', async () => {
    const { details } = await errorOf('/foods/barcode/4006381333931');
    expect(details.known).toEqual({ name: 'Mystery bar', brand: 'Anon' });
  });
});

describe('only in v1', () => {
  const get = (path: string) =>
    fixture.ask({ url: path, headers: { authorization: `Bearer ${fixture.key}` } });

  it.each(['off:3017620422003', 'off%3A3017620422003'])(
    'a food is found by its id, sent as %s',
    async (id) => {
      expect((await get(`/v1/foods/${id}`)).json()).toMatchObject(VARIANTS[0]!.spread as object);
    },
  );

  it('an unknown id is food_not_found', async () => {
    const answer = await get('/v1/foods/off:1');
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'food_not_found']);
  });

  it('fields that a food lacks are absent', async () => {
    const banana = (await get(`/v1/foods/${BANANA.id}`)).json();
    expect(banana).not.toHaveProperty('brand');
    expect(banana).not.toHaveProperty('barcode');
    expect(banana.macros).not.toHaveProperty('fiber');
  });
});

describe('only in the unversioned variant', () => {
  it('a food without a brand has the brand null', async () => {
    const answer = await fixture.ask({
      url: '/foods/search?q=banana',
      headers: { 'x-api-key': fixture.key },
    });
    expect(answer.json()[0].brand).toBeNull();
  });

  it('foods cannot be read by id', async () => {
    const answer = await fixture.ask({
      url: `/foods/${SPREAD.id}`,
      headers: { 'x-api-key': fixture.key },
    });
    expect(answer.json().error.code).toBe('not_found');
  });
});
