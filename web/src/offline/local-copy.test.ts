import 'fake-indexeddb/auto';
import type { ChangesPage, DiaryEntry } from 'larder-client';
import { expect, it } from 'vitest';
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

it('cancels writes that were never sent, all or none', async () => {
  const copy = open();
  const queued = await copy.queue([addition('a'), addition('b')]);
  await copy.update({ ...queued[1]!, attempts: 1 });
  expect(await copy.cancel(queued)).toBe(false);
  expect(await copy.cancel([queued[0]!])).toBe(true);
  expect(await copy.writes()).toMatchObject([{ id: 'b' }]);
});
