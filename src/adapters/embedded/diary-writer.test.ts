import { expect, test } from 'vitest';
import { newEntry } from '../../../test/support/diary-entries.ts';
import { openDiary } from '../../../test/support/open-diary.ts';
import { DiaryWriteClient } from './diary-write-client.ts';
import { DiaryWriter } from './diary-writer.ts';

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
  await expect(client.write({ kind: 'eraseUser', owner: OWNER })).rejects.toMatchObject({
    code: 'unavailable',
  });
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
