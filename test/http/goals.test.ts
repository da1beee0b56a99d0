import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DiaryUsers, openDiaryUsers } from '../support/diary-users.ts';
import { answeredGoals } from '../support/nutrients.ts';

let users: DiaryUsers;
let newUser: DiaryUsers['newUser'];
beforeAll(async () => {
  users = await openDiaryUsers();
  ({ newUser } = users);
});
afterAll(() => users[Symbol.asyncDispose]());

const NEW_YEAR = {
  from: '2026-01-01',
  calories: 2000,
  protein: 100,
  nutrients: { sugars: 50, iron: 14 },
  weekdays: { saturday: { calories: 2600, nutrients: { iron: 20 } }, sunday: { fat: 90 } },
};

it('a change of one goal keeps the others of that day, and earlier days theirs', async () => {
  const { send } = newUser();
  await send('PUT', '/goals', NEW_YEAR);
  const changed = await send('PATCH', '/goals', { from: '2026-02-01', protein: 120 });
  expect([changed.statusCode, changed.json()]).toEqual([
    200,
    answeredGoals({ ...NEW_YEAR, from: '2026-02-01', protein: 120, version: 2 }),
  ]);
  expect((await send('GET', '/goals?history=true')).json().all).toEqual([
    answeredGoals(NEW_YEAR),
    answeredGoals({ ...NEW_YEAR, from: '2026-02-01', protein: 120 }),
  ]);
  const again = await send('PATCH', '/goals', {
    from: '2026-02-01',
    protein: null,
    fiber: 30,
    nutrients: { sugars: null, calcium: 1000 },
    weekdays: { saturday: { calories: null, protein: 90 }, sunday: null, monday: { fat: 70 } },
  });
  expect(again.json()).toEqual(
    answeredGoals({
      from: '2026-02-01',
      calories: 2000,
      fiber: 30,
      nutrients: { iron: 14, calcium: 1000 },
      weekdays: { monday: { fat: 70 }, saturday: { protein: 90, nutrients: { iron: 20 } } },
      version: 3,
    }),
  );
  const plain = await send('PATCH', '/goals', { from: '2026-02-01', weekdays: null });
  expect(plain.json()).not.toHaveProperty('weekdays');
  const none = { calories: null, fiber: null, nutrients: { iron: null, calcium: null } };
  expect((await send('PATCH', '/goals', { from: '2026-02-01', ...none })).json()).toEqual({
    from: '2026-02-01',
    version: 5,
    nutrients: {},
  });
});

it('a change of nothing, of an unknown goal or of a wrong amount is refused', async () => {
  const { send } = newUser();
  for (const [body, field] of [
    [{ from: '2026-01-01' }, 'calories'],
    [{ weekdays: {} }, 'weekdays'],
    [{ water: 1 }, 'water'],
    [{ calories: -1 }, 'calories'],
    [{ nutrients: { sugars: 'much' } }, 'nutrients.sugars'],
    [{ weekdays: { sunday: { fat: -1 } } }, 'weekdays.sunday.fat'],
  ] as const) {
    const refused = await send('PATCH', '/goals', body);
    expect([refused.statusCode, refused.json().error.details.fields]).toEqual([
      400,
      expect.arrayContaining([field]),
    ]);
  }
  expect((await send('GET', '/goals')).json()).toEqual({});
});

it('a write for another version is refused with the goals there are, and changes nothing', async () => {
  const { send } = newUser();
  const put = await send('PUT', '/goals', NEW_YEAR);
  expect(put.headers['etag']).toBe('"1"');
  await send('PATCH', '/goals', { from: '2026-01-01', fat: 60 });
  const read = await send('GET', '/goals?date=2026-01-30');
  expect([read.headers['etag'], read.json().version]).toEqual(['"2"', 2]);
  expect((await send('GET', '/goals', undefined, { 'if-none-match': '"2"' })).statusCode).toBe(304);
  for (const [method, path, body] of [
    ['PUT', '/goals', { from: '2026-01-01', calories: 1 }],
    ['PATCH', '/goals', { from: '2026-01-01', calories: 1 }],
    ['DELETE', '/goals?from=2026-01-01', undefined],
    ['DELETE', '/goals?all=true', undefined],
  ] as const) {
    const refused = await send(method, path, body, { 'if-match': '"1"' });
    const { code, details } = refused.json().error;
    expect([refused.statusCode, code]).toEqual([412, 'version_conflict']);
    expect(details.current).toMatchObject(answeredGoals({ ...NEW_YEAR, fat: 60, version: 2 }));
    expect((await send(method, path, body, { 'if-match': '"x"' })).statusCode).toBe(412);
  }
  const changed = await send('PATCH', '/goals', { from: '2026-01-01', fat: 70 }, { 'if-match': '"2"' });
  expect([changed.statusCode, changed.headers['etag']]).toEqual([200, '"3"']);
});

it('goals are removed by their first day, or all of them', async () => {
  const { send } = newUser();
  expect((await send('DELETE', '/goals?all=true')).statusCode).toBe(404);
  await send('PUT', '/goals', { calories: 1800, replaceHistory: true });
  await send('PUT', '/goals', NEW_YEAR);
  await send('PUT', '/goals', { from: '2026-02-01', calories: 1500 });
  expect((await send('DELETE', '/goals?from=2026-02-02')).json().error.code).toBe('goals_not_found');
  expect((await send('DELETE', '/goals?from=2026-02-01&all=true')).statusCode).toBe(400);
  expect((await send('DELETE', '/goals?from=2026-02-01')).statusCode).toBe(204);
  expect((await send('GET', '/goals?date=2026-02-01')).json()).toMatchObject(NEW_YEAR);
  expect((await send('DELETE', '/goals')).statusCode).toBe(204);
  const feed = (await send('GET', '/changes')).json();
  const known = feed.changes.find(({ kind }: { kind: string }) => kind === 'goals');
  expect(known.value).toEqual({
    ...answeredGoals({ ...NEW_YEAR, version: 5 }),
    all: [answeredGoals(NEW_YEAR)],
  });
  expect((await send('DELETE', '/goals?all=true')).statusCode).toBe(204);
  expect((await send('GET', '/goals?history=true')).json()).toEqual({ version: 6, all: [] });
  expect((await send('GET', `/changes?after=${feed.cursor}`)).json().changes).toEqual([
    { kind: 'goals', op: 'upsert', id: 'goals', value: { version: 6, all: [] } },
  ]);
  const put = await send('PUT', '/goals', { from: '2026-03-01', fat: 60 }, { 'if-match': '"6"' });
  expect(put.json()).toEqual(answeredGoals({ from: '2026-03-01', fat: 60, version: 7 }));
});
