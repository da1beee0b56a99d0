import { constants } from 'node:os';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

export interface StopRequest {
  /** Resolves when it was made. */
  readonly made: Promise<NodeJS.Signals>;
  /** Aborted when it was made. */
  readonly signal: AbortSignal;
}

/**
 * Made by the first SIGTERM or SIGINT. The second one ends the process at once, with the exit code that shells give to a
 * signal.
 */
export function stopRequested(): StopRequest {
  const { promise: made, resolve } = Promise.withResolvers<NodeJS.Signals>();
  const controller = new AbortController();
  let isStopping = false;
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (isStopping) process.exit(128 + constants.signals[signal]);
      isStopping = true;
      resolve(signal);
      controller.abort();
    });
  }
  return { made, signal: controller.signal };
}

/** What `work` resolves with, or undefined where it was broken off by a request to stop. */
export async function unlessStopped<T>({ signal }: StopRequest, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
