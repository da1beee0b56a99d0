import { constants } from 'node:os';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Resolves at the first SIGTERM or SIGINT. The second one ends the process at once, with the exit code that shells
 * give to a signal.
 */
export function stopRequested(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let isStopping = false;
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (isStopping) process.exit(128 + constants.signals[signal]);
      isStopping = true;
      resolve(signal);
    });
  }
  return promise;
}
