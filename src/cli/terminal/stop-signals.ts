import { constants } from 'node:os';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Restores the default effect of signals when disposed. */
export interface StopRequest extends Disposable {
  /** Resolves with the first signal. */
  readonly made: Promise<NodeJS.Signals>;
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
}

/** The exit code that shells report for a command ended by a signal. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** Waits for the first SIGTERM or SIGINT. The second one ends the process at once, with that signal's exit code. */
export function stopRequested(): StopRequest {
  const { promise: made, resolve } = Promise.withResolvers<NodeJS.Signals>();
  const controller = new AbortController();
  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(exitCodeOf(signal));
    isStopping = true;
    resolve(signal);
    controller.abort();
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  return {
    made,
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const signal of STOP_SIGNALS) process.off(signal, stop);
    },
  };
}

/** The result of `work`, or undefined if a signal aborted it. */
export async function unlessStopped<T>({ signal }: StopRequest, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
