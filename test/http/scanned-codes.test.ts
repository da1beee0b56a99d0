import { checkDigit } from '@larder/core/gtin.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileFoods } from '../support/compiled-foods.ts';
import { SPREAD } from '../support/foods.ts';
import { sampleFood } from '../support/sample-foods.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { VARIANTS } from './variants.ts';

const GTIN = '03017620422003';
const CODES = [
  `(01)${GTIN}`,
  `01${GTIN}`,
  `]C101${GTIN}`,
  `]e001${GTIN}`,
  `]d2\u001d01${GTIN}`,
  `]E0${GTIN.slice(1)}`,
  `https://id.gs1.org/01/${GTIN}`,
  `HTTPS://BRAND.EXAMPLE/x/01/${GTIN}`,
  `https://brand.example/gtin/${GTIN.slice(1)}`,
];
const label = (body: string) => body + checkDigit(body);

let fixture: TestServer;
let key: string;
const short = sampleFood('off', '00031233', { name: 'Chicken with quinoa', barcode: '00031233' });
const long = sampleFood('off', '0000000031233', { name: 'Fruit muesli', barcode: '0000000031233' });
beforeAll(async () => {
  const { catalogue } = await compileFoods([[SPREAD, short, long]]);
  fixture = await openTestServer({ catalogue: { current: catalogue } });
  key = await fixture.createKey(
    ['foods:read', 'foods:write', 'diary:read', 'diary:write'],
    undefined,
    'acme',
  );
});
afterAll(() => fixture[Symbol.asyncDispose]());

const asBearer = () => ({ authorization: `Bearer ${key}` });

describe.each(VARIANTS)('$name', ({ prefix, credential, spread }) => {
  const get = (path: string) =>
    fixture.ask({ url: `${prefix}/foods/barcode${path}`, headers: credential(key) });

  it.each(CODES)('the code %j finds the food with its number, in a path and in the query', async (code) => {
    expect((await get(`/${encodeURIComponent(code)}`)).json()).toEqual(spread);
    expect((await get(`?code=${encodeURIComponent(code)}`)).json()).toEqual(spread);
  });

  it('a code in the query may have the form in which it was typed', async () => {
    const typed = `?code=(01)${GTIN}(17)260131(10)AB`;
    expect((await get(typed)).json()).toEqual({
      ...(spread as object),
      scanned: { expiryDate: '2026-01-31', batch: 'AB' },
    });
    const link = `?code=https://id.gs1.org/01/${GTIN}?3103=000250&10=AB&linkType=all`;
    expect((await get(link)).json().scanned).toEqual({ amount: { quantity: 250, unit: 'g' }, batch: 'AB' });
    expect((await get(`?code=${GTIN}&linkType=all`)).json().error).toMatchObject({
      code: 'invalid_query',
      details: { parameter: 'linkType' },
    });
    expect((await get('?code=3017620422003+05')).json().scanned).toEqual({ addOn: '05' });
  });

  it('facts in a code are part of the response to that code only', async () => {
    for (const batch of ['A1', 'B2', 'A1']) {
      expect((await get(`/${encodeURIComponent(`(01)${GTIN}(10)${batch}`)}`)).json().scanned).toEqual({
        batch,
      });
    }
    expect((await get(`/${GTIN}`)).json()).toEqual(spread);
  });

  it.each(['', '?code=', '?code=hello', '?code=(10)AB', '?code=https://example.com/spread'])(
    'the query %j has no number',
    async (query) => {
      const answer = await get(query);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error.code).toBe(query === '' ? 'invalid_query' : 'invalid_barcode');
    },
  );

  it('an unknown number is 404 with the facts in the code', async () => {
    const answer = await get('?code=(01)09999999999994(3103)000250(10)AB');
    expect(answer.statusCode).toBe(404);
    expect(answer.json().error.details).toEqual({
      candidates: ['09999999999994'],
      scanned: { amount: { quantity: 250, unit: 'g' }, batch: 'AB' },
    });
  });

  it('among two products with one padded number the written length decides, and the other is listed', async () => {
    for (const [typed, found, other] of [
      ['00031233', short, long],
      ['0000000031233', long, short],
    ] as const) {
      const { name, candidates } = (await get(`/${typed}`)).json();
      expect({ name, candidates }).toEqual({
        name: found.name,
        candidates: [{ id: other.id, name: other.name, barcode: other.barcode }],
      });
    }
  });

  it('a food entered from a label of a scale is found by the next label, with its weight', async () => {
    const item = prefix === '' ? '2012345' : '2012346';
    const entered = await fixture.ask({
      method: 'POST',
      url: '/v1/foods',
      headers: asBearer(),
      payload: {
        name: 'Gouda',
        barcode: label(`${item}00250`),
        servingSize: { value: 100, unit: 'g' },
        macros: { energy: 356, protein: 25, fat: 27, carbohydrates: 2 },
      },
    });
    expect(entered.statusCode).toBe(201);
    expect((await get(`/${label(`${item}00678`)}`)).json()).toMatchObject({
      id: entered.json().id,
      scanned: {
        amount: { quantity: 678, unit: 'g', assumed: true },
        price: { value: 6.78, assumed: true },
      },
    });
  });
});

describe('entries and foods that contain a code', () => {
  const post = (path: string, payload: object) =>
    fixture.ask({ method: 'POST', url: `/v1${path}`, headers: asBearer(), payload });

  it.each(CODES)('an entry of %j has the number of the package', async (barcode) => {
    const eaten = { date: '2026-01-31', mealType: 'lunch', barcode, quantity: 15, unit: 'g' };
    const answer = await post('/users/ann/diary', eaten);
    expect([answer.statusCode, answer.json().barcode]).toEqual([201, GTIN.slice(1)]);
  });

  it('an entry uses the weight that a code states, and requires one if the code is ambiguous', async () => {
    const eaten = { date: '2026-01-31', mealType: 'lunch' };
    const answer = await post('/users/ann/diary', { ...eaten, barcode: `(01)${GTIN}(3103)000250` });
    expect(answer.json()).toMatchObject({
      quantity: 250,
      unit: 'g',
      calories: 1347.5,
      addedMethod: 'barcode',
    });
    const refused = await post('/users/ann/diary', { ...eaten, barcode: label('201234500250') });
    expect([refused.statusCode, refused.json().error.details.fields]).toEqual([400, ['quantity', 'unit']]);
  });

  it('a custom food keeps the number of the code', async () => {
    const answer = await post('/foods', {
      name: 'Plum jam',
      barcode: '(01)04006381333931(10)AB',
      servingSize: { value: 20, unit: 'g' },
      macros: { energy: 48, protein: 0.1, fat: 0, carbohydrates: 12 },
    });
    expect([answer.statusCode, answer.json().barcode]).toEqual([201, '4006381333931']);
  });
});
