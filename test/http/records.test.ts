import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DiaryUsers, openDiaryUsers, SOUP } from '../support/diary-users.ts';

let users: DiaryUsers;
let newUser: DiaryUsers['newUser'];
beforeAll(async () => {
  users = await openDiaryUsers();
  ({ newUser } = users);
});
afterAll(() => users[Symbol.asyncDispose]());

const MEAL = {
  name: 'Usual breakfast',
  items: [
    { foodName: 'Soup', calories: 200, protein: 3, note: 'hot' },
    { foodName: 'Lost food', foodId: 'manual:none', quantity: 2, unit: 'serving', calories: 90, fat: 1 },
  ],
};
const FAVOURITE = { name: 'Banana', foodId: 'starter:banana', quantity: 1, unit: 'serving' };
const DAY = '/diary/days/2026-01-31';

describe.each([
  { what: 'a saved meal', at: '/meals', kind: 'meal', body: MEAL, change: { name: 'Brunch' } },
  { what: 'a favourite', at: '/favourites', kind: 'favourite', body: FAVOURITE, change: { quantity: 2 } },
])('$what', ({ at, kind, body, change }) => {
  it('is written, read, listed, changed and deleted', async () => {
    const { send, id: userId } = newUser();
    const created = await send('POST', at, body);
    expect([created.statusCode, created.headers['etag']]).toEqual([201, '"1"']);
    const record = created.json();
    expect(record).toMatchObject({ ...body, version: 1, userId });
    const one = `${at}/${record.id}`;
    expect(created.headers['location']).toMatch(new RegExp(`${one}$`));
    expect((await send('GET', one)).json()).toEqual(record);
    expect((await send('GET', one, undefined, { 'if-none-match': '"1"' })).statusCode).toBe(304);
    expect((await send('GET', at)).json()).toEqual([record]);
    const changed = await send('PATCH', one, { ...record, ...change }, { 'if-match': '"1"' });
    expect([changed.statusCode, changed.headers['etag']]).toEqual([200, '"2"']);
    expect(changed.json()).toMatchObject({ ...body, ...change, version: 2 });
    const refused = await send('PATCH', one, { name: 'Other' }, { 'if-match': '"1"' });
    expect([refused.statusCode, refused.json().error.details.current]).toEqual([412, changed.json()]);
    expect((await send('DELETE', one, undefined, { 'if-match': '"1"' })).statusCode).toBe(412);
    expect((await send('DELETE', one, undefined, { 'if-match': '"2"' })).statusCode).toBe(204);
    expect((await send('GET', one)).json().error.code).toMatch(/^(?:meal|favourite)_not_found$/);
    expect((await send('DELETE', one)).statusCode).toBe(404);
    expect((await send('GET', at)).json()).toEqual([]);
  });

  it('is in the feed as it is now, and its deletion too', async () => {
    const { send } = newUser();
    const record = (await send('POST', at, body)).json();
    const begun = (await send('GET', '/changes')).json();
    expect(begun.changes).toEqual([{ kind, op: 'upsert', id: record.id, value: record }]);
    const changed = (await send('PATCH', `${at}/${record.id}`, change)).json();
    const page = (await send('GET', `/changes?after=${begun.cursor}`)).json();
    expect(page.changes).toEqual([{ kind, op: 'upsert', id: record.id, value: changed }]);
    await send('DELETE', `${at}/${record.id}`);
    expect((await send('GET', `/changes?after=${page.cursor}`)).json().changes).toEqual([
      { kind, op: 'delete', id: record.id },
    ]);
  });
});

describe.each([
  { what: 'a day', at: DAY, kind: 'day', id: '2026-01-31', body: { note: 'Two\nlines', complete: true } },
  { what: 'settings', at: '/settings', kind: 'settings', id: 'settings', body: { waterGoalMl: 2_000 } },
])('$what', ({ at, kind, id, body }) => {
  it('is always there, with version 0 before the first write', async () => {
    const { send, id: userId } = newUser();
    const empty = await send('GET', at);
    expect([empty.statusCode, empty.headers['etag']]).toEqual([200, '"0"']);
    const named = kind === 'day' ? { date: id } : {};
    expect(empty.json()).toEqual({ ...named, version: 0, userId });
    expect((await send('GET', '/changes')).json().changes).toEqual([]);
    const first = await send('PUT', at, body, { 'if-match': '"0"' });
    expect([first.statusCode, first.headers['etag']]).toEqual([200, '"1"']);
    expect(first.json()).toMatchObject({ ...named, ...body, version: 1, userId });
    const late = await send('PUT', at, {}, { 'if-match': '"0"' });
    expect([late.statusCode, late.json().error.details.current]).toEqual([412, first.json()]);
    expect((await send('PUT', at, first.json())).json()).toEqual(first.json());
    expect((await send('PATCH', at, {}, { 'if-match': '"other"' })).statusCode).toBe(412);
    const [removed] = Object.keys(body);
    const emptied = await send('PATCH', at, { [removed!]: null }, { 'if-match': '"1"' });
    expect(emptied.json()).not.toHaveProperty(removed!);
    expect(emptied.json().version).toBe(2);
    const page = (await send('GET', '/changes')).json();
    expect(page.changes).toEqual([{ kind, op: 'upsert', id, value: emptied.json() }]);
    expect((await send('DELETE', at)).statusCode).toBe(405);
  });

  it('concurrent changes of different fields all stay', async () => {
    const { send } = newUser();
    const changes =
      kind === 'day'
        ? [{ note: 'Rain' }, { complete: true }]
        : [{ waterStepMl: 200 }, { language: 'de' }, { measures: 'us' }];
    const answers = await Promise.all(changes.map((change) => send('PATCH', at, change)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(changes.map(() => 200));
    expect((await send('GET', at)).json()).toMatchObject(Object.assign({}, ...changes));
  });
});

it('days are listed by range, oldest first, in pages', async () => {
  const { send, path } = newUser();
  for (const day of ['2026-01-29', '2026-02-01', '2026-01-31', '2026-01-30'])
    await send('PUT', `/diary/days/${day}`, { complete: true });
  const dates = (answer: { json(): { date: string }[] }) => answer.json().map(({ date }) => date);
  const first = await send('GET', '/diary/days?from=2026-01-30&to=2026-01-31&limit=1');
  expect(dates(first)).toEqual(['2026-01-30']);
  const next = /^<([^>]+)>; rel="next"$/.exec(String(first.headers['link']))![1]!;
  const second = await send('GET', next.slice(path.length));
  expect([dates(second), second.headers['link']]).toEqual([['2026-01-31'], undefined]);
  expect(dates(await send('GET', '/diary/days'))).toHaveLength(4);
  expect((await send('GET', '/diary/days/2026-02-30')).json().error.details.fields).toEqual(['date']);
});

it('a saved meal is logged as entries, with the saved amounts where a food is gone', async () => {
  const { send } = newUser();
  const { id } = (await send('POST', '/meals', MEAL)).json();
  const logged = await send('POST', `/meals/${id}/log`, { date: '2026-01-31', mealType: 'breakfast' });
  expect(logged.statusCode).toBe(201);
  expect(logged.json()).toMatchObject([
    { date: '2026-01-31', mealType: 'breakfast', foodName: 'Soup', calories: 200, note: 'hot' },
    { foodName: 'Lost food', calories: 90, fat: 1, quantity: 2, unit: 'serving' },
  ]);
  expect((await send('GET', '/diary?date=2026-01-31')).json()).toEqual(logged.json());
  const again = await send('POST', `/meals/${id}/log`, { date: '2026-02-01', mealType: 'lunch' }, KEY);
  const repeated = await send('POST', `/meals/${id}/log`, { date: '2026-02-01', mealType: 'lunch' }, KEY);
  expect(repeated.body).toBe(again.body);
  expect((await send('GET', '/diary?date=2026-02-01')).json()).toHaveLength(2);
  const lost = { name: 'x', items: [{ foodName: 'y', foodId: 'manual:none', quantity: 1, unit: 'g' }] };
  const { id: unusable } = (await send('POST', '/meals', lost)).json();
  const refused = await send('POST', `/meals/${unusable}/log`, { date: '2026-02-02', mealType: 'lunch' });
  expect(refused.json().error.code).toBe('food_not_found');
});
const KEY = { 'idempotency-key': 'log-once' };

it('amounts of a food in a saved meal are computed anew', async () => {
  const { send } = newUser();
  const key = await users.fixture.createKey(['foods:write', 'foods:read']);
  const made = await users.fixture.ask({
    method: 'POST',
    url: '/v1/foods',
    headers: { authorization: `Bearer ${key}` },
    payload: {
      name: 'Bar',
      servingSize: { value: 50, unit: 'g' },
      macros: { energy: 200, protein: 5, fat: 5, carbohydrates: 30 },
    },
  });
  const items = [{ foodName: 'Old bar', foodId: made.json().id, quantity: 100, unit: 'g', calories: 1 }];
  const { id } = (await send('POST', '/meals', { name: 'Snack', items })).json();
  const logged = await send('POST', `/meals/${id}/log`, { date: '2026-01-31', mealType: 'snacks' });
  expect(logged.json()).toMatchObject([{ foodName: 'Bar', calories: 400, protein: 10 }]);
});

it('notes on days and entries are found by their words, newest first', async () => {
  const { send, path } = newUser();
  await send('POST', '/diary', { ...SOUP, date: '2026-01-30', note: 'At GRANDMA’s café' });
  const { id } = (
    await send('POST', '/diary', { ...SOUP, date: '2026-01-31', note: 'grandma again' })
  ).json();
  await send('POST', '/diary', { ...SOUP, date: '2026-01-31' });
  await send('PUT', '/diary/days/2026-01-31', { note: 'Birthday of grandma', complete: true });
  await send('PUT', '/diary/days/2026-02-01', { complete: true });
  const notes = async (query: string) => (await send('GET', `/diary/notes?${query}`)).json();
  expect(await notes('q=Grandma')).toEqual([
    { date: '2026-01-31', note: 'grandma again', entryId: id, foodName: SOUP.foodName, mealType: 'lunch' },
    { date: '2026-01-31', note: 'Birthday of grandma' },
    expect.objectContaining({ date: '2026-01-30', note: 'At GRANDMA’s café' }),
  ]);
  expect(await notes('q=cafe%20grandma')).toHaveLength(1);
  expect(await notes('q=lentil')).toHaveLength(2);
  expect(await notes('q=nothing')).toEqual([]);
  expect(await notes('')).toHaveLength(3);
  expect(await notes('to=2026-01-30')).toHaveLength(1);
  const first = await send('GET', '/diary/notes?q=grandma&limit=1');
  const seen = first.json();
  for (let link = first.headers['link']; link !== undefined; ) {
    const next = await send('GET', /^<([^>]+)>/.exec(String(link))![1]!.slice(path.length));
    seen.push(...next.json());
    link = next.headers['link'];
  }
  expect(seen).toEqual(await notes('q=grandma'));
  const long = await send('GET', `/diary/notes?q=${'x'.repeat(201)}`);
  expect([long.statusCode, long.json().error.details]).toEqual([400, { parameter: 'q', limit: 200 }]);
});

it.each([
  ['note', DAY, { note: 'x'.repeat(2_001) }],
  ['note', DAY, { note: ' ' }],
  ['complete', DAY, { complete: 'yes' }],
  ['waterStepMl', '/settings', { waterStepMl: 0 }],
  ['mealNames.lunch', '/settings', { mealNames: { lunch: 'two\nlines' } }],
  ['hiddenMeals[0]', '/settings', { hiddenMeals: ['brunch'] }],
  ['allergens[0]', '/settings', { allergens: ['plastic'] }],
  ['weightTarget.date', '/settings', { weightTarget: { value: 70, unit: 'kg', date: '2026-02-30' } }],
])('an invalid %s is rejected at %s', async (field, at, body) => {
  const { send } = newUser();
  for (const method of ['PUT', 'PATCH'] as const) {
    const answer = await send(method, at, body);
    expect([answer.statusCode, answer.json().error.details.fields]).toEqual([400, [field]]);
  }
  expect((await send('GET', at)).json().version).toBe(0);
});

it.each([
  ['items', '/meals', { name: 'x', items: [] }],
  ['items', '/meals', { name: 'x', items: Array(51).fill(MEAL.items[0]) }],
  ['items[0].quantity', '/meals', { name: 'x', items: [{ foodName: 'y', foodId: 'fdc:1' }] }],
  ['items[0].calories', '/meals', { name: 'x', items: [{ foodName: 'y' }] }],
  ['foodId', '/favourites', { name: 'x' }],
  ['recipeId', '/favourites', { ...FAVOURITE, recipeId: 'x' }],
  ['unit', '/favourites', { name: 'x', foodId: 'fdc:1', quantity: 1 }],
])('an invalid %s is rejected at %s: %j', async (field, at, body) => {
  const { send } = newUser();
  const answer = await send('POST', at, body);
  expect([answer.statusCode, answer.json().error.details.fields]).toEqual([400, [field]]);
});

it('a user has at most 500 favourites', async () => {
  const { send } = newUser();
  const add = () => send('POST', '/favourites', FAVOURITE);
  for (let at = 0; at < 500; at += 50)
    for (const { statusCode } of await Promise.all(Array.from({ length: 50 }, add)))
      expect(statusCode).toBe(201);
  const full = await add();
  expect([full.statusCode, full.json().error.details]).toEqual([400, { max: 500 }]);
});
