import { createHash } from 'node:crypto';
import type { IdSource } from '../time-ordered-id.ts';
import type { RequestName } from './idempotency-store.ts';

export interface NamedExecution {
  readonly name: RequestName;
  readonly fingerprint: Uint8Array;
  readonly firstClaimedMs: number;
  readonly attempt: number;
  readonly isDone: boolean;
}

/**
 * Ids that are the same whenever the same request is executed, so that what an execution created before it died is
 * found and not created again. They all derive from one seed, so a request can create only one series of things.
 */
export function requestIds({ name, fingerprint, firstClaimedMs, attempt, isDone }: NamedExecution): IdSource {
  const { tenant, userId, idempotencyKey } = name;
  const seed = JSON.stringify([tenant, userId, idempotencyKey, firstClaimedMs]);
  return {
    timeMs: firstClaimedMs,
    // SHAKE has output of any length, and a shorter output is the beginning of a longer one.
    randomBytes: (count) =>
      createHash('shake256', { outputLength: count }).update(seed).update(fingerprint).digest(),
    mayExist: attempt > 1,
    request: name,
    isDone,
  };
}
