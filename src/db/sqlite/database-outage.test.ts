import { join } from 'node:path';
import { BusyError, ConstraintError, OutageError } from '@larder/core/errors.ts';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { type Queries, sql } from '../sql.ts';
import { type OpenSqlDatabase, openDatabase } from './database.ts';

let folder: ReturnType<typeof tempFolder>;
let file: string;
let database: OpenSqlDatabase;
let db: Queries;
beforeEach(async () => {
  folder = tempFolder();
  file = join(folder.path, 'larder.db');
  database = await openDatabase({ file });
  ({ db } = database);
  await sql`create table notes (text)`.all(db);
});
afterEach(async () => {
  await database.close();
  folder[Symbol.dispose]();
});

const MORE_THAN_A_PAGE = 'x'.repeat(100_000);
const insertion = (text: string) => ({ sql: 'insert into notes values ($1)', runs: [[text]] });
const write = (text: string) => database.writer.write({ statements: [insertion(text)] });
const notes = () => sql<{ text: string }>`select text from notes`.all(db);

/** Makes the database report SQLITE_FULL, as on a full disk. */
async function allowNoMorePages(): Promise<void> {
  await sql`pragma max_page_count = 1`.all(db);
}

test('a full disk is an outage; reads still work, and writes work again after space is freed', async () => {
  await allowNoMorePages();
  await expect(write(MORE_THAN_A_PAGE)).rejects.toThrow(OutageError);
  expect(await notes()).toEqual([]);
  await sql`pragma max_page_count = 1000000`.all(db);
  await write('later');
  expect(await notes()).toEqual([{ text: 'later' }]);
});

test('a full disk rolls back all statements of a write, and is the reported error', async () => {
  await allowNoMorePages();
  const both = database.writer.write({ statements: [insertion('small'), insertion(MORE_THAN_A_PAGE)] });
  await expect(both).rejects.toThrow(/disk is full/);
  await expect(both).rejects.toThrow(OutageError);
  expect(await notes()).toEqual([]);
});

test('a database is busy while another process keeps writing', async () => {
  using other = withClose(new Sqlite(file));
  other.exec('begin immediate');
  await sql`pragma busy_timeout = 0`.all(db);
  await expect(write('x')).rejects.toThrow(BusyError);
});

test('a faulty statement is not an outage, and an existing row violates a constraint', async () => {
  await expect(sql`select nothing from nowhere`.all(db)).rejects.toThrow(Sqlite.SqliteError);
  const faulty = database.writer.write({ statements: [{ sql: 'delete from nowhere', runs: [[]] }] });
  await expect(faulty).rejects.not.toThrow(OutageError);
  await sql`create unique index texts on notes (text)`.all(db);
  await write('once');
  await expect(write('once')).rejects.toThrow(ConstraintError);
});

function withClose(database: Sqlite.Database): Sqlite.Database & Disposable {
  return Object.assign(database, { [Symbol.dispose]: () => database.close() });
}
