import { expect, test } from 'vitest';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { openTestServer } from '../support/test-server.ts';
import { VARIANTS } from './variants.ts';

const BARCODE = '5901234123457';

async function openFoodFacts(): Promise<LocalServer & { readonly asked: string[] }> {
  const asked: string[] = [];
  const server = await startLocalServer((request, response) => {
    asked.push(request.url!.replace(/\?.*/, ''));
    if (!request.url!.includes(BARCODE)) return response.writeHead(404).end('{"status":0}');
    const nutriments = { 'energy-kcal_100g': 240, proteins_100g: 0.4, fat_100g: 0.1, carbohydrates_100g: 60 };
    const product = { code: BARCODE, product_name: 'Quince jelly', nutriments };
    return response.end(JSON.stringify({ status: 1, code: BARCODE, product }));
  });
  return Object.assign(server, { asked });
}

test.each(VARIANTS)(
  'a barcode that the catalogue lacks is looked up once at the configured service, and is a food from then on: $name',
  async ({ prefix, credential }) => {
    await using outside = await openFoodFacts();
    await using fixture = await openTestServer({
      settings: { LARDER_OUTSIDE_APIS: 'off', LARDER_OFF_API_URL: outside.base },
    });
    const get = async (path: string, key = fixture.key) =>
      (await fixture.ask({ url: `${prefix}/foods/${path}`, headers: credential(key) })).json();

    expect(await get(`barcode/${BARCODE}`)).toMatchObject({ id: `off:${BARCODE}`, name: 'Quince jelly' });
    // The response does not wait long until its food is stored, nor a search until it has read it.
    const other = await fixture.createKey(['foods:read'], undefined, 'other');
    for (const key of [fixture.key, other])
      await expect.poll(() => get('search?q=quince', key)).toMatchObject([{ id: `off:${BARCODE}` }]);
    expect(await get(`barcode/0${BARCODE}`)).toMatchObject({ id: `off:${BARCODE}` });
    expect(outside.asked).toEqual([`/api/v2/product/${BARCODE}.json`]);

    // A food in the catalogue is never looked up there; an unknown one is looked up once.
    await get('barcode/012345678905');
    for (let i = 0; i < 2; i++) expect((await get('barcode/96385074')).error.code).toBe('barcode_not_found');
    expect(outside.asked).toHaveLength(2);
  },
);

test.each(VARIANTS)(
  'a UPC-E is looked up as the UPC-A that it abbreviates: $name',
  async ({ prefix, credential }) => {
    const asked: string[] = [];
    await using outside = await startLocalServer((request, response) => {
      asked.push(request.url!.replace(/\?.*/, ''));
      return response.writeHead(404).end('{"status":0}');
    });
    await using fixture = await openTestServer({
      settings: { LARDER_OUTSIDE_APIS: 'off', LARDER_OFF_API_URL: outside.base },
    });
    const url = `${prefix}/foods/barcode/04252614`;
    const answer = await fixture.ask({ url, headers: credential(fixture.key) });
    expect(answer.json().error.code).toBe('barcode_not_found');
    expect(asked).toEqual([expect.stringMatching(/\/0*42100005264\.json$/)]);
  },
);

test('external foods state their source', async () => {
  await using outside = await openFoodFacts();
  await using fixture = await openTestServer({
    settings: { LARDER_OUTSIDE_APIS: 'off', LARDER_OFF_API_URL: outside.base },
  });
  const headers = { authorization: `Bearer ${fixture.key}` };
  const answer = await fixture.ask({ url: `/v1/foods/barcode/${BARCODE}`, headers });
  expect(answer.json().source).toBe('third_party_api');
});

test('no external service is called unless it is configured', async () => {
  await using outside = await openFoodFacts();
  await using fixture = await openTestServer({ settings: { LARDER_OFF_API_URL: outside.base } });
  const headers = { authorization: `Bearer ${fixture.key}` };
  const answer = await fixture.ask({ url: `/v1/foods/barcode/${BARCODE}`, headers });
  expect(answer.statusCode).toBe(404);
  expect(outside.asked).toEqual([]);
});

test('at most the configured number is kept, and the oldest are removed first', async () => {
  const codes = ['5901234123457', '4006381333931', '9780201379624'];
  const asked: string[] = [];
  await using outside = await startLocalServer((request, response) => {
    const code = /(\d+)\.json/.exec(request.url!)![1]!;
    asked.push(code);
    const nutriments = { 'energy-kcal_100g': 240, proteins_100g: 0.4, fat_100g: 0.1, carbohydrates_100g: 60 };
    const product = { code, product_name: `Jelly ${code}`, nutriments };
    return response.end(JSON.stringify({ status: 1, code, product }));
  });
  await using fixture = await openTestServer({
    settings: {
      LARDER_OUTSIDE_APIS: 'off',
      LARDER_OFF_API_URL: outside.base,
      LARDER_OUTSIDE_FOODS: '2',
    },
  });
  const headers = { authorization: `Bearer ${fixture.key}` };
  const get = async (path: string) => (await fixture.ask({ url: `/v1/foods/${path}`, headers })).json();
  const kept = async () => {
    const found = await get('search?q=jelly');
    return found.map(({ id }: { id: string }) => id).toSorted();
  };
  for (const code of codes) {
    expect(await get(`barcode/${code}`)).toMatchObject({ id: `off:${code}` });
    // The response does not wait long until its food is stored.
    await expect.poll(kept).toContain(`off:${code}`);
  }
  await expect.poll(kept).toEqual(
    codes
      .slice(1)
      .map((code) => `off:${code}`)
      .toSorted(),
  );
  await get(`barcode/${codes[2]}`);
  expect(asked).toEqual(codes);
});
