import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ConstraintError, OperatorError, OutageError } from '@larder/core/errors.ts';
import Sqlite from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { newEntry } from '../../../test/support/diary-entries.ts';
import { ANY_NUMBER, newScan } from '../../../test/support/new-scan.ts';
import { openDiary } from '../../../test/support/open-diary.ts';
import { PATIENCE } from '../../../test/support/patience.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { ScanStore } from '../../scan/jobs/scan-store.ts';
import type { Writer } from '../writer.ts';
import { openDatabase } from './database.ts';
import { DatabaseWriter } from './writer.ts';
import { WriterClient } from './writer-client.ts';

const MEBIBYTE = 1024 * 1024;
const OWNER = { tenant: 'acme', userId: 'u' };
const run = (writer: Writer, sql: string) => writer.write({ statements: [{ sql, runs: [[]] }] });
const fail = (cause: Error) => {
  throw cause;
};

test('writes accepted before the end are stored and answered', async () => {
  const opened = await openDiary();
  const { store, close } = opened.openThread();
  const entries = Array.from({ length: 500 }, () => newEntry());
  const accepted = entries.map((entry) => store.addEntries(OWNER, [entry]));
  const stopped = opened.writer.close();
  await Promise.all(accepted);
  expect(await store.listLatest(OWNER, 1_000)).toHaveLength(entries.length);
  await stopped;
  await expect(store.eraseUser(OWNER)).rejects.toThrow(OutageError);
  close();
  await opened.close();
});

test('a scan that cannot be written on a full disk reports an outage, as scan workers expect', async () => {
  const opened = await openDiary();
  const { sql, store, close } = opened.openThread();
  const { writer } = sql;
  const scans = new ScanStore(sql);
  await run(writer, 'pragma max_page_count = 1');
  const large = newScan({ clientId: 'x'.repeat(100_000) });
  await expect(scans.create(large, ANY_NUMBER)).rejects.toThrow(OutageError);
  await expect(run(writer, 'select nothing from nowhere')).rejects.not.toThrow(OutageError);
  await run(writer, 'pragma max_page_count = 1000000');
  await scans.create(large, ANY_NUMBER);
  const twice = [newEntry()];
  await store.addEntries(OWNER, twice);
  await expect(store.addEntries(OWNER, twice)).rejects.toThrow(ConstraintError);
  close();
  await opened.close();
});

test.skipIf(process.platform !== 'linux')(
  "the writer's memory does not grow with the amount of writes",
  () => {
    // Runs in a separate process, because parallel tests use memory, too.
    const program = join(import.meta.dirname, '../../../test/support/written-memory.ts');
    using folder = tempFolder();
    const grownMib = execFileSync(process.execPath, [program, join(folder.path, 'larder.db')], {
      encoding: 'utf8',
    });
    expect(Number(grownMib)).toBeLessThan(30);
  },
);

test('a write-ahead log that grew during a long read is truncated', async () => {
  const opened = await openDiary();
  const { sql, close } = opened.openThread();
  const { writer } = sql;
  const logBytes = () => statSync(`${opened.file}-wal`).size;
  const keptBytes = 64 * MEBIBYTE;
  await run(writer, 'create table filler (bytes blob)');
  const reader = new Sqlite(opened.file, { readonly: true });
  reader.exec('begin');
  reader.prepare('select count(*) from filler').get();
  while (logBytes() < keptBytes + 4 * MEBIBYTE) {
    await run(writer, `insert into filler values (zeroblob(${MEBIBYTE}))`);
  }
  reader.close();
  await vi.waitFor(async () => {
    await run(writer, 'insert into filler values (null)');
    expect(logBytes()).toBeLessThanOrEqual(keptBytes);
  }, PATIENCE);
  close();
  await opened.close();
});

test('a process takes over only after the previous writer has ended', async () => {
  const opened = await openDiary();
  let isOver = false;
  const successor = DatabaseWriter.start({ file: opened.file, onFailure: fail, lockWaitMs: 120_000 }).then(
    (writer) => {
      expect(isOver).toBe(true);
      return writer;
    },
  );
  await opened.store.addEntries(OWNER, [newEntry()]);
  isOver = true;
  await opened.stop();
  await (await successor).close();
  await opened.close();
});

test('a start that waits for another process names it, and ends with the reason of its abort', async () => {
  const opened = await openDiary();
  const abort = new AbortController();
  const holders: (number | undefined)[] = [];
  const starting = DatabaseWriter.start({
    file: opened.file,
    onFailure: fail,
    lockWaitMs: 600_000,
    onWait(holderPid) {
      holders.push(holderPid);
      abort.abort(new Error('not needed'));
    },
    signal: abort.signal,
  });
  await expect(starting).rejects.toThrow('not needed');
  expect(holders).toEqual([process.pid]);
  await opened.close();
});

test('a start without a database says so to the operator', async () => {
  using folder = tempFolder();
  const starting = DatabaseWriter.start({ file: join(folder.path, 'missing.db'), onFailure: fail });
  await expect(starting).rejects.toThrow(OperatorError);
  await expect(starting).rejects.toThrow('missing.db cannot be written (unable to open database file)');
});

test('a crash is reported once; pending and later writes get an outage', async () => {
  using folder = tempFolder();
  const file = join(folder.path, 'larder.db');
  await (await openDatabase({ file })).close();
  const failures: Error[] = [];
  const writer = await DatabaseWriter.start({ file, onFailure: (cause) => failures.push(cause) });
  const client = () => new WriterClient({ port: writer.connect() });
  const [one, other] = [client(), client()];
  await run(one, 'select 1');
  const crash = one.write({ statements: [{ sql: 'select 1', runs: [[]] }], change: null as never });
  await expect(crash).rejects.toThrow(OutageError);
  await expect(run(other, 'select 1')).rejects.toThrow(OutageError);
  await expect(run(client(), 'select 1')).rejects.toThrow(OutageError);
  await vi.waitFor(() => expect(failures).not.toEqual([]), PATIENCE);
  await writer.close();
  expect(failures).toHaveLength(1);
});
