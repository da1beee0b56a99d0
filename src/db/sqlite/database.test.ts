import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import Sqlite from 'better-sqlite3';
import { beforeEach, expect, test } from 'vitest';
import { SCHEMA_VERSION, STEPS } from '../schema/steps.ts';
import { raw, sql } from '../sql.ts';
import { IN_MEMORY, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'larder-db-'));
  return () => rm(dir, { recursive: true });
});

test('committed data survives a power failure, and readers do not wait for a writer', async () => {
  const db = await openDatabase({ file: join(dir, 'a', 'b', 'larder.db') });
  const pragma = async (name: string) =>
    Object.values((await raw(`pragma ${name}`).first(db.db)) as object)[0];
  expect(await pragma('journal_mode')).toBe('wal');
  expect(await pragma('synchronous')).toBe(2);
  expect(await pragma('foreign_keys')).toBe(1);
  expect(await pragma('busy_timeout')).toBeGreaterThan(0);
  await db.close();
});

test('a file that is not a database is rejected by name and not changed', async () => {
  const file = join(dir, 'larder.db');
  await writeFile(file, 'not a database'.repeat(1_000));
  await expect(openDatabase({ file })).rejects.toThrow(OperatorError);
  await expect(openDatabase({ file })).rejects.toThrow(file);
});

test('steps that upgrade tables are logged with name and duration; a new database has none', () => {
  const sqlite = new Sqlite(IN_MEMORY);
  const lines: [object, string][] = [];
  const log = { info: (facts: object, message: string) => lines.push([facts, message]) };
  const addTomorrow = () => ['create table tomorrow (id text primary key)'];
  migrate(sqlite, log);
  expect(lines).toEqual([]);
  for (const _ of ['upgraded', 'current']) migrate(sqlite, log, [...STEPS, addTomorrow]);
  const step = { step: 'add tomorrow', version: SCHEMA_VERSION + 1, ms: expect.any(Number) };
  expect(lines).toEqual([[step, 'the database is upgraded by a step']]);
  sqlite.close();
});

test('only the owner can read the data', async () => {
  const db = await openDatabase({ file: join(dir, 'larder.db') });
  await sql`create table t (a)`.all(db.db);
  const names = await readdir(dir);
  expect(names.toSorted()).toEqual(['larder.db', 'larder.db-shm', 'larder.db-wal', 'secret.key']);
  for (const name of names) expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
  await db.close();
});
