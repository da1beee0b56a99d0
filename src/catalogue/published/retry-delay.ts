import type { CopyProblemCode } from './fetch-problem.ts';

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 60_000;
/** Short, since what is away may be back at any moment, and asking costs little. */
const MAX_OUTAGE_RETRY_MS = 2_000;
const OUTAGES: readonly CopyProblemCode[] = ['store_unavailable', 'database_unavailable'];

/**
 * How long to wait after this many failures: exponential back-off with jitter of up to half the delay, so that nodes
 * that failed together do not come back together. `random` is from 0 to 1.
 */
export function retryDelayMs(code: CopyProblemCode, failures: number, random: number): number {
  const maxMs = OUTAGES.includes(code) ? MAX_OUTAGE_RETRY_MS : MAX_RETRY_MS;
  return Math.min(maxMs, FIRST_RETRY_MS * 2 ** (failures - 1)) * (1 - random / 2);
}
