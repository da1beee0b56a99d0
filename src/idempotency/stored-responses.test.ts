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

test('another request under the same name is a conflict', async () => {
  await (await execute()).settle(ANSWER);
  await expect(idempotentRequests.open(NAME, fingerprint(2))).rejects.toEqual(CONFLICT);
});

test('a twin waits for the first and gets its answer', async () => {
  const first = await execute();
  let slept = 0;
  onSleep = async () => {
    if (++slept === 3) await first.settle(ANSWER);
  };
  expect(await idempotentRequests.open(NAME, fingerprint())).toEqual({ kind: 'replay', answer: ANSWER });
});

test('a twin of a request that failed executes it', async () => {
  const first = await execute();
  onSleep = () => first.abandon();
  await execute();
});

/** Time goes by, and those who execute requests are heard of meanwhile. */
async function pass(ms: number): Promise<void> {
  for (const untilMs = nowMs + ms; nowMs < untilMs; ) {
    nowMs += EXTEND_EVERY_MS;
    await vi.advanceTimersByTimeAsync(EXTEND_EVERY_MS);
  }
}

test('a twin does not wait for ever', async () => {
  await execute();
  onSleep = () => pass(EXTEND_EVERY_MS);
  await expect(idempotentRequests.open(NAME, fingerprint())).rejects.toEqual(CONFLICT);
});

test('a request whose process died is executed again after its claim ran out', async () => {
  await execute();
  nowMs += CLAIM_MS;
  await execute();
});

test('a request that takes long is executed once, as long as it is heard of', async () => {
  const first = await execute();
  await pass(10 * CLAIM_MS);
  onSleep = () => first.settle(ANSWER);
  expect(await idempotentRequests.open(NAME, fingerprint())).toEqual({ kind: 'replay', answer: ANSWER });
});

test.each(['settle', 'abandon'] as const)('nothing holds a request after %s', async (end) => {
  await (await execute())[end](ANSWER);
  expect(vi.getTimerCount()).toBe(0);
});

test('a request that never ends is not held for ever', async () => {
  await execute();
  await pass(MAX_EXECUTION_MS + EXTEND_EVERY_MS);
  expect(vi.getTimerCount()).toBe(0);
  nowMs += CLAIM_MS;
  await execute();
});

test('an answer that is too large to keep lets the next one execute', async () => {
  await (await execute()).settle({ ...ANSWER, body: 'x'.repeat(MAX_KEPT_BODY_CHARACTERS + 1) });
  await execute();
});
