import { toGtin } from '@larder/core/gtin.ts';
import { describe, expect, test } from 'vitest';
import { startLocalServer } from '../../../test/support/local-server.ts';
import { OffProductApi } from './off-product-api.ts';

const gtin = toGtin('4006381333931');
const never = new AbortController().signal;

/** The shape of the product API, invented content. */
const product = {
  code: '4006381333931',
  product_name: 'Pflaumenmus',
  product_name_en: 'Plum jam',
  brands: 'Ada,Ada Foods',
  serving_size: '20 g',
  serving_quantity: '20',
  nutriments: {
    'energy-kcal_100g': 240,
    proteins_100g: 0.4,
    fat_100g: 0.1,
    carbohydrates_100g: 60,
    sodium_100g: 0.01,
  },
};

describe('Open Food Facts by code', () => {
  test('a product is read like one of the export', async () => {
    const asked: string[] = [];
    await using server = await startLocalServer((request, response) => {
      asked.push(`${request.headers['user-agent']} ${request.url}`);
      response.end(JSON.stringify({ code: product.code, status: 1, product }));
    });
    const found = await new OffProductApi({ base: `${server.base}/` }).find(gtin, never);
    expect(found).toMatchObject({
      origin: 'off',
      key: '4006381333931',
      name: 'Pflaumenmus',
      aliases: expect.arrayContaining(['Plum jam']),
      per100: { energy: 240, sodium: 10 },
    });
    expect(asked[0]).toMatch(/^Larder.* \/api\/v2\/product\/4006381333931\.json\?fields=code%2Cproduct_name/);
  });

  test('unknown codes are looked up on one connection', async () => {
    const ports = new Set<number>();
    await using server = await startLocalServer(({ socket }, response) => {
      ports.add(socket.remotePort!);
      response.writeHead(404).end('{"status":0}');
    });
    const api = new OffProductApi({ base: server.base });
    for (let asked = 0; asked < 5; asked++) expect(await api.find(gtin, never)).toBeUndefined();
    expect(ports.size).toBe(1);
  });

  test('a redirect is followed within the server, and to no other server', async () => {
    const seen: string[] = [];
    await using other = await startLocalServer((request, response) => {
      seen.push(request.url!);
      response.end(JSON.stringify({ code: product.code, status: 1, product }));
    });
    let location = '/moved';
    await using server = await startLocalServer((request, response) => {
      if (request.url === '/moved') response.end(JSON.stringify({ code: product.code, status: 1, product }));
      else response.writeHead(302, { location }).end();
    });
    const api = new OffProductApi({ base: server.base });
    expect(await api.find(gtin, never)).toMatchObject({ name: 'Pflaumenmus' });
    for (location of [`${other.base}/x`, '//127.0.0.1:1/', 'file:///etc/passwd', '/endless'])
      await expect(api.find(gtin, never)).rejects.toThrow(/redirects/);
    expect(seen).toEqual([]);
  });

  test('the newer schema of nutrients is supported, and estimates are excluded', async () => {
    const nutrition = {
      aggregated_set: {
        per: '100g',
        nutrients: {
          'energy-kcal': { value: 240, unit: 'kcal' },
          fat: { value: 0.1, unit: 'g' },
          proteins: { value: 9, unit: 'g', source: 'estimate' },
        },
      },
    };
    await using server = await startLocalServer((_, response) =>
      response.end(JSON.stringify({ status: 1, product: { ...product, nutriments: {}, nutrition } })),
    );
    const found = await new OffProductApi({ base: server.base }).find(gtin, never);
    expect(found?.per100).toEqual({ energy: 240, fat: 0.1 });
  });

  test.each([
    ['00000096385074', '/96385074.json'],
    ['00012345678905', '/0012345678905.json'],
    ['14006381333938', '/14006381333938.json'],
  ])('%s is requested as Open Food Facts writes it', async (digits, path) => {
    let asked = '';
    await using server = await startLocalServer((request, response) => {
      asked = request.url!;
      response.writeHead(404).end('{"status":0}');
    });
    expect(await new OffProductApi({ base: server.base }).find(toGtin(digits), never)).toBeUndefined();
    expect(asked).toContain(path);
  });

  test('a product that is not found is no food, in both forms of the response', async () => {
    await using server = await startLocalServer((_, response) => response.end('{"status":0,"code":"1"}'));
    expect(await new OffProductApi({ base: server.base }).find(gtin, never)).toBeUndefined();
  });

  test('an answer about another product is ignored', async () => {
    const other = { ...product, code: '5901234123457' };
    await using server = await startLocalServer((_, response) =>
      response.end(JSON.stringify({ status: 1, code: other.code, product: other })),
    );
    expect(await new OffProductApi({ base: server.base }).find(gtin, never)).toBeUndefined();
  });

  test('invalid content is a failure of the service', async () => {
    await using server = await startLocalServer((_, response) => response.end('{"status":1}'));
    await expect(new OffProductApi({ base: server.base }).find(gtin, never)).rejects.toMatchObject({
      message: 'answered without a product',
    });
  });
});
