import { MAX_TEXT_LENGTH } from '@larder/text/parse/read-text.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAX_BATCH_ENTRIES } from '../../src/diary/records/entry.ts';
import { starterCatalogue } from '../support/compiled-foods.ts';
import { type DiaryUsers, openDiaryUsers } from '../support/diary-users.ts';
import { openTestServer } from '../support/test-server.ts';

let users: DiaryUsers;
let newUser: DiaryUsers['newUser'];
beforeAll(async () => {
  users = await openDiaryUsers({ catalogue: await starterCatalogue() });
  ({ newUser } = users);
});
afterAll(() => users[Symbol.asyncDispose]());

const LUNCH = { date: '2026-01-31', mealType: 'lunch' };
const DAY = '/diary?date=2026-01-31';

it('writes an entry for each food of a text and returns the interpretation', async () => {
  const { send } = newUser();
  const text = 'I had 200 g rice and a banana.';
  const answer = await send('POST', '/diary/text', {
    ...LUNCH,
    text,
    eatenAt: '2026-01-31T12:30:00Z',
    note: 'at work',
  });
  expect(answer.statusCode).toBe(201);
  expect([answer.headers['etag'], answer.headers['location']]).toEqual([undefined, undefined]);
  const { entries, understood, unresolvedItems } = answer.json();
  const shared = {
    ...LUNCH,
    addedMethod: 'manual',
    eatenAt: '2026-01-31T12:30:00Z',
    note: 'at work',
    unit: 'g',
  };
  expect(entries).toMatchObject([
    { ...shared, foodName: 'Rice', quantity: 200, calories: 258 },
    { ...shared, foodName: 'Banana', quantity: 118, foodId: expect.any(String) },
  ]);
  expect(understood).toMatchObject([
    { entryId: entries[0].id, text: 'rice', quantity: 200, unit: 'g', grams: 200, note: 'weight' },
    { entryId: entries[1].id, text: 'banana', quantity: 1, grams: 118 },
  ]);
  for (const { text: words, start, end, confidence } of understood) {
    expect(text.slice(start, end)).toBe(words);
    expect(confidence).toBeGreaterThan(0);
  }
  expect(unresolvedItems).toEqual([]);
  expect((await send('GET', DAY)).json()).toEqual(entries);
  const changed = await send('PATCH', `/diary/${entries[1].id}`, { quantity: 2, unit: 'serving' });
  expect(changed.json().calories).toBeCloseTo(2 * entries[1].calories, 2);
});

it('writes nothing if the food of an amount is unknown, and lists ignored words', async () => {
  const { send } = newUser();
  const left = 'I had two bananas. 200 ml of zzz999.';
  const refused = await send('POST', '/diary/text', { ...LUNCH, text: left });
  expect([refused.statusCode, refused.json().error.code]).toEqual([422, 'unresolved_items']);
  const [item] = refused.json().error.details.items;
  expect(left.slice(item.start, item.end)).toContain('zzz999');
  const written = await send('POST', '/diary/text', { ...LUNCH, text: '2 onions, finely chopped' });
  expect(written.json().ignored).toEqual([{ text: 'finely chopped', start: 10, end: 24 }]);
  expect((await send('GET', DAY)).json()).toHaveLength(1);
});

it('is rejected beside another source, which is named', async () => {
  const { send } = newUser();
  const body = { ...LUNCH, text: 'two eggs', foodName: 'Egg', calories: 1 };
  expect((await send('POST', '/diary/text', body)).json().error.details.fields).toEqual([
    'foodName',
    'calories',
  ]);
  const elsewhere = await send('POST', '/diary', { ...LUNCH, text: 'two eggs' });
  expect([elsewhere.statusCode, elsewhere.json().error]).toMatchObject([
    400,
    {
      message: 'The body does not fit: "text" must be sent to POST …/diary/text.',
      details: { fields: ['text'] },
    },
  ]);
});

it('writes nothing if a part is unresolved, and names that part', async () => {
  const { send } = newUser();
  const text = ['2 eggs', '100 g xqzvw', 'rice 900000 kg'];
  const refused = await send('POST', '/diary/text', { ...LUNCH, text });
  expect([refused.statusCode, refused.json().error.code]).toEqual([422, 'unresolved_items']);
  expect(refused.json().error.message).toContain('or leave it out with "partial": true');
  expect(refused.json().error.details.items).toMatchObject([
    { index: 1, line: 1, text: 'xqzvw', start: 6, end: 11, unresolved: 'food', candidates: [] },
    {
      index: 2,
      line: 2,
      text: 'rice',
      unresolved: 'amount',
    },
  ]);
  expect(refused.json().error.details.items[1].candidates[0]).toEqual({ id: 'starter:rice', name: 'Rice' });
  expect((await send('GET', DAY)).json()).toEqual([]);
  const answer = await send('POST', '/diary/text', { ...LUNCH, text, partial: true });
  expect(answer.statusCode).toBe(201);
  const { entries, unresolvedItems } = answer.json();
  expect(unresolvedItems).toEqual(refused.json().error.details.items);
  expect(entries).toHaveLength(1);
  expect((await send('GET', DAY)).json()).toEqual(entries);
  for (const nothing of ['xqzvw', '12 34', ' ', ['', '!']]) {
    const none = await send('POST', '/diary/text', { ...LUNCH, text: nothing, partial: true });
    expect([none.statusCode, none.json().error.details.items.length]).toEqual([422, 1]);
    expect(none.json().error.message).not.toContain('partial');
  }
});

it('executes a repeated request once with the same response', async () => {
  const { send } = newUser();
  const key = { 'idempotency-key': 'text' };
  const body = { ...LUNCH, text: 'a banana and 200 g rice' };
  const first = await send('POST', '/diary/text', body, key);
  const again = await send('POST', '/diary/text', body, key);
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(again.json()).toEqual(first.json());
  expect((await send('GET', DAY)).json()).toHaveLength(2);
  expect((await send('POST', '/diary/text', { ...body, text: 'a banana' }, key)).statusCode).toBe(409);
});

it("finds the user's custom foods and prefers foods that the user eats", async () => {
  const { send, id } = newUser();
  const ids = async (by: typeof send, text: string) =>
    ((await by('POST', '/diary/text', { ...LUNCH, text })).json().entries ?? []).map(
      ({ foodId }: { foodId: string }) => foodId,
    );
  const key = await users.fixture.createKey(['foods:write', 'foods:read']);
  const ask = (method: 'POST', url: string, payload: object) =>
    users.fixture.ask({ method, url, headers: { authorization: `Bearer ${key}` }, payload });
  const made = await ask('POST', '/v1/foods', {
    name: 'Xqzvw',
    userId: id,
    servingSize: { value: 20, unit: 'g' },
    macros: { energy: 48, protein: 0.1, fat: 0, carbohydrates: 12 },
  });
  expect(await ids(send, '100 g xqzvw')).toEqual([made.json().id]);
  expect(await ids(newUser().send, '100 g xqzvw')).toEqual([]);
  const [oil] = (await ask('POST', '/v1/foods/parse', { text: '10 g oil' })).json().items;
  const eaten = oil.alternatives[0].id;
  await send('POST', '/diary', { ...LUNCH, foodId: eaten, quantity: 1, unit: 'serving' });
  expect(await ids(send, '10 g oil')).toEqual([eaten]);
  expect(await ids(newUser().send, '10 g oil')).toEqual([oil.food.id]);
});

it('writes no uncertain food and no substitute for an unknown food', async () => {
  const { send } = newUser();
  for (const text of ['hello there', 'eggs and xqzvw']) {
    const refused = await send('POST', '/diary/text', { ...LUNCH, text });
    expect([refused.statusCode, refused.json().error.code]).toEqual([422, 'unresolved_items']);
  }
  const answer = await send('POST', '/diary/text', { ...LUNCH, text: 'eggs and xqzvw', partial: true });
  expect(answer.json().unresolvedItems).toMatchObject([{ text: 'xqzvw', unresolved: 'food' }]);
});

it('has a separate operation with the same responses', async () => {
  const { send } = newUser();
  const body = { ...LUNCH, text: ['200 g rice', '100 g xqzvw'] };
  const refused = await send('POST', '/diary/text', body);
  expect([refused.statusCode, refused.json().error.code]).toEqual([422, 'unresolved_items']);
  const answer = await send('POST', '/diary/text', { ...body, partial: true });
  expect(answer.statusCode).toBe(201);
  const { entries, understood, unresolvedItems } = answer.json();
  expect([entries.length, understood.length, unresolvedItems.length]).toEqual([1, 1, 1]);
  expect((await send('GET', DAY)).json()).toEqual(entries);
  expect((await send('POST', '/diary/text', { ...LUNCH, text: '' })).json().error.details).toEqual({
    fields: ['text'],
  });
});

it('is rejected for other users, like other writes', async () => {
  const { path } = newUser();
  const headers = await users.tokenOf('somebody-else');
  const payload = { ...LUNCH, text: 'a banana' };
  const answer = await users.fixture.ask({ method: 'POST', url: `${path}/diary/text`, headers, payload });
  expect(answer.statusCode).toBe(403);
});

it.each([
  [{ ...LUNCH, text: '' }, ['text']],
  [{ ...LUNCH, text: 'x'.repeat(MAX_TEXT_LENGTH + 1) }, ['text']],
  [{ ...LUNCH, text: Array(MAX_BATCH_ENTRIES + 1).fill('1 egg') }, ['text']],
  [{ ...LUNCH, text: Array(MAX_BATCH_ENTRIES).fill('1 egg and 1 banana') }, ['text']],
  [{ ...LUNCH, date: '2026-02-30', text: '1 egg' }, ['date']],
  [{ date: LUNCH.date, text: '1 egg' }, ['mealType']],
  [{ ...LUNCH, text: '1 egg', lang: 'xx' }, ['lang']],
  [{ ...LUNCH, text: '1 egg', foodId: 'starter:rice' }, ['foodId']],
])('rejects malformed bodies: %#', async (body, fields) => {
  const answer = await newUser().send('POST', '/diary/text', body);
  expect([answer.statusCode, answer.json().error]).toEqual([
    400,
    expect.objectContaining({ code: 'invalid_request', details: expect.objectContaining({ fields }) }),
  ]);
});

it.each([
  [{ text: '50 kg butter' }, { start: 6, end: 12 }],
  [{ text: 'an egg and 50 kg butter' }, { start: 17, end: 23 }],
  [{ text: ['1 egg', '50 kg butter'] }, { start: 6, end: 12, line: 1 }],
])('reports the words whose amount is too large for an entry: %j', async (more, where) => {
  const { send } = newUser();
  const answer = await send('POST', '/diary/text', { ...LUNCH, ...more });
  expect(answer.statusCode).toBe(400);
  const { message, details } = answer.json().error;
  expect(message).toMatch(/^"butter": That much holds more than 20000 of calories/);
  expect(details).toEqual({ fields: ['text'], max: 20_000, ...where });
});

it('shortens long unresolved words in the message and lists them in the details', async () => {
  const { send } = newUser();
  const text = 'zzqxw '.repeat(300).trim();
  const { error } = (await send('POST', '/diary/text', { ...LUNCH, text })).json();
  expect(error.message.length).toBeLessThan(250);
  expect(error.details.items[0].text).toBe(text);
});

it('counts as a search and a write', async () => {
  await using fixture = await openTestServer({ limited: true });
  const headers = {
    authorization: `Bearer ${await fixture.createKey(['diary:read', 'diary:write', 'foods:read'])}`,
  };
  const left = async (request: Parameters<typeof fixture.ask>[0] & object) =>
    Number((await fixture.ask({ ...request, headers })).headers['x-ratelimit-remaining']);
  const search = { url: '/v1/foods/search?q=banana&userId=ann' };
  const write = (payload: object) => ({
    method: 'POST' as const,
    url: `/v1/users/ann/diary${'text' in payload ? '/text' : ''}`,
    payload,
  });
  const searches = await left(search);
  const writes = await left(write({ ...LUNCH, text: '1 banana' }));
  expect(await left(search)).toBe(searches - 2);
  expect(await left(write({ ...LUNCH, foodName: 'Tea', calories: 1, protein: 0, carbs: 0, fat: 0 }))).toBe(
    writes - 1,
  );
  expect(await left(search)).toBe(searches - 3);
  await left(write({ ...LUNCH, text: Array.from({ length: 30 }, () => '1 banana') }));
  expect(await left(search)).toBe(searches - 7);
});
