import { MessageChannel } from 'node:worker_threads';
import { BusyError, ConstraintError, OutageError } from '@larder/core/errors.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CallMessage } from '../../threads/channel.ts';
import type { Write } from '../writer.ts';
import type { WriteResult } from './write-group.ts';
import { MAX_WAITING_ROWS, WriterClient } from './writer-client.ts';

const ONE: Write = { statements: [{ sql: 'delete from notes', runs: [[]] }] };
const FULL_DISK: WriteResult = { error: { kind: 'outage', message: 'database or disk is full' } };
const DUPLICATE: WriteResult = { error: { kind: 'constraint', message: 'UNIQUE constraint failed' } };
const MANY: Write = {
  statements: [
    { sql: 'select 1', runs: [[]] },
    { sql: 'insert into notes values ($1)', runs: Array.from({ length: MAX_WAITING_ROWS }, () => ['x']) },
  ],
};
const DONE: WriteResult = { result: { rows: [], changes: 1 } };

let channel: MessageChannel;
let client: WriterClient;
let told: (string | undefined)[];
beforeEach(() => {
  channel = new MessageChannel();
  told = [];
  client = new WriterClient({ port: channel.port1, onChange: (trouble) => told.push(trouble) });
});
afterEach(() => channel.port1.close());

/** The writer's end: answers each write with `outcome`. */
function answerWith(outcome: WriteResult): void {
  channel.port2.on('message', ({ id, name }: CallMessage) => {
    if (name === 'write') channel.port2.postMessage([{ id, ...outcome }]);
  });
}

test('a full queue is busy, and accepts writes again after it has been emptied', async () => {
  const waiting = client.write(MANY);
  await expect(client.write(ONE)).rejects.toThrow(BusyError);
  answerWith(DONE);
  expect(await waiting).toEqual({ rows: [], changes: 1 });
  expect(await client.write(ONE)).toEqual({ rows: [], changes: 1 });
});

test('a failed write comes back as the same error', async () => {
  answerWith(FULL_DISK);
  await expect(client.write(ONE)).rejects.toThrow(OutageError);
  channel.port2.removeAllListeners('message');
  answerWith(DUPLICATE);
  await expect(client.write(ONE)).rejects.toThrow(ConstraintError);
});

test('a problem is reported once, and its end once', async () => {
  answerWith(FULL_DISK);
  await Promise.allSettled([client.write(ONE), client.write(ONE)]);
  expect(told).toEqual(['database or disk is full']);
  channel.port2.removeAllListeners('message');
  answerWith(DONE);
  await client.write(ONE);
  await client.write(ONE);
  expect(told).toEqual(['database or disk is full', undefined]);
});

test('a write with an error of its own is not reported as a problem of the disk', async () => {
  answerWith(DUPLICATE);
  await expect(client.write(ONE)).rejects.toThrow();
  expect(told).toEqual([]);
});

test('pending writes fail when the writer has ended', async () => {
  const waiting = client.write(ONE);
  channel.port2.close();
  await expect(waiting).rejects.toThrow(OutageError);
  await expect(client.write(ONE)).rejects.toThrow(OutageError);
  expect(told).toEqual([]);
});
