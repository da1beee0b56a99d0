import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDiaryUsers, SOUP } from '../support/diary-users.ts';

let users: Awaited<ReturnType<typeof openDiaryUsers>>;
beforeAll(async () => {
  users = await openDiaryUsers();
});
afterAll(() => users[Symbol.asyncDispose]());

const DAY = `/diary?date=${SOUP.date}`;
const NONE = '01JZ8Q6T3V0000XW5M8KQ2NCE7';

async function withEntries() {
  const { send } = users.newUser();
  const entries = (await send('POST', '/diary/batch', [SOUP, SOUP, SOUP])).json() as { id: string }[];
  return { send, ids: entries.map(({ id }) => id), entries };
}

it('a batch changes each entry by itself, and tells what became of each', async () => {
  const { send, ids, entries } = await withEntries();
  await send('PATCH', `/diary/${ids[1]}`, { note: 'mine' });
  const answer = await send('PATCH', '/diary/batch', [
    { ...entries[0], mealType: 'dinner' },
    { id: ids[1], version: 1, mealType: 'dinner' },
    { id: NONE, mealType: 'dinner' },
    { id: ids[2], calories: 1, userId: 'another' },
    { id: ids[2], calories: 1 },
  ]);
  expect([answer.statusCode, answer.json()]).toMatchObject([
    200,
    [
      { id: ids[0], entry: { id: ids[0], version: 2, mealType: 'dinner' } },
      { id: ids[1], error: { code: 'version_conflict', details: { current: { version: 2, note: 'mine' } } } },
      { id: NONE, error: { code: 'diary_entry_not_found' } },
      { id: ids[2], error: { code: 'invalid_request', details: { fields: ['userId'] } } },
      { id: ids[2], entry: { version: 2, calories: 1 } },
    ],
  ]);
  const day = (await send('GET', DAY)).json();
  expect(day.map(({ mealType }: { mealType: string }) => mealType)).toEqual(['dinner', 'lunch', 'lunch']);
});

it('a batch deletes each entry by itself, once for an Idempotency-Key', async () => {
  const { send, ids } = await withEntries();
  await send('PATCH', `/diary/${ids[1]}`, { note: 'mine' });
  const body = [{ id: ids[0], version: 1 }, { id: ids[1], version: 1 }, { id: NONE }, { id: ids[2] }];
  const named = { 'idempotency-key': 'delete-three' };
  const answer = await send('POST', '/diary/batch/delete', body, named);
  expect([answer.statusCode, answer.json()]).toMatchObject([
    200,
    [
      { id: ids[0] },
      { id: ids[1], error: { code: 'version_conflict' } },
      { id: NONE, error: { code: 'diary_entry_not_found' } },
      { id: ids[2] },
    ],
  ]);
  expect((await send('GET', DAY)).json()).toMatchObject([{ id: ids[1], note: 'mine' }]);
  expect((await send('POST', '/diary/batch/delete', body, named)).body).toBe(answer.body);
});

it.each([
  ['no element', []],
  ['too many', Array(101).fill({ id: NONE })],
  ['no id', [{ version: 1 }]],
  ['a version that none has', [{ id: NONE, version: 0 }]],
  ['an unknown field', [{ id: NONE, colour: 'red' }]],
])('a batch with %s is refused, and nothing is done', async (_, body) => {
  const { send } = await withEntries();
  expect((await send('PATCH', '/diary/batch', body)).statusCode).toBe(400);
  expect((await send('POST', '/diary/batch/delete', body)).statusCode).toBe(400);
  expect((await send('GET', DAY)).json()).toHaveLength(3);
});
