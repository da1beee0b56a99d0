import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { normalise } from '../../src/foods/import/normalise/normalise.ts';
import { type OffProduct, toRawFood } from '../../src/foods/import/off/food.ts';
import { compileFoods } from '../support/compiled-foods.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { VARIANTS } from './variants.ts';

const BISCUITS = '4006381333931';
const COLA = '5901234123457';
const SPREAD = '3017620422003';

function imported(code: string, product: Partial<OffProduct>) {
  const raw = toRawFood({
    code,
    name: `Product ${code}`,
    genericName: '',
    brands: '',
    quantity: '',
    servingText: '',
    servingQuantity: undefined,
    servingUnit: '',
    per100: { energy: 480, protein: 6, fat: 20, carbohydrates: 69 },
    scans: undefined,
    createdAt: undefined,
    updatedAt: undefined,
    ...product,
  });
  const made = normalise(raw, 1_700_000_000);
  if (made.kind !== 'food') throw new TypeError(`not a food: ${made.reason}`);
  return made.food;
}

let fixture: TestServer;
let key: string;
beforeAll(async () => {
  const { catalogue } = await compileFoods([
    [
      imported(BISCUITS, { servingText: '2 große Kekse (30 g)', servingQuantity: 2 }),
      imported(COLA, { servingText: '330 mg', servingQuantity: 0.33, quantity: '33 cl' }),
      imported(SPREAD, {
        per100: {
          energy: 539,
          protein: 6.3,
          fat: 30.9,
          carbohydrates: 57.5,
          saturatedFat: 106,
          saltG: 0.1,
          sodium: 0.016,
        },
      }),
    ],
  ]);
  fixture = await openTestServer({ catalogue: { current: catalogue } });
  key = await fixture.createKey(['foods:read', 'diary:read', 'diary:write'], undefined, 'acme');
});
afterAll(() => fixture[Symbol.asyncDispose]());

describe.each(VARIANTS)('$name', ({ prefix, credential }) => {
  const get = async (code: string) => {
    const url = `${prefix}/foods/barcode/${code}?include=servings`;
    const food = (await fixture.ask({ url, headers: credential(key) })).json();
    return food.servings.map(({ value, amount, unit, grams, milliliters }: Record<string, unknown>) => [
      value ?? amount,
      unit,
      grams ?? milliliters,
    ]);
  };

  it('a serving is read by its text, in any language', async () => {
    expect(await get(BISCUITS)).toEqual([
      [30, 'g', 30],
      [2, 'cookie', 30],
    ]);
  });

  it('a food states what an import changed in its values', async () => {
    const url = `${prefix}/foods/barcode/${SPREAD}`;
    const { notes } = (await fixture.ask({ url, headers: credential(key) })).json();
    expect(notes).toEqual([
      { code: 'impossible_dropped', message: 'Nutrient below 0 or above 100 g per 100 g dropped.' },
      { code: 'salt_counts', message: 'Salt and sodium disagree, the salt counts.' },
    ]);
  });

  it('an impossible serving in mg becomes one in ml', async () => {
    expect(await get(COLA)).toEqual([[330, 'ml', 330]]);
  });
});

it.each(['cookie', 'cookies', 'Keks', 'Kekse', 'biscotti', 'galleta'])(
  'the diary accepts "%s" of a food with cookies',
  async (unit) => {
    const payload = { date: '2026-01-31', mealType: 'snacks', barcode: BISCUITS, quantity: 1, unit };
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fixture.ask({ method: 'POST', url: '/v1/users/ann/diary', headers, payload });
    expect([answer.statusCode, answer.json().calories]).toEqual([201, 72]);
  },
);
