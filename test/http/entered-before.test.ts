import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestServer, type TestServer } from '../support/test-server.ts';

let fixture: TestServer;
let key: string;
beforeAll(async () => {
  fixture = await openTestServer();
  key = await fixture.createKey(['foods:read', 'foods:write'], undefined, 'acme');
});
afterAll(() => fixture[Symbol.asyncDispose]());

const JAM = {
  name: 'Plum jam',
  servingSize: { value: 20, unit: 'g' },
  macros: { energy: 48, protein: 0.1, fat: 0, carbohydrates: 12 },
};

async function enter(food: object) {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fixture.ask({ method: 'POST', url: '/v1/foods', headers, payload: food });
  expect(answer.statusCode).toBeLessThan(300);
  const { id, warnings = [] } = answer.json();
  return { id, before: warnings.map(({ code, foodId }: Record<string, string>) => [code, foodId]) };
}

it('a food that is entered again is stored, with a warning that names the first one', async () => {
  const first = await enter(JAM);
  expect(first.before).toEqual([]);
  for (const again of [JAM, { ...JAM, name: ' plum  JAM' }, { ...JAM, aliases: ['Powidl'] }]) {
    expect((await enter(again)).before).toEqual([['entered_before', first.id]]);
  }
  const headers = { authorization: `Bearer ${key}` };
  expect((await fixture.ask({ url: `/v1/foods/${first.id}`, headers })).json().warnings).toBeUndefined();
});

it('other values, another brand, serving or owner make a different food', async () => {
  const base = { ...JAM, name: 'Quince jam' };
  await enter(base);
  for (const other of [
    { ...base, macros: { ...base.macros, energy: 47 } },
    { ...base, macros: { energy: 48 } },
    { ...base, brand: 'Acme' },
    { ...base, barcode: '96385074' },
    { ...base, servingSize: { value: 20, unit: 'g', label: '1 spoon' } },
    { ...base, userId: 'ann' },
  ]) {
    expect((await enter(other)).before).toEqual([]);
  }
  const ofAnn = await enter({ ...base, userId: 'ann', name: 'Fig jam' });
  expect((await enter({ ...base, userId: 'ann', name: 'Fig jam' })).before).toEqual([
    ['entered_before', ofAnn.id],
  ]);
  expect((await enter({ ...base, userId: 'bob', name: 'Fig jam' })).before).toEqual([]);
});

it('a repetition with the same id is not a second food', async () => {
  const food = { ...JAM, name: 'Cherry jam', id: '01JZ8Q6T3V0000XW5M8KQ2NCE7' };
  const { id } = await enter(food);
  expect(await enter(food)).toEqual({ id, before: [] });
});
