import { randomUUID } from 'node:crypto';
import { AppError } from '@larder/core/errors.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import { IN_MEMORY, openDatabase } from '../db/sqlite/database.ts';
import { IdempotencyStore } from './idempotency-store.ts';
import {
  CLAIM_MS,
  EXTEND_EVERY_MS,
  IdempotentRequests,
  KEPT_FOR_MS,
  MAX_EXECUTION_MS,
  MAX_KEPT_BODY_CHARACTERS,
  type RequestPlan,
} from './idempotent-requests.ts';

const NAME = { tenant: 'acme', userId: '', idempotencyKey: 'k' };
const ANSWER = { status: 201, headers: {}, body: '{}' };
const CONFLICT = expect.objectContaining({ code: 'idempotency_conflict', constructor: AppError });
const fingerprint = (fill = 1) => new Uint8Array(32).fill(fill);

let nowMs: number;
let onSleep: () => Promise<void>;
let store: IdempotencyStore;
let idempotentRequests: IdempotentRequests;
beforeEach(async () => {
  nowMs = 1_800_000_000_000;
  onSleep = async () => {};
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const db = await openDatabase({ file: IN_MEMORY });
  store = new IdempotencyStore({ ...db, createClaimId: randomUUID });
  idempotentRequests = new IdempotentRequests({
    store,
    nowMs: () => nowMs,
    pause: async (ms) => {
      nowMs += ms;
      await onSleep();
    },
  });
  return () => {
    vi.useRealTimers();
    return db.close();
  };
});

async function execute(): Promise<Extract<RequestPlan, { kind: 'execute' }>> {
  const turn = await idempotentRequests.open(NAME, fingerprint());
  if (turn.kind !== 'execute') throw new Error('replayed');
  return turn;
}

test('a repeated request gets the first answer for a day', async () => {
  await (await execute()).settle(ANSWER);
  nowMs += KEPT_FOR_MS - 1;
  expect(await idempotentRequests.open(NAME, fingerprint())).toEqual({ kind: 'replay', answer: ANSWER });
  nowMs += 1;
  await execute();
});

test('another request with the same key is a conflict', async () => {
  await (await execute()).settle(ANSWER);
  await expect(idempotentRequests.open(NAME, fingerprint(2))).rejects.toEqual(CONFLICT);
});

test('a concurrent repetition waits for the first request and gets its response', async () => {
  const first = await execute();
  let slept = 0;
  onSleep = async () => {
    if (++slept === 3) await first.settle(ANSWER);
  };
  expect(await idempotentRequests.open(NAME, fingerprint())).toEqual({ kind: 'replay', answer: ANSWER });
});

test('a concurrent repetition of a failed request executes it', async () => {
  const first = await execute();
  onSleep = () => first.abandon();
  await execute();
});

/** Time passes, and claims of running executions are extended meanwhile. */
async function pass(ms: number): Promise<void> {
  for (const untilMs = nowMs + ms; nowMs < untilMs; ) {
    nowMs += EXTEND_EVERY_MS;
    await vi.advanceTimersByTimeAsync(EXTEND_EVERY_MS);
  }
}

test('a concurrent repetition does not wait forever', async () => {
  await execute();
  onSleep = () => pass(EXTEND_EVERY_MS);
  await expect(idempotentRequests.open(NAME, fingerprint())).rejects.toEqual(CONFLICT);
});

test('a request whose process crashed is executed again after its claim has expired', async () => {
  await execute();
  nowMs += CLAIM_MS;
  await execute();
});

test('a long request is executed once, while its claim is extended', async () => {
  const first = await execute();
  await pass(10 * CLAIM_MS);
  onSleep = () => first.settle(ANSWER);
  expect(await idempotentRequests.open(NAME, fingerprint())).toEqual({ kind: 'replay', answer: ANSWER });
});

test.each(['settle', 'abandon'] as const)('no claim is held after %s', async (end) => {
  await (await execute())[end](ANSWER);
  expect(vi.getTimerCount()).toBe(0);
});

test('a request that never ends is not claimed forever', async () => {
  await execute();
  await pass(MAX_EXECUTION_MS + EXTEND_EVERY_MS);
  expect(vi.getTimerCount()).toBe(0);
  nowMs += CLAIM_MS;
  await execute();
});

test('after a response that is too large to store, the next one executes', async () => {
  await (await execute()).settle({ ...ANSWER, body: 'x'.repeat(MAX_KEPT_BODY_CHARACTERS + 1) });
  await execute();
});
