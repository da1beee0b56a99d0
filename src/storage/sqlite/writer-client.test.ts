import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newEntry } from '../../../test/support/diary-entries.ts';
import { BusyError, ConstraintError, OutageError } from '../../errors.ts';
import type { WriteResult } from './diary-statements.ts';
import { DiaryWriteClient, MAX_WAITING_ROWS } from './writer-client.ts';
import type { WriteMessage } from './writer-thread.ts';

const OWNER = { tenant: 'acme', userId: 'u' };
const ONE = { kind: 'eraseUser', owner: OWNER } as const;
const FULL_DISK: WriteResult = { failed: { kind: 'outage', message: 'database or disk is full' } };
const DUPLICATE: WriteResult = { failed: { kind: 'constraint', message: 'UNIQUE constraint failed' } };
const MANY = {
  kind: 'addEntries',
  owner: OWNER,
  entries: Array.from({ length: MAX_WAITING_ROWS }, () => newEntry()),
} as const;

let channel: MessageChannel;
let client: DiaryWriteClient;
let told: (string | undefined)[];
beforeEach(() => {
  channel = new MessageChannel();
  told = [];
  client = new DiaryWriteClient({ port: channel.port1, onChange: (trouble) => told.push(trouble) });
});
afterEach(() => channel.port1.close());

/** The writer's end: answers each write with `result`. */
function answerWith(result: WriteResult): void {
  channel.port2.on('message', ({ id }: WriteMessage) => channel.port2.postMessage([{ id, result }]));
}

test('a full queue is busy, and takes writes again when it has emptied', async () => {
  const waiting = client.write(MANY);
  await expect(client.write(ONE)).rejects.toThrow(BusyError);
  answerWith({ outcome: 'done' });
  expect(await waiting).toBe('done');
  expect(await client.write(ONE)).toBe('done');
});

test('a refusal comes back as the same error, a failed commit as what it was', async () => {
  const init = { code: 'invalid_request', message: 'The day is full.', details: { max: 1 } } as const;
  answerWith({ failed: { kind: 'app', init } });
  await expect(client.write(ONE)).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'The day is full.',
    details: { max: 1 },
  });
  channel.port2.removeAllListeners('message');
  answerWith(FULL_DISK);
  await expect(client.write(ONE)).rejects.toThrow(OutageError);
  channel.port2.removeAllListeners('message');
  answerWith(DUPLICATE);
  await expect(client.write(ONE)).rejects.toThrow(ConstraintError);
});

test('trouble is told once, and once that it is over', async () => {
  answerWith(FULL_DISK);
  await Promise.allSettled([client.write(ONE), client.write(ONE)]);
  expect(told).toEqual(['database or disk is full']);
  channel.port2.removeAllListeners('message');
  answerWith({ outcome: 'done' });
  await client.write(ONE);
  await client.write(ONE);
  expect(told).toEqual(['database or disk is full', undefined]);
});

test('a write that fails for a reason of its own is no trouble with the disk', async () => {
  answerWith(DUPLICATE);
  await expect(client.write(ONE)).rejects.toThrow();
  expect(told).toEqual([]);
});

test('when the writer is gone, nobody waits for it', async () => {
  const waiting = client.write(ONE);
  channel.port2.close();
  await expect(waiting).rejects.toThrow(OutageError);
  await expect(client.write(ONE)).rejects.toThrow(OutageError);
});
