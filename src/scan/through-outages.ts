import { OutageError } from '../errors.ts';

/** Pause between two tries of a step while something that it needs is away. */
export const OUTAGE_PAUSE_MS = 500;
/** How long a step is tried for, from its first try. */
export const MAX_OUTAGE_MS = 60_000;

export interface Patience {
  readonly nowMs: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
  /** Whoever is told to stop waits for nothing any more. */
  readonly isStopping: () => boolean;
  /** Hears of the first failure. */
  readonly onOutage: (error: OutageError) => void;
}

/**
 * Does a step that is harmless when it is done again, as often as it takes for it not to meet an outage. Throws the last
 * `OutageError` in the end, and everything else at once.
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
