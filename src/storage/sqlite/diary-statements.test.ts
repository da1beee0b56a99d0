import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newEntry } from '../../../test/support/diary-entries.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { openDatabase } from './database.ts';
import { commitGroup, DiaryWrites } from './diary-statements.ts';

const OWNER = { tenant: 'acme', userId: 'u' };

let folder: ReturnType<typeof tempFolder>;
let sqlite: Sqlite.Database;
beforeEach(async () => {
  folder = tempFolder();
  const file = join(folder.path, 'larder.db');
  await (await openDatabase({ file })).destroy();
  sqlite = new Sqlite(file);
});
afterEach(() => {
  sqlite.close();
  folder[Symbol.dispose]();
});

const add = (...entries: ReturnType<typeof newEntry>[]) =>
  ({ kind: 'addEntries', owner: OWNER, entries }) as const;
const countEntries = () => sqlite.prepare('select count(*) from diary_entries').pluck().get();

test('a write that fails leaves the others of its group as they are', () => {
  const known = newEntry();
  const writes = new DiaryWrites({ sqlite });
  const results = commitGroup(sqlite, writes, [add(known), add(newEntry(), known), add(newEntry())]);
  expect(results).toMatchObject([
    { outcome: 'done' },
    { failed: { kind: 'constraint' } },
    { outcome: 'done' },
  ]);
  expect(countEntries()).toBe(2);
});

test('on a full disk none of the group is answered as done that is not there, and the next group works', () => {
  const writes = new DiaryWrites({ sqlite });
  const pages = sqlite.pragma('page_count', { simple: true }) as number;
  sqlite.pragma(`max_page_count = ${pages + 2}`);
  const group = Array.from({ length: 300 }, () => add(newEntry({ foodName: 'x'.repeat(300) })));
  const results = commitGroup(sqlite, writes, group);
  const failures = results.filter((result) => 'failed' in result);
  expect(failures.length).toBeGreaterThan(0);
  for (const failure of failures) expect(failure).toMatchObject({ failed: { kind: 'outage' } });
  expect(countEntries()).toBe(results.filter((result) => 'outcome' in result).length);
  sqlite.pragma('max_page_count = 1000000');
  expect(commitGroup(sqlite, writes, [add(newEntry())])).toEqual([{ outcome: 'done' }]);
});
