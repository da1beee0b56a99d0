import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { MemoryLog } from '../../../test/support/memory-log.ts';
import { PATIENCE } from '../../../test/support/patience.ts';
import { runLarder } from '../../../test/support/run-larder.ts';
import { startServiceProcess } from '../../../test/support/service-process.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { DamageFlag } from '../../db/damage-flag.ts';
import { openDatabase } from '../../db/sqlite/database.ts';
import { DatabaseCheck, untilNightMs } from './service.ts';

const PAGE_BYTES = 4_096;

/** Overwrites the first page of a table that a start does not read. */
function damage(file: string): void {
  const sqlite = new Sqlite(file);
  sqlite.pragma('journal_mode = DELETE');
  const page = sqlite
    .prepare("select rootpage from sqlite_master where name = 'diary_recipes'")
    .pluck()
    .get();
  sqlite.close();
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, (Number(page) - 1) * PAGE_BYTES);
  closeSync(handle);
}

test('a whole database passes the check, and a damaged one is a state that the log explains once', async () => {
  using folder = tempFolder();
  const file = join(folder.path, 'larder.db');
  await (await openDatabase({ file })).close();
  const check = async () => {
    const flag = new DamageFlag({ memory: DamageFlag.createMemory() });
    const { logger, lines } = new MemoryLog('warn');
    const database = new DatabaseCheck({ file, flag, log: logger });
    await database.runNow();
    await database.runNow();
    await database.close();
    return { isDamaged: flag.isSet, lines };
  };
  expect(await check()).toEqual({ isDamaged: false, lines: [] });
  damage(file);
  const { isDamaged, lines } = await check();
  expect(isDamaged).toBe(true);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/the database is damaged\. Stop the service, .*larder restore/);
});

test('the next check is in the next night', () => {
  expect(untilNightMs(new Date(2026, 0, 31, 3))).toBe(60 * 60_000);
  expect(untilNightMs(new Date(2026, 0, 31, 4))).toBe(24 * 60 * 60_000);
});

test('a service with a damaged database says so in its readiness, metrics and status', async () => {
  using folder = tempFolder();
  const settings = { LARDER_DATA_DIR: folder.path, LARDER_THREADS: '1', LARDER_SCAN_WORKERS: '0' };
  await (await startServiceProcess(settings))[Symbol.asyncDispose]();
  damage(join(folder.path, 'larder.db'));
  await using service = await startServiceProcess(settings);
  const ready = async () =>
    (await (await fetch(`${service.url}/readyz`)).json()) as { databaseProblem?: string };
  await vi.waitFor(
    async () => expect((await ready()).databaseProblem).toMatch(/^The database is damaged; /),
    PATIENCE,
  );
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  expect((await fetch(`${service.url}/readyz?require=database`)).status).toBe(503);
  const authorization = `Bearer ${readFileSync(join(folder.path, 'first-key.txt'), 'utf8').trim()}`;
  const metrics = await (await fetch(`${service.url}/metrics`, { headers: { authorization } })).text();
  expect(metrics).toMatch(/^larder_database_damaged 1$/m);
  expect(metrics).toMatch(/^larder_build_info\{version="\d+\.\d+\.\d+",commit="[0-9a-f]*"\} 1$/m);
  const { port } = new URL(service.url);
  await expect(runLarder({ ...settings, LARDER_PORT: port }, 'status')).rejects.toThrow(
    /The database is damaged/,
  );
});
