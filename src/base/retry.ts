import { type Pause, type PauseOptions, pause as pauseOnTimer } from './pause.ts';

export interface RetryOptions extends PauseOptions {
  /** The pause after this failure; the first failure has the number 1. With undefined `retry` gives up and throws the error. */
  readonly delayMs: (error: unknown, failures: number) => number | undefined | Promise<number | undefined>;
  /** Tests pass one that does not wait. */
  readonly pause?: Pause;
}

/** Repeats `attempt` until it resolves. Throws the reason of `signal` when that is aborted, also during a pause. */
export async function retry<T>(
  attempt: () => T | Promise<T>,
  { delayMs, pause = pauseOnTimer, ...options }: RetryOptions,
): Promise<T> {
  const { signal } = options;
  for (let failures = 1; ; failures++) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      const ms = await delayMs(error, failures);
      if (ms === undefined) throw error;
      await pause(ms, options);
    }
  }
}

export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * Exponential backoff: the pause doubles with each failure up to `maxMs`. `random`, from 0 to 1, shortens it
 * by up to half, so that clients that failed together do not retry together.
 */
export function backoffMs({ firstMs, maxMs }: Backoff, failures: number, random = 0): number {
  return Math.min(maxMs, firstMs * 2 ** (failures - 1)) * (1 - random / 2);
}
