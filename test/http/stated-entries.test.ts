import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestServer, type TestServer } from '../support/test-server.ts';

let fixture: TestServer;
let key: string;
beforeAll(async () => {
  fixture = await openTestServer();
  key = await fixture.createKey(['foods:read', 'foods:write', 'diary:read', 'diary:write']);
});
afterAll(() => fixture[Symbol.asyncDispose]());

async function ask(method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fixture.ask({ method, url: `/v1${path}`, headers, ...(payload && { payload }) });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return answer.json();
}

const DAY = { date: '2026-01-31', mealType: 'lunch' };
const SOUP = { ...DAY, foodName: 'Soup', calories: 90, protein: 3, carbs: 9, fat: 4.5 };
const DIARY = '/users/ann/diary';

describe('doubtful values of an entry', () => {
  it.each([
    ['sodium', { sodium: 120_000 }],
    ['nutrients.sugars', { nutrients: { sugars: 40 } }],
    ['nutrients.saturatedFat', { nutrients: { saturatedFat: 9 } }],
    ['calories', { calories: 900 }],
  ])('are written with a warning about %s', async (field, more) => {
    const written = await ask('POST', DIARY, { ...SOUP, ...more });
    expect(written.warnings).toEqual([
      { code: expect.any(String), field, message: expect.stringMatching(/^\d.*[.?]$/) },
    ]);
    expect(await ask('GET', `${DIARY}/${written.id}`)).toEqual(written);
    const [batched] = await ask('POST', `${DIARY}/batch`, [{ ...SOUP, ...more }]);
    expect(batched.warnings).toEqual(written.warnings);
  });

  it('cause no warning after they are corrected', async () => {
    const { id, warnings } = await ask('POST', DIARY, { ...SOUP, sodium: 120_000 });
    expect(warnings).toHaveLength(1);
    expect(await ask('PATCH', `${DIARY}/${id}`, { sodium: 1_200 })).not.toHaveProperty('warnings');
    expect(await ask('PATCH', `${DIARY}/${id}`, { calories: 900 })).toHaveProperty(
      'warnings.0.field',
      'calories',
    );
  });

  it('are not checked if they come from a food', async () => {
    const food = await ask('POST', '/foods', {
      name: 'Odd',
      servingSize: { value: 100, unit: 'g' },
      macros: { energy: 900, protein: 1, fat: 1, carbohydrates: 1 },
    });
    expect(food.warnings).toHaveLength(1);
    const entry = await ask('POST', DIARY, { ...DAY, foodId: food.id, quantity: 1, unit: 'serving' });
    expect(entry).not.toHaveProperty('warnings');
  });
});

describe('a changed entry', () => {
  it('is doubled by the quantity 2, whether or not it had one', async () => {
    for (const stated of [{}, { quantity: 1 }, { quantity: 1, unit: 'bowl' }]) {
      const { id } = await ask('POST', DIARY, { ...SOUP, ...stated });
      for (const quantity of [2, 4, 1, 0.5]) {
        expect(await ask('PATCH', `${DIARY}/${id}`, { quantity })).toMatchObject({
          calories: 90 * quantity,
          fat: 4.5 * quantity,
          quantity,
        });
      }
    }
  });

  it('can use a serving that its food has got since', async () => {
    const food = {
      name: 'Rye bread',
      servingSize: { value: 1, unit: 'slice', grams: 40 },
      macros: { energy: 90, protein: 3, fat: 0.5, carbohydrates: 17 },
    };
    const { id: foodId } = await ask('POST', '/foods', food);
    const { id } = await ask('POST', DIARY, { ...DAY, foodId, quantity: 1, unit: 'slice' });
    await ask('PATCH', `/foods/${foodId}`, {
      servingSize: { value: 1, unit: 'loaf', grams: 800 },
      macros: { energy: 1_800, protein: 60, fat: 10, carbohydrates: 340 },
    });
    expect(await ask('PATCH', `${DIARY}/${id}`, { quantity: 0.5, unit: 'loaf' })).toMatchObject({
      calories: 900,
      unit: 'loaf',
    });
    expect(await ask('PATCH', `${DIARY}/${id}`, { quantity: 1, unit: 'slice' })).toMatchObject({
      calories: 90,
    });
  });

  it('may state its energy only', async () => {
    const entry = await ask('POST', DIARY, { ...DAY, foodName: 'Bar', calories: 150 });
    expect(entry).toMatchObject({ protein: 0, unknown: ['protein', 'carbs', 'fat'] });
    expect(await ask('PATCH', `${DIARY}/${entry.id}`, { quantity: 2 })).toMatchObject({
      calories: 300,
      unknown: ['protein', 'carbs', 'fat'],
    });
    expect(await ask('PATCH', `${DIARY}/${entry.id}`, { protein: 4 })).toMatchObject({
      protein: 4,
      unknown: ['carbs', 'fat'],
    });
  });
});
