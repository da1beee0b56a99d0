import { expect, test } from 'vitest';
import { KNOWN } from '../support/foods.ts';
import { type LocalServer, startLocalServer } from '../support/local-server.ts';
import { openTestServer } from '../support/test-server.ts';
import { VARIANTS } from './variants.ts';

const JELLY = '5901234123457';
/** A UPC-E, which can mean three numbers. */
const NOBODYS = '04252614';
const DAY = { date: '2026-03-29', mealType: 'lunch' };
const SPOON = { quantity: 20, unit: 'g' };

/** A server of Open Food Facts with one product; it responds with `status` while that is set. */
async function openFoodFacts(status?: () => number): Promise<LocalServer & { readonly asked: string[] }> {
  const asked: string[] = [];
  const server = await startLocalServer((request, response) => {
    asked.push(request.url!.replace(/\?.*/, ''));
    if (status !== undefined) return response.writeHead(status()).end('busy');
    if (!request.url!.includes(JELLY)) return response.writeHead(404).end('{"status":0}');
    const nutriments = { 'energy-kcal_100g': 240, proteins_100g: 0.4, fat_100g: 0.1, carbohydrates_100g: 60 };
    const product = { code: JELLY, product_name: 'Quince jelly', nutriments };
    return response.end(JSON.stringify({ status: 1, code: JELLY, product }));
  });
  return Object.assign(server, { asked });
}

interface Told {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape that it asks for
  readonly body: any;
}

async function openKitchen(outside: LocalServer) {
  const fixture = await openTestServer({
    settings: { LARDER_OUTSIDE_APIS: 'off', LARDER_OFF_API_URL: outside.base },
  });
  const base = `http://127.0.0.1:${fixture.port}`;
  const key = await fixture.createKey(['foods:read', 'diary:read', 'diary:write']);
  return {
    async get(
      path: string,
      headers: Record<string, string> = { authorization: `Bearer ${key}` },
    ): Promise<Told> {
      const answer = await fetch(`${base}${path}`, { headers });
      return { status: answer.status, body: await answer.json() };
    },
    async post(path: string, body: unknown): Promise<Told> {
      const answer = await fetch(`${base}/v1/users/ann${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: await answer.json() };
    },
    key,
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

test('an entry with a barcode known only to an external service is created with one request to it', async () => {
  await using outside = await openFoodFacts();
  await using kitchen = await openKitchen(outside);
  const entry = await kitchen.post('/diary', { ...DAY, barcode: JELLY, ...SPOON });
  expect(entry).toMatchObject({
    status: 201,
    body: { foodName: 'Quince jelly', foodId: `off:${JELLY}`, addedMethod: 'barcode', calories: 48 },
  });
  expect((await kitchen.get(`/v1/foods/barcode/${JELLY}`)).body).toMatchObject({ id: `off:${JELLY}` });
  const byId = await kitchen.post('/diary', { ...DAY, foodId: `off:${JELLY}`, ...SPOON });
  expect(byId.body).toMatchObject({ foodName: 'Quince jelly' });
  expect(outside.asked).toEqual([`/api/v2/product/${JELLY}.json`]);
});

test('batches and recipes use external services, too', async () => {
  await using outside = await openFoodFacts();
  await using kitchen = await openKitchen(outside);
  const ingredients = [{ barcode: JELLY, ...SPOON }];
  const recipe = await kitchen.post('/recipes', { name: 'Toast', servings: 1, ingredients });
  expect(recipe).toMatchObject({ status: 201, body: { total: { calories: 48 } } });
  const batch = Array(3).fill({ ...DAY, barcode: `0${JELLY}`, ...SPOON });
  expect((await kitchen.post('/diary/batch', batch)).body).toMatchObject(batch.map(() => ({ calories: 48 })));
  expect(outside.asked).toHaveLength(1);
});

test('a batch stops asking after the first unknown product', async () => {
  await using outside = await openFoodFacts();
  await using kitchen = await openKitchen(outside);
  const others = ['96385074', '4006381333948', '12345670'].map((barcode) => ({ ...DAY, barcode, ...SPOON }));
  expect((await kitchen.post('/diary/batch', others)).body.error).toMatchObject({
    code: 'barcode_not_found',
    details: { index: 0, fields: ['[0].barcode'] },
  });
  expect(outside.asked).toEqual([expect.stringMatching(/96385074\.json$/)]);
});

test.each<[string, () => number]>([
  ['does not know it', () => 404],
  ['fails', () => 500],
  ['refuses', () => 429],
])('an unknown barcode gets the error of GET when the external service %s', async (_, status) => {
  await using outside = await openFoodFacts(status);
  await using kitchen = await openKitchen(outside);
  for (const barcode of [NOBODYS, KNOWN.barcode]) {
    const entry = await kitchen.post('/diary', { ...DAY, barcode, ...SPOON });
    const { code, message, details } = entry.body.error;
    expect(entry.status).toBe(404);
    const { fields, ...found } = details;
    expect(fields).toEqual(['barcode']);
    expect(found).toHaveProperty(barcode === NOBODYS ? 'candidates' : 'known');
    for (const { prefix, credential } of VARIANTS) {
      const read = await kitchen.get(`${prefix}/foods/barcode/${barcode}`, credential(kitchen.key));
      expect(read).toMatchObject({ status: 404, body: { error: { code, message } } });
      expect(read.body.error.details).toEqual(found);
    }
    const recipe = { name: 'Toast', servings: 1, ingredients: [{ barcode, ...SPOON }] };
    expect((await kitchen.post('/recipes', recipe)).body.error).toMatchObject({ code, details: found });
  }
});

test('a malformed barcode gets the error of GET with the name of the field', async () => {
  await using outside = await openFoodFacts();
  await using kitchen = await openKitchen(outside);
  const { code, details } = (await kitchen.post('/diary', { ...DAY, barcode: '12', ...SPOON })).body.error;
  expect([code, details]).toEqual(['invalid_barcode', { fields: ['barcode'] }]);
  expect((await kitchen.get('/v1/foods/barcode/12')).body.error.code).toBe('invalid_barcode');
});
