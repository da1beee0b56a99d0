import { createHash } from 'node:crypto';
import type { IdSource } from '../time-ordered-id.ts';
import type { RequestName } from './replay-store.ts';

export interface NamedExecution {
  readonly name: RequestName;
  readonly fingerprint: Uint8Array;
  readonly firstClaimedMs: number;
  readonly attempt: number;
}

/**
 * Ids that come out the same whenever the same request is executed: an execution that died after its effect is thereby
 * found instead of repeated. All of one request come from one beginning, so it can create one series of things.
 */
export function requestIds({ name, fingerprint, firstClaimedMs, attempt }: NamedExecution): IdSource {
  const { tenant, userId, idempotencyKey } = name;
  const seed = JSON.stringify([tenant, userId, idempotencyKey, firstClaimedMs]);
  return {
    timeMs: firstClaimedMs,
    // SHAKE gives as many bytes as are wanted, and fewer are the beginning of more.
    randomBytes: (count) =>
      createHash('shake256', { outputLength: count }).update(seed).update(fingerprint).digest(),
    mayExist: attempt > 1,
  };
}
