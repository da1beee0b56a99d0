import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { Statement, Write } from '../writer.ts';
import { openDatabase } from './database.ts';
import { WriteGroups } from './write-group.ts';

let folder: ReturnType<typeof tempFolder>;
let sqlite: Sqlite.Database;
let groups: WriteGroups;
beforeEach(async () => {
  folder = tempFolder();
  const file = join(folder.path, 'larder.db');
  await (await openDatabase({ file })).close();
  sqlite = new Sqlite(file);
  sqlite.exec('create table notes (text primary key)');
  groups = new WriteGroups({ sqlite });
});
afterEach(() => {
  sqlite.close();
  folder[Symbol.dispose]();
});

const insertion = (...texts: string[]): Statement => ({
  sql: 'insert into notes values ($1)',
  runs: texts.map((text) => [text]),
});
const find = (text: string): Statement => ({ sql: 'select text from notes where text = $1', runs: [[text]] });
const add = (...texts: string[]): Write => ({ statements: [insertion(...texts)] });
const notes = () => sqlite.prepare('select text from notes order by text').pluck().all();

test('a failing write is rolled back completely, and does not affect others of its group', () => {
  const outcomes = groups.commit([
    add('a'),
    { statements: [insertion('b'), insertion('c', 'a')] },
    add('d', 'e'),
    { statements: [{ sql: 'delete from nowhere', runs: [[]] }] },
  ]);
  expect(outcomes).toMatchObject([
    { result: { changes: 1 } },
    { error: { kind: 'constraint' } },
    { result: { changes: 2 } },
    { error: { kind: 'other' } },
  ]);
  expect(notes()).toEqual(['a', 'd', 'e']);
});

test('the result is that of the first statement, which also decides about the others if told to', () => {
  groups.commit([add('a')]);
  const decided = (text: string, added: string): Write => ({
    statements: [find(text), insertion(added)],
    firstDecides: true,
  });
  expect(groups.commit([decided('a', 'b'), decided('x', 'c')])).toEqual([
    { result: { rows: [{ text: 'a' }], changes: 1 } },
    { result: { rows: [], changes: 0 } },
  ]);
  expect(groups.commit([{ statements: [find('x'), insertion('d')] }])).toEqual([
    { result: { rows: [], changes: 0 } },
  ]);
  expect(notes()).toEqual(['a', 'b', 'd']);
});

test('a statement whose values are not in the order of its text is rejected', () => {
  const sql = 'insert into notes values ($2 || $1)';
  expect(groups.commit([{ statements: [{ sql, runs: [['a', 'b']] }] }])).toMatchObject([
    { error: { message: expect.stringContaining('not numbered in the order') } },
  ]);
});

test('on a full disk no write of the group is confirmed without being stored, and the next group works', () => {
  const pages = sqlite.pragma('page_count', { simple: true }) as number;
  sqlite.pragma(`max_page_count = ${pages + 2}`);
  const group = Array.from({ length: 300 }, (_, at) => add(`${at}`.padStart(300, 'x')));
  const outcomes = groups.commit(group);
  const failures = outcomes.filter((outcome) => 'error' in outcome);
  expect(failures.length).toBeGreaterThan(0);
  for (const failure of failures) expect(failure).toMatchObject({ error: { kind: 'diskFull' } });
  expect(notes()).toHaveLength(outcomes.filter((outcome) => 'result' in outcome).length);
  sqlite.pragma('max_page_count = 1000000');
  expect(groups.commit([add('later')])).toMatchObject([{ result: { changes: 1 } }]);
});

test('numbers of a user who returns are above the earlier ones, in the same millisecond too', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const head = () => sqlite.prepare('select seq from change_heads').pluck().get() as number;
  const write = (text: string) =>
    groups.commit([
      {
        ...add(text),
        change: { tenant: 'acme', userId: 'ann', kind: 'entry', ids: [text], isDeleted: false },
      },
    ]);
  write('a');
  const before = head();
  sqlite.exec('delete from change_heads; delete from changes');
  write('b');
  expect(head()).toBeGreaterThan(before);
});
