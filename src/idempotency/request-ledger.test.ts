import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { IN_MEMORY, openDatabase, toSql } from '../adapters/embedded/database.ts';
import { SqlReplayStore } from '../adapters/sql/replay-store.ts';
import { AppError } from '../errors.ts';
import {
  CLAIM_MS,
  KEPT_FOR_MS,
  MAX_KEPT_BODY_CHARACTERS,
  RequestLedger,
  type Turn,
} from './request-ledger.ts';

const NAME = { tenant: 'acme', userId: '', idempotencyKey: 'k' };
const ANSWER = { status: 201, headers: {}, body: '{}' };
const CONFLICT = expect.objectContaining({ code: 'idempotency_conflict', constructor: AppError });
const fingerprint = (fill = 1) => new Uint8Array(32).fill(fill);

let nowMs: number;
let onSleep: () => Promise<void>;
let ledger: RequestLedger;
beforeEach(async () => {
  nowMs = 1_800_000_000_000;
  onSleep = async () => {};
  const db = await openDatabase({ file: IN_MEMORY });
  ledger = new RequestLedger({
    store: new SqlReplayStore({ ...toSql(db), createClaimId: randomUUID }),
    nowMs: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
      await onSleep();
    },
  });
  return () => db.destroy();
});

async function execute(): Promise<Extract<Turn, { kind: 'execute' }>> {
  const turn = await ledger.open(NAME, fingerprint());
  if (turn.kind !== 'execute') throw new Error('replayed');
  return turn;
}

test('a repeated request gets the first answer for a day', async () => {
  await (await execute()).settle(ANSWER);
  nowMs += KEPT_FOR_MS - 1;
  expect(await ledger.open(NAME, fingerprint())).toEqual({ kind: 'replay', answer: ANSWER });
  nowMs += 1;
  await execute();
});

test('another request under the same name is a conflict', async () => {
  await (await execute()).settle(ANSWER);
  await expect(ledger.open(NAME, fingerprint(2))).rejects.toEqual(CONFLICT);
});

test('a twin waits for the first and gets its answer', async () => {
  const first = await execute();
  let slept = 0;
  onSleep = async () => {
    if (++slept === 3) await first.settle(ANSWER);
  };
  expect(await ledger.open(NAME, fingerprint())).toEqual({ kind: 'replay', answer: ANSWER });
});

test('a twin of a request that failed executes it', async () => {
  const first = await execute();
  onSleep = () => first.abandon();
  await execute();
});

test('a twin does not wait for ever', async () => {
  await execute();
  await expect(ledger.open(NAME, fingerprint())).rejects.toEqual(CONFLICT);
});

test('a request whose process died is executed again after its claim ran out', async () => {
  await execute();
  nowMs += CLAIM_MS;
  await execute();
});

test('an answer that is too large to keep lets the next one execute', async () => {
  await (await execute()).settle({ ...ANSWER, body: 'x'.repeat(MAX_KEPT_BODY_CHARACTERS + 1) });
  await execute();
});
