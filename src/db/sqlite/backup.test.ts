import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newEntry } from '../../../test/support/diary-entries.ts';
import { openDiary } from '../../../test/support/open-diary.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { WHOLE_DIARY } from '../../diary/records/day.ts';
import { DiaryStore } from '../../diary/store/diary-store.ts';
import { ProcessLock } from '../../files/process-lock.ts';
import { SQLITE } from '../dialect.ts';
import { backUpDatabase, restoreDatabase } from './backup.ts';
import { ThreadReads } from './reads.ts';

const OWNER = { tenant: 'acme', userId: 'u' };
const EVERYTHING = { range: WHOLE_DIARY, limit: 100_000 };

let folder: ReturnType<typeof tempFolder>;
let backup: string;
beforeEach(() => {
  folder = tempFolder();
  backup = join(folder.path, 'backup.db');
});
afterEach(() => folder[Symbol.dispose]());

test('a backup under write load contains everything confirmed before it began, and complete batches only', async () => {
  const opened = await openDiary();
  const { store, file } = opened;
  const before = Array.from({ length: 500 }, () => newEntry());
  await store.addEntries(OWNER, before);
  let writing = true;
  const load = (async () => {
    while (writing) await store.addEntries(OWNER, [newEntry(), newEntry(), newEntry()]);
  })();
  await backUpDatabase({ file, backup });
  writing = false;
  await load;
  await opened.close();

  const copied = await readAll(backup);
  const ids = new Set(copied.map(({ id }) => id));
  expect(before.every(({ id }) => ids.has(id))).toBe(true);
  expect((copied.length - before.length) % 3).toBe(0);
  expect(statSync(backup).mode & 0o777).toBe(0o600);
  expect((await readdir(folder.path)).filter((name) => name.includes('partial'))).toEqual([]);
});

test('a backup is unreadable for other users while it is written', async () => {
  const opened = await openDiary();
  const done = backUpDatabase({ file: opened.file, backup });
  const [partial] = readdirSync(folder.path);
  expect(statSync(join(folder.path, partial!)).mode & 0o777).toBe(0o600);
  await done;
  await opened.close();
});

test('of two concurrent backups with one name, one is complete and the other is rejected', async () => {
  const opened = await openDiary();
  const entry = newEntry();
  await opened.store.addEntries(OWNER, [entry]);
  const { file } = opened;
  const done = await Promise.allSettled([backUpDatabase({ file, backup }), backUpDatabase({ file, backup })]);
  await opened.close();
  expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(done.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: new OperatorError(`${backup} exists already; choose another name.`),
  });
  expect(await readAll(backup)).toEqual([entry]);
  expect(await readdir(folder.path)).toEqual(['backup.db']);
});

function epochOf(file: string): unknown {
  const sqlite = new Sqlite(file, { readonly: true });
  const epoch = sqlite.prepare('select epoch from feed_epochs').pluck().get();
  sqlite.close();
  return epoch;
}

test('a restored database equals the backup, and the previous one is kept', async () => {
  const opened = await openDiary();
  const { store, file } = opened;
  const kept = newEntry();
  await store.addEntries(OWNER, [kept]);
  await backUpDatabase({ file, backup });
  await store.addEntries(OWNER, [newEntry()]);
  const epoch = epochOf(file);
  await expect(restoreDatabase({ file, backup })).rejects.toThrow(/stop the service first/);
  expect(await store.listEntries(OWNER, EVERYTHING)).toHaveLength(2);
  await opened.stop();

  const replaced = await restoreDatabase({ file, backup });
  expect(replaced).toBe(`${file}.replaced`);
  expect(await readAll(file)).toEqual([kept]);
  expect(await readAll(replaced!)).toHaveLength(2);
  // Existing cursors belong to the previous database.
  expect([epochOf(backup), epochOf(replaced!)]).toEqual([epoch, epoch]);
  expect(epochOf(file)).not.toBe(epoch);
  expect(await restoreDatabase({ file, backup })).toBe(`${file}.replaced-2`);
  await opened.close();
});

test('a damaged database is replaced too, without its log, while no service runs', async () => {
  const opened = await openDiary();
  const { store, file } = opened;
  const entry = newEntry();
  await store.addEntries(OWNER, [entry]);
  await backUpDatabase({ file, backup });
  await store.addEntries(OWNER, [newEntry()]);
  const log = readFileSync(`${file}-wal`);
  await opened.stop();

  for (const damaged of [readFileSync(file).fill(0), readFileSync(file).subarray(0, 20_000)]) {
    writeFileSync(file, damaged);
    writeFileSync(`${file}-wal`, log);
    const service = ProcessLock.acquire({ file: `${file}.lock`, refusal: () => 'none' });
    await expect(restoreDatabase({ file, backup })).rejects.toThrow(
      /is in use \(pid \d+\); stop the service/,
    );
    service.release();
    const replaced = await restoreDatabase({ file, backup });
    expect(await readAll(file)).toEqual([entry]);
    expect(readFileSync(replaced!).length).toBe(damaged.length);
  }
  await opened.close();
});

test('a backup can be restored into an empty folder', async () => {
  const opened = await openDiary();
  const entry = newEntry();
  await opened.store.addEntries(OWNER, [entry]);
  await backUpDatabase({ file: opened.file, backup });
  await opened.close();
  const file = join(folder.path, 'new', 'larder.db');
  expect(await restoreDatabase({ file, backup })).toBeUndefined();
  expect(await readAll(file)).toEqual([entry]);
});

test('an incomplete backup is rejected, and the database does not change', async () => {
  const opened = await openDiary();
  const { file } = opened;
  await opened.store.addEntries(OWNER, [newEntry()]);
  await backUpDatabase({ file, backup });
  await opened.stop();
  await expect(backUpDatabase({ file, backup })).rejects.toThrow(/exists already/);
  const nowhere = join(folder.path, 'nowhere', 'backup.db');
  await expect(backUpDatabase({ file, backup: nowhere })).rejects.toThrow(
    `Cannot write ${nowhere}: there is no such file or folder; check the path.`,
  );

  const torn = join(folder.path, 'torn.db');
  writeFileSync(torn, readFileSync(backup).subarray(0, 20_000));
  const text = join(folder.path, 'text.db');
  writeFileSync(text, 'no database');
  for (const bad of [torn, text, join(folder.path, 'none.db')]) {
    await expect(restoreDatabase({ file, backup: bad })).rejects.toThrow(OperatorError);
  }
  expect(await readAll(file)).toHaveLength(1);
  expect((await readdir(dirname(file))).filter((name) => name.includes('restoring'))).toEqual([]);
  await opened.close();
});

async function readAll(file: string) {
  const reads = ThreadReads.open({ file });
  const writer = { write: () => Promise.reject(new Error('read only')), revision: () => undefined };
  try {
    return await new DiaryStore({ dialect: SQLITE, db: reads, writer }).listEntries(OWNER, EVERYTHING);
  } finally {
    reads.close();
  }
}

test('the message names a database that cannot be opened', async () => {
  const { path: file } = folder;
  await expect(backUpDatabase({ file, backup })).rejects.toThrow(`Cannot read the database ${file}: `);
});
