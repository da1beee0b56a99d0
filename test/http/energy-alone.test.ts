import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestServer, type TestServer } from '../support/test-server.ts';
import { VARIANTS } from './variants.ts';

let fixture: TestServer;
let key: string;
beforeAll(async () => {
  fixture = await openTestServer();
  key = await fixture.createKey(
    ['foods:read', 'foods:write', 'diary:read', 'diary:write'],
    undefined,
    'acme',
  );
});
afterAll(() => fixture[Symbol.asyncDispose]());

const ask = async (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) => {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fixture.ask({ method, url: `/v1${path}`, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.json(), text: answer.body };
};
const day = { date: '2026-01-31', mealType: 'snacks' };

describe('an entry', () => {
  it('may state its energy only: the other amounts are 0, and listed as unknown', async () => {
    const { status, body } = await ask('POST', '/users/ann/diary', {
      ...day,
      foodName: 'Bar',
      calories: 150,
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      calories: 150,
      protein: 0,
      carbs: 0,
      fat: 0,
      unknown: ['protein', 'carbs', 'fat'],
    });
    expect((await ask('GET', `/users/ann/diary/${body.id}`)).body).toEqual(body);
    expect((await ask('GET', '/users/ann/diary?date=2026-01-31')).body).toEqual([body]);
    const totals = (await ask('GET', '/users/ann/diary/totals?date=2026-01-31')).body;
    expect(totals).toMatchObject({ calories: 150, protein: 0 });
    expect(totals.unknown).toEqual(['protein', 'carbs', 'fat', 'fiber', 'sodium']);
  });

  it('lists unknown amounts in totals of days, meals and ranges', async () => {
    await ask('POST', '/users/bea/diary', { ...day, foodName: 'Bar', calories: 150, fat: 7 });
    await ask('POST', '/users/bea/diary', {
      ...day,
      foodName: 'Soup',
      calories: 90,
      protein: 3,
      carbs: 9,
      fat: 4,
    });
    const { body } = await ask('GET', '/users/bea/diary/totals/days?from=2026-01-31&to=2026-02-01&by=meal');
    expect(body[0]).toMatchObject({ calories: 240, protein: 3, carbs: 9, fat: 11 });
    expect(body[0].unknown).toEqual(['protein', 'carbs', 'fiber', 'sodium']);
    expect(body[0].meals.snacks.unknown).toEqual(['protein', 'carbs', 'fiber', 'sodium']);
    expect(body[1].unknown).toBeUndefined();
  });

  it('is exported with empty cells for unknown amounts', async () => {
    await ask('POST', '/users/cyd/diary', { ...day, foodName: 'Bar', calories: 150 });
    const headers = { authorization: `Bearer ${key}` };
    const csv = await fixture.ask({ url: '/v1/users/cyd/diary/export?format=csv', headers });
    expect(csv.body).toContain('2026-01-31,snacks,Bar,150,,,,,,');
  });

  it('without the energy is rejected', async () => {
    const { status, body } = await ask('POST', '/users/ann/diary', { ...day, foodName: 'Bar', protein: 5 });
    expect([status, body.error.details.fields]).toEqual([400, ['calories']]);
  });
});

describe('a custom food', () => {
  const bar = {
    name: 'Cereal bar',
    servingSize: { value: 1, unit: 'bar', grams: 40 },
    macros: { energy: 150 },
  };

  it('may state its energy only, and can be sent back as it was read', async () => {
    const { status, body } = await ask('POST', '/foods', bar);
    expect(status).toBe(201);
    const unknown = ['protein', 'fat', 'carbohydrates'];
    expect(body).toMatchObject({ macros: { energy: 150, protein: 0, fat: 0, carbohydrates: 0 }, unknown });
    expect(body).not.toHaveProperty('warnings');
    const again = await ask('PATCH', `/foods/${body.id}`, { ...body, name: 'Oat bar' });
    expect(again).toMatchObject({ status: 200, body: { name: 'Oat bar', unknown } });
    const known = await ask('PATCH', `/foods/${body.id}`, { macros: { protein: 4 } });
    expect(known.body).toMatchObject({ macros: { protein: 4 }, unknown: ['fat', 'carbohydrates'] });
    const entry = await ask('POST', '/users/dan/diary', {
      ...day,
      foodId: body.id,
      quantity: 2,
      unit: 'bar',
    });
    expect(entry.body).toMatchObject({ calories: 300, protein: 8, carbs: 0, unknown: ['carbs', 'fat'] });
  });

  it.each(VARIANTS)('is found with its unknown amounts: $name', async ({ prefix, credential }) => {
    const name = `Nougat ${prefix === '' ? 'plain' : 'versioned'}`;
    await ask('POST', '/foods', { ...bar, name });
    const url = `${prefix}/foods/search?q=${encodeURIComponent(name)}`;
    const [found] = (await fixture.ask({ url, headers: credential(key) })).json();
    expect(found.unknown).toEqual(
      prefix === '' ? ['protein', 'fat', 'carbs'] : ['protein', 'fat', 'carbohydrates'],
    );
  });

  it('gets a warning for impossible values', async () => {
    const macros = {
      energy: 400,
      protein: 5,
      fat: 10,
      carbohydrates: 70,
      sugars: 80,
      saturatedFat: 12,
      sodium: 120_000,
    };
    const { body } = await ask('POST', '/foods', { ...bar, servingSize: { value: 100, unit: 'g' }, macros });
    expect(body.warnings.map(({ code, field }: Record<string, string>) => [code, field])).toEqual([
      ['part_above_whole', 'macros.sugars'],
      ['part_above_whole', 'macros.saturatedFat'],
      ['above_pure_substance', 'macros.sodium'],
    ]);
  });
});
