import 'fake-indexeddb/auto';
import type { ChangesPage, DiaryEntry } from 'larder-client';
import { expect, it, vi } from 'vitest';
import { shifted, today } from '../days.ts';
import { Database } from './database.ts';
import { LocalCopy } from './local-copy.ts';
import type { NewWrite } from './queue/writes.ts';

let copies = 0;
const open = () => new LocalCopy(`person-${++copies}`);
const DATE = today();
const entry = (id: string, rest: Partial<DiaryEntry> = {}) =>
  ({ id, version: 1, date: DATE, foodName: id, calories: 1, ...rest }) as DiaryEntry;
const page = (entries: readonly DiaryEntry[], cursor = 'c', more = false): ChangesPage => ({
  changes: entries.map((value) => ({ kind: 'entry', op: 'upsert', id: value.id, value })),
  cursor,
  more,
});
const addition = (id: string): NewWrite => ({
  kind: 'entry',
  id,
  op: 'add',
  preview: entry(id, { version: 0 }),
});

it('opens the database again after the browser closed the connection, and gives up if that does not help', async () => {
  const database = new Database('lost');
  await database.run(async (connection) => connection.close());
  expect(await database.run((connection) => connection.count('writes'))).toBe(0);
  let tries = 0;
  const failing = database.run(async () => {
    tries++;
    throw new DOMException('Connection to Indexed Database server lost.', 'UnknownError');
  });
  await expect(failing).rejects.toThrow('server lost');
  expect(tries).toBe(2);
});

it('is complete once the last page is there, and keeps the cursor with it', async () => {
  const copy = open();
  await copy.apply(page([entry('a')], 'c1', true));
  expect([await copy.note('cursor'), await copy.note('isComplete')]).toEqual(['c1', undefined]);
  await copy.apply(page([entry('b')], 'c2'));
  expect([await copy.note('cursor'), await copy.note('isComplete')]).toEqual(['c2', true]);
  expect((await copy.entriesOf(DATE)).map(({ id }) => id)).toEqual(['a', 'b']);
});

it('keeps the newer of two versions, and no days that are long past', async () => {
  const copy = open();
  const past = shifted(DATE, -61);
  await copy.apply(page([entry('a', { version: 3, note: 'new' }), entry('b', { date: past })]));
  await copy.apply(page([entry('a', { version: 2, note: 'old' })]));
  expect((await copy.entriesOf(DATE)).map(({ note }) => note)).toEqual(['new']);
  expect([copy.keeps(past), copy.keeps(shifted(past, 1)), await copy.entriesOf(past)]).toEqual([
    false,
    true,
    [],
  ]);
});

it('forgets names of another language, and keeps the version of settings', async () => {
  const copy = open();
  const settings = { kind: 'settings', op: 'upsert', id: 'settings', value: { version: 4 } } as const;
  await copy.apply({
    changes: [...page([entry('a')]).changes, settings as ChangesPage['changes'][number]],
    cursor: 'c',
    more: false,
  });
  await copy.forgetNames('de');
  expect(await copy.entriesOf(DATE)).toEqual([]);
  expect([await copy.note('cursor'), await copy.note('language')]).toEqual([undefined, 'de']);
  expect(await copy.findShown('settings', 'settings')).toEqual({ version: 4 });
});

it('forgets what the service told, and never what is to be sent', async () => {
  const copy = open();
  await copy.apply(page([entry('a')]));
  await copy.queue([addition('b')]);
  await copy.clear();
  expect(await copy.note('cursor')).toBeUndefined();
  expect(await copy.entriesOf(DATE)).toMatchObject([{ id: 'b', waiting: 'waiting' }]);
});

it('takes all of several writes or none, at most 1,000', async () => {
  const copy = open();
  await copy.queue(Array.from({ length: 999 }, (_, at) => addition(String(at))));
  await expect(copy.queue([addition('x'), addition('y')])).rejects.toMatchObject({ reason: 'too_many' });
  expect(await copy.writes()).toHaveLength(999);
});

it.each([
  ['a day', async (copy: LocalCopy) => (await copy.entriesOf(DATE)).length],
  ['a kind', async (copy: LocalCopy) => (await copy.all('entry')).length],
  ['an object', async (copy: LocalCopy) => ((await copy.findShown('entry', 'a')) === undefined ? 0 : 1)],
])('shows %s with what is confirmed while it is read', async (_, count) => {
  const copy = open();
  const [write] = await copy.queue([addition('a')]);
  const reads = [count(copy), copy.settle(write!, entry('a')), count(copy), count(copy)];
  expect((await Promise.all(reads)).filter((each) => each !== undefined)).toEqual([1, 1, 1]);
});

it('cancels writes that were never sent, all or none', async () => {
  const copy = open();
  const queued = await copy.queue([addition('a'), addition('b')]);
  await copy.update({ ...queued[1]!, attempts: 1 });
  expect(await copy.cancel(queued)).toBe(false);
  expect(await copy.cancel([queued[0]!])).toBe(true);
  expect(await copy.writes()).toMatchObject([{ id: 'b' }]);
});

it('reads again what the browser closed the connection on', async () => {
  const copy = open();
  const recipe = { id: 'r', version: 1, name: 'Soup' };
  const goals = { from: '2026-01-01', calories: 2000 };
  await copy.apply({
    changes: [
      { kind: 'recipe', op: 'upsert', id: 'r', value: recipe },
      { kind: 'goals', op: 'upsert', id: 'goals', value: { ...goals, all: [goals] } },
      { kind: 'entry', op: 'upsert', id: 'e', value: entry('e') },
    ],
    cursor: 'c',
    more: false,
  } as ChangesPage);
  const lose = () =>
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(() => {
      throw new DOMException('The database connection is closing.', 'InvalidStateError');
    });
  for (const [read, found] of [
    [() => copy.all('recipe'), [recipe]],
    [() => copy.findShown('recipe', 'r'), recipe],
    [() => copy.goals(), [goals]],
    [() => copy.entriesBetween(shifted(DATE, -6), DATE), [entry('e')]],
  ] as const) {
    const lost = lose();
    expect(await read()).toEqual(found);
    expect(lost).toHaveBeenCalled();
    lost.mockRestore();
  }
});

it('gives a food the id of the service, in all that was made of it meanwhile', async () => {
  const copy = open();
  const food = { kind: 'food', id: 'manual:1' } as const;
  const writes = await copy.queue([
    { ...food, op: 'add', preview: { id: food.id, version: 0 } as object },
    { ...food, op: 'change', body: { name: 'B' } },
    { ...addition('e'), body: { foodId: food.id }, preview: entry('e', { version: 0, foodId: food.id }) },
    { ...addition('f'), body: { foodId: 'manual:12' } },
  ]);
  const value = { id: 'manual:1.abc', version: 1 };
  await copy.settle(writes[0]!, value);
  expect(await copy.writes()).toMatchObject([
    { id: value.id, base: value },
    { id: 'e', body: { foodId: value.id }, preview: { foodId: value.id } },
    { id: 'f', body: { foodId: 'manual:12' } },
  ]);
  expect((await copy.all('food')).map(({ id }) => id)).toEqual([value.id]);
  // A form that is still open has the former id.
  expect(await copy.queue([{ ...addition('g'), body: { foodId: food.id } }])).toMatchObject([
    { id: 'g', body: { foodId: value.id } },
  ]);
});

it('queues a change for the version that is kept by then, unless that changed the same field', async () => {
  const copy = open();
  const shown = entry('a', { note: 'before', version: 1 });
  const [write] = await copy.queue([addition('a')]);
  await copy.settle(write!, entry('a', { note: 'after', version: 2 }));
  const change = (body: object) => ({ kind: 'entry', id: 'a', op: 'change', base: shown, body }) as const;
  expect(await copy.queue([change({ meal: 'lunch' }), change({ note: 'mine' })])).toMatchObject([
    { base: { note: 'after', version: 2 } },
    { base: { note: 'before', version: 1 } },
  ]);
});

it('keeps what an answer says beyond the feed', async () => {
  const copy = open();
  const [write] = await copy.queue([addition('a')]);
  await copy.settle(write!, entry('a', { note: 'answer' }));
  await copy.apply(page([entry('a', { note: 'feed' })]));
  expect(await copy.entriesOf(DATE)).toMatchObject([{ note: 'answer' }]);
});

it('shows goals that wait among the others, and keeps them when they are sent', async () => {
  const copy = open();
  const all = [
    { from: '2026-01-01', calories: 1 },
    { from: '2026-03-01', calories: 3 },
  ];
  const value = { ...all[1], all } as object;
  await copy.apply({
    changes: [{ kind: 'goals', op: 'upsert', id: 'goals', value }],
    cursor: 'c',
    more: false,
  } as ChangesPage);
  const goals = { kind: 'goals', id: 'goals', op: 'change' } as const;
  const [write] = await copy.queue([
    { ...goals, body: { from: '2026-02-01', calories: 2 } },
    { ...goals, body: { from: '2026-03-01', calories: 4 } },
  ]);
  const shown = [all[0], { from: '2026-02-01', calories: 2 }, { from: '2026-03-01', calories: 4 }];
  expect(await copy.goals()).toEqual(shown);
  await copy.settle(write!, { version: 1 });
  expect(await copy.goals()).toEqual(shown);
});
