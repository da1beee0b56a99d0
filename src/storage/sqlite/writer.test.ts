import { statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { newEntry } from '../../../test/support/diary-entries.ts';
import { ANY_NUMBER, newScan } from '../../../test/support/new-scan.ts';
import { openDiary } from '../../../test/support/open-diary.ts';
import { PATIENCE } from '../../../test/support/patience.ts';
import { ConstraintError, OutageError } from '../../errors.ts';
import { SqlScanStore } from '../scan-store.ts';
import { DiaryWriter } from './writer.ts';
import { DiaryWriteClient } from './writer-client.ts';
import { toSqlThroughWriter } from './writer-dialect.ts';

const MEBIBYTE = 1024 * 1024;
const OWNER = { tenant: 'acme', userId: 'u' };
const fail = (cause: Error) => {
  throw cause;
};

test('what was accepted before the end is written and answered', async () => {
  const opened = await openDiary();
  const client = new DiaryWriteClient({ port: opened.writer.connect() });
  const accepted = Array.from({ length: 500 }, () =>
    client.write({ kind: 'addEntries', owner: OWNER, entries: [newEntry()] }),
  );
  const stopped = opened.writer.close();
  expect(new Set(await Promise.all(accepted))).toEqual(new Set(['done']));
  await stopped;
  await expect(client.write({ kind: 'eraseUser', owner: OWNER })).rejects.toThrow(OutageError);
  await opened.close();
});

test('a scan that cannot be written on a full disk meets an outage, as those who work on scans expect it', async () => {
  const opened = await openDiary();
  const client = new DiaryWriteClient({ port: opened.writer.connect() });
  const through = toSqlThroughWriter(client);
  const scans = new SqlScanStore({ ...through, reads: through.db });
  await client.execute('pragma max_page_count = 1', []);
  const large = newScan({ clientId: 'x'.repeat(100_000) });
  await expect(scans.create(large, ANY_NUMBER)).rejects.toThrow(OutageError);
  await expect(client.execute('select nothing from nowhere', [])).rejects.not.toThrow(OutageError);
  await client.execute('pragma max_page_count = 1000000', []);
  await scans.create(large, ANY_NUMBER);
  const twice = { kind: 'addEntries', owner: OWNER, entries: [newEntry()] } as const;
  await client.write(twice);
  await expect(client.write(twice)).rejects.toThrow(ConstraintError);
  client.close();
  await opened.close();
});

test('a write-ahead log that a long read let grow gives its space back', async () => {
  const opened = await openDiary();
  const client = new DiaryWriteClient({ port: opened.writer.connect() });
  const logBytes = () => statSync(`${opened.file}-wal`).size;
  const keptBytes = 64 * MEBIBYTE;
  await client.execute('create table filler (bytes blob)', []);
  const reader = new Sqlite(opened.file, { readonly: true });
  reader.exec('begin');
  reader.prepare('select count(*) from filler').get();
  while (logBytes() < keptBytes + 4 * MEBIBYTE) {
    await client.execute(`insert into filler values (zeroblob(${MEBIBYTE}))`, []);
  }
  reader.close();
  await vi.waitFor(async () => {
    await client.execute('insert into filler values (null)', []);
    expect(logBytes()).toBeLessThanOrEqual(keptBytes);
  }, PATIENCE);
  client.close();
  await opened.close();
});

test('a process takes over only when the writer before has ended', async () => {
  const opened = await openDiary();
  let isOver = false;
  const successor = DiaryWriter.start({ file: opened.file, onFailure: fail, lockWaitMs: 120_000 }).then(
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
