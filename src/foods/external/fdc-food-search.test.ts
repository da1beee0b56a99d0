import { toGtin } from '@larder/core/gtin.ts';
import { describe, expect, test } from 'vitest';
import { startLocalServer } from '../../../test/support/local-server.ts';
import { FdcFoodSearch } from './fdc-food-search.ts';

const gtin = toGtin('012345678905');
const never = new AbortController().signal;

function food(more: object = {}) {
  return {
    fdcId: 1,
    dataType: 'Branded',
    description: 'PLUM JAM',
    gtinUpc: '00012345678905',
    brandOwner: 'Ada Foods',
    publishedDate: '2024-01-01',
    servingSize: 20,
    servingSizeUnit: 'g',
    foodNutrients: [
      { nutrientId: 1008, unitName: 'KCAL', value: 240 },
      { nutrientId: 1003, unitName: 'G', value: 0.4 },
    ],
    ...more,
  };
}

describe('FoodData Central by GTIN', () => {
  test('the newest food with exactly this number is taken, however its zeros are written', async () => {
    const asked: URL[] = [];
    await using server = await startLocalServer((request, response) => {
      asked.push(new URL(request.url!, 'http://x'));
      const foods = [
        food({ fdcId: 7, gtinUpc: '99912345678905' }),
        food({ fdcId: 8, modifiedDate: '2021-01-01' }),
        food({ fdcId: 9, gtinUpc: '012345678905', modifiedDate: '2023-05-01' }),
      ];
      response.end(JSON.stringify({ totalHits: 3, foods }));
    });
    const found = await new FdcFoodSearch({ base: server.base, apiKey: 'k' }).find(gtin, never);
    expect(found).toMatchObject({ origin: 'fdc', key: '9', name: 'PLUM JAM', barcode: '012345678905' });
    expect(found?.per100).toMatchObject({ energy: 240, protein: 0.4 });
    expect(asked[0]!.pathname).toBe('/v1/foods/search');
    expect(Object.fromEntries(asked[0]!.searchParams)).toMatchObject({ dataType: 'Branded', api_key: 'k' });
    expect(asked[0]!.searchParams.get('query')!.split(' ')).toEqual(
      expect.arrayContaining(['00012345678905', '012345678905', '12345678905']),
    );
  });

  test('an unknown product is no food', async () => {
    await using server = await startLocalServer((_, response) => response.end('{"foods":[]}'));
    expect(await new FdcFoodSearch({ base: server.base, apiKey: 'k' }).find(gtin, never)).toBeUndefined();
  });

  test.each<[string, number, string, object]>([
    ['an error', 500, 'oops', { message: 'answered 500' }],
    ['a refused key', 403, '{}', { message: 'answered 403' }],
    ['too many questions', 429, '{}', { message: 'answered 429', retryAfterMs: 7000 }],
    ['broken JSON', 200, '{"foods":[', { message: expect.stringContaining('not JSON') }],
    ['another JSON', 200, '[1]', { message: expect.stringContaining('without a list') }],
    ['far too much', 200, ' '.repeat(3_000_000), { message: 'answered with too much' }],
  ])('%s is a failure of the service', async (_, status, body, failure) => {
    await using server = await startLocalServer((_request, response) => {
      response.writeHead(status, { 'retry-after': '7' }).end(body);
    });
    const asking = new FdcFoodSearch({ base: server.base, apiKey: 'k' }).find(gtin, never);
    await expect(asking).rejects.toMatchObject({ name: 'ExternalFailure', ...failure });
  });

  test('a service that disconnects, is unreachable, or exceeds the time limit is a failure, too', async () => {
    await using server = await startLocalServer((request) => request.socket.destroy());
    const source = new FdcFoodSearch({ base: server.base, apiKey: 'k' });
    await expect(source.find(gtin, never)).rejects.toMatchObject({ message: 'no connection' });
    await expect(source.find(gtin, AbortSignal.abort())).rejects.toMatchObject({ name: 'ExternalFailure' });
  });
});
