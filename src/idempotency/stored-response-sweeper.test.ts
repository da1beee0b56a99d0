import { randomUUID } from 'node:crypto';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { sql } from '../db/sql.ts';
import { IN_MEMORY, openDatabase } from '../db/sqlite/database.ts';
import { IdempotencyStore } from './idempotency-store.ts';
import { KEPT_FOR_MS } from './idempotent-requests.ts';
import { MAX_REMOVED_AT_ONCE, StoredResponseSweeper, SWEEP_EVERY_MS } from './stored-response-sweeper.ts';

const NOW_MS = 1_800_000_000_000;
const TWO_STEPS_AND_ONE = 2 * MAX_REMOVED_AT_ONCE + 1;

afterEach(() => void vi.useRealTimers());

/** A store with many requests of yesterday and one of a moment later. */
async function openStore() {
  const db = await openDatabase({ file: IN_MEMORY });
  onTestFinished(() => db.close());
  const store = new IdempotencyStore({ ...db, createClaimId: randomUUID });
  const claim = (idempotencyKey: string, nowMs: number) =>
    store.claim({
      name: { tenant: 'acme', userId: '', idempotencyKey },
      subjectUserId: '',
      fingerprint: new Uint8Array(32),
      nowMs,
      claimedUntilMs: nowMs,
      forgottenMs: 0,
    });
  for (let each = 0; each < TWO_STEPS_AND_ONE; each++) await claim(`old-${each}`, NOW_MS - KEPT_FOR_MS);
  await claim('younger', NOW_MS - KEPT_FOR_MS + 1);
  const kept = () => sql`select idempotency_key from idempotent_requests`.all(db.db);
  return { store, kept };
}

test('all expired responses are removed, however many, and nothing else', async () => {
  const { store, kept } = await openStore();
  const sweeper = new StoredResponseSweeper({
    store,
    nowMs: () => NOW_MS,
    onError: (cause) => expect.unreachable(String(cause)),
  });
  await sweeper.sweep();
  expect(await kept()).toEqual([{ idempotency_key: 'younger' }]);
});

test('it runs by itself, and a failure is reported and retried', async () => {
  const { store, kept } = await openStore();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const told: unknown[] = [];
  const broken = new Error('the database is away');
  const sweeper = new StoredResponseSweeper({
    store: {
      removeForgotten: (...which) =>
        told.length === 0 ? Promise.reject(broken) : store.removeForgotten(...which),
    },
    nowMs: () => NOW_MS,
    onError: (cause) => told.push(cause),
  });
  sweeper.start();
  vi.advanceTimersByTime(SWEEP_EVERY_MS);
  await vi.waitFor(() => expect(told).toEqual([broken]));
  vi.advanceTimersByTime(SWEEP_EVERY_MS);
  await vi.waitFor(async () => expect(await kept()).toHaveLength(1));
  await sweeper.stop();
});
