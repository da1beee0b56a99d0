import { OutageError } from '../../errors.ts';

/** Pause between two tries of a step while something that it needs is away. */
export const OUTAGE_PAUSE_MS = 500;
/** How long a step is tried for, from its first try. */
const MAX_OUTAGE_MS = 60_000;

export interface Patience {
  readonly nowMs: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
  /** True ends the wait: a process that stops does not wait for outages to end. */
  readonly isStopping: () => boolean;
  /** Hears of the first failure. */
  readonly onOutage: (error: OutageError) => void;
}

/**
 * Retries an idempotent step until it does not meet an outage. Throws the last `OutageError` after `MAX_OUTAGE_MS`, and
 * any other error at once.
 */
export async function throughOutages<T>(step: () => Promise<T>, patience: Patience): Promise<T> {
  const { nowMs, pause, isStopping, onOutage } = patience;
  const untilMs = nowMs() + MAX_OUTAGE_MS;
  for (let tries = 1; ; tries++) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof OutageError)) throw error;
      if (tries === 1) onOutage(error);
      if (isStopping() || nowMs() >= untilMs) throw error;
    }
    await pause(OUTAGE_PAUSE_MS);
  }
}
