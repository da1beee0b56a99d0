import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DiaryUsers, openDiaryUsers } from '../support/diary-users.ts';
import { BANANA } from '../support/foods.ts';

let users: DiaryUsers;
let newUser: DiaryUsers['newUser'];
let foodsKey: string;
beforeAll(async () => {
  users = await openDiaryUsers();
  ({ newUser } = users);
  foodsKey = await users.fixture.createKey(['foods:read', 'foods:write']);
});
afterAll(() => users[Symbol.asyncDispose]());

const day = { date: '2026-01-31', mealType: 'lunch' };
const askFoods = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, payload?: object) =>
  users.fixture.ask({
    method,
    url: `/v1/foods${path}`,
    headers: { authorization: `Bearer ${foodsKey}` },
    ...(payload && { payload }),
  });
const withoutTimes = ({ updatedAt: _, version: _v, ...entry }: Record<string, unknown>) => entry;

it('an entry changed to 1 g, 0.1 g, 1 mg and back has its first amounts', async () => {
  const { send } = newUser();
  const eaten = { ...day, foodId: BANANA.id, quantity: 100, unit: 'g' };
  const entry = (await send('POST', '/diary', eaten)).json();
  const change = async (to: object) => (await send('PATCH', `/diary/${entry.id}`, to)).json();
  expect(await change({ quantity: 1 })).toMatchObject({ protein: 0.011, fat: 0.003 });
  expect(await change({ quantity: 0.1 })).toMatchObject({ protein: 0.001, fat: 0 });
  expect(await change({ quantity: 1, unit: 'mg' })).toMatchObject({ calories: 0.001, protein: 0, fat: 0 });
  expect(await change({ quantity: 1, unit: 'piece' })).toMatchObject({ protein: 1.286 });
  expect(withoutTimes(await change({ quantity: 100, unit: 'g' }))).toEqual(withoutTimes(entry));
});

it('ten servings with 1 g of protein each contain 10 g, in whatever unit they are entered', async () => {
  const { send } = newUser();
  const food = {
    name: 'Cracker crumble',
    servingSize: { value: 30, unit: 'g' },
    macros: { energy: 100, protein: 1, fat: 2, carbohydrates: 20 },
  };
  const { id } = (await askFoods('POST', '', food)).json();
  const eat = async (date: string, times: number, quantity: number, unit: string) => {
    const one = { ...day, date, foodId: id, quantity, unit };
    const entries = (await send('POST', '/diary/batch', Array(times).fill(one))).json();
    const totals = (await send('GET', `/diary/totals?date=${date}`)).json();
    return [entries[0].protein, totals.protein];
  };
  expect(await eat('2026-02-01', 1, 1, 'serving')).toEqual([1, 1]);
  expect(await eat('2026-02-02', 1, 10, 'servings')).toEqual([10, 10]);
  expect(await eat('2026-02-03', 10, 1, 'serving')).toEqual([1, 10]);
  expect(await eat('2026-02-04', 30, 10, 'g')).toEqual([0.333, 10]);
  expect(await eat('2026-02-05', 70, 1, 'g')).toEqual([0.033, 2.333]);
  const range = (await send('GET', '/diary/totals/days?from=2026-02-01&to=2026-02-05')).json();
  expect(range.map(({ protein }: { protein: number }) => protein)).toEqual([1, 10, 10, 10, 2.333]);
  const copied = (await send('POST', '/diary/copy', { from: '2026-02-04', to: '2026-02-06' })).json();
  expect(copied[0].protein).toBe(0.333);
  expect((await send('GET', '/diary/totals?date=2026-02-06')).json().protein).toBe(10);
  const recipe = {
    name: 'Crumble',
    servings: 3,
    ingredients: Array(30).fill({ foodId: id, quantity: 10, unit: 'g' }),
  };
  expect((await send('POST', '/recipes', recipe)).json()).toMatchObject({
    total: { protein: 10, calories: 1000 },
    perServing: { protein: 3.333, calories: 333.333 },
  });
});

it('changing or deleting a food leaves existing entries and their units unchanged', async () => {
  const { send } = newUser();
  const food = {
    name: 'Rye rusk',
    servingSize: { value: 1, unit: 'rusk', grams: 12 },
    macros: { energy: 47, protein: 1, fat: 0.5, carbohydrates: 9 },
  };
  const { id } = (await askFoods('POST', '', food)).json();
  const eaten = { ...day, foodId: id, quantity: 2, unit: 'rusks' };
  const entry = (await send('POST', '/diary', eaten)).json();
  const change = async (to: object) => (await send('PATCH', `/diary/${entry.id}`, to)).json();
  await askFoods('PATCH', `/${id}`, {
    servingSize: { value: 1, unit: 'rusk', grams: 24 },
    macros: { protein: 5 },
  });
  expect(await change({ quantity: 6, unit: 'g' })).toMatchObject({ calories: 23.5, protein: 0.5 });
  await askFoods('DELETE', `/${id}`);
  expect(withoutTimes(await change({ quantity: 2, unit: 'rusks' }))).toEqual(withoutTimes(entry));
  const exported = (await send('GET', '/diary/export?format=csv')).body;
  expect(exported).toContain(',Rye rusk,94,2,18,1,,,2,rusks,');
});
