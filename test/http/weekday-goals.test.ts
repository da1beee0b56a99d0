import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DiaryUsers, openDiaryUsers, SOUP } from '../support/diary-users.ts';
import { answered, answeredGoals } from '../support/nutrients.ts';

let users: DiaryUsers;
let newUser: DiaryUsers['newUser'];
beforeAll(async () => {
  users = await openDiaryUsers();
  ({ newUser } = users);
});
afterAll(() => users[Symbol.asyncDispose]());

/** 2026-01-31 is a Saturday. */
const EVERY_DAY = { calories: 2000, protein: 100, nutrients: { sugars: 50 } };
const SENT = {
  from: '2026-01-01',
  ...EVERY_DAY,
  weekdays: { saturday: { calories: 2600, nutrients: { iron: 20 } }, sunday: { fat: 90 } },
};
const READ = answeredGoals(SENT);
const SATURDAY = answered({ calories: 2600, protein: 100, nutrients: { sugars: 50, iron: 20 } });

/** Goals without the version of all goals. */
function stated({ version: _, ...goals }: { readonly version?: number }): object {
  return goals;
}

it('a weekday replaces the amounts that it names, in goals of a date and in totals', async () => {
  const { send } = newUser();
  const put = await send('PUT', '/goals', SENT);
  expect([put.statusCode, stated(put.json())]).toEqual([200, READ]);
  expect(stated((await send('GET', '/goals')).json())).toEqual(READ);
  expect(stated((await send('GET', '/goals?date=2026-01-31')).json())).toEqual({ ...READ, onDate: SATURDAY });
  expect(stated((await send('GET', '/goals?date=2026-01-30')).json())).toEqual({
    ...READ,
    onDate: answered(EVERY_DAY),
  });
  await send('POST', '/diary', SOUP);
  expect((await send('GET', '/diary/totals?date=2026-01-31&remaining=true')).json()).toMatchObject({
    goals: SATURDAY,
    remaining: { calories: 2369.5, protein: 87.6, nutrients: { sugars: 50, iron: 20 } },
  });
  const range = await send('GET', '/diary/totals/days?from=2026-01-30&to=2026-02-02&remaining=true');
  expect(range.json().map(({ goals }: { goals: object }) => goals)).toEqual([
    answered(EVERY_DAY),
    SATURDAY,
    answered({ ...EVERY_DAY, fat: 90 }),
    answered(EVERY_DAY),
  ]);
});

it('goals are written back as they were read, with a date and with their history', async () => {
  const { send } = newUser();
  await send('PUT', '/goals', { from: '2025-12-01', calories: 1 });
  await send('PUT', '/goals', SENT);
  const before = (await send('GET', '/goals?history=true')).json();
  expect(before.all).toEqual([answered({ from: '2025-12-01', calories: 1 }), READ]);
  for (const query of ['', '?date=2026-01-31', '?date=2026-01-30&history=true']) {
    const read = (await send('GET', `/goals${query}`)).json();
    const put = await send('PUT', '/goals', read);
    expect([put.statusCode, stated(put.json())]).toEqual([200, READ]);
    expect(stated((await send('GET', '/goals?history=true')).json())).toEqual(stated(before));
  }
});

it('goals of a weekday alone are goals, and new goals of the day replace them', async () => {
  const { send } = newUser();
  const sundays = { from: '2026-01-01', weekdays: { sunday: { protein: 120 } } };
  const withMonday = { ...sundays, weekdays: { ...sundays.weekdays, monday: {} } };
  expect(stated((await send('PUT', '/goals', withMonday)).json())).toEqual(answeredGoals(sundays));
  const range = await send('GET', '/diary/totals/days?from=2026-01-31&to=2026-02-01&remaining=true');
  expect(range.json()).toMatchObject([
    { goals: {}, remaining: {} },
    { goals: { protein: 120 }, remaining: { protein: 120 } },
  ]);
  const later = { from: '2026-02-08', calories: 1800 };
  await send('PUT', '/goals', later);
  expect(stated((await send('GET', '/goals?date=2026-02-08')).json())).toEqual(answered(later));
  expect(stated((await send('GET', '/goals?date=2026-02-01')).json())).toEqual({
    ...answeredGoals(sundays),
    onDate: answered({ protein: 120 }),
  });
  await send('PUT', '/goals', { from: '2026-01-01', calories: 1500 });
  expect(stated((await send('GET', '/goals?date=2026-02-01')).json())).toEqual({
    ...answered({ from: '2026-01-01', calories: 1500 }),
  });
});

it('a wrong weekday or amount is refused, with its field', async () => {
  const { send } = newUser();
  for (const [weekdays, field] of [
    [{ saterday: { calories: 1 } }, 'weekdays.saterday'],
    [{ saturday: { water: 1 } }, 'weekdays.saturday.water'],
    [{ saturday: { calories: -1 } }, 'weekdays.saturday.calories'],
    [{ saturday: { nutrients: { energy: -1 } } }, 'weekdays.saturday.nutrients.energy'],
    [{ saturday: 2000 }, 'weekdays.saturday'],
    [[], 'weekdays'],
  ] as const) {
    const refused = await send('PUT', '/goals', { calories: 2000, weekdays });
    expect([refused.statusCode, refused.json().error.details.fields]).toEqual([400, [field]]);
  }
  const none = await send('PUT', '/goals', { weekdays: { monday: {} } });
  expect([none.statusCode, none.json().error.details.fields]).toEqual([
    400,
    expect.arrayContaining(['weekdays']),
  ]);
  expect((await send('GET', '/goals')).json()).toEqual({});
});
