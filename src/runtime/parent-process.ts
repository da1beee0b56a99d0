import type { ProcessPort } from './channel.ts';

/**
 * The way to the process that started this one, which ends with it. Signals of a terminal reach both; only the parent
 * decides when this one ends.
 */
export function parentProcess(): ProcessPort {
  process.on('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  return {
    postMessage: (message) => void process.send!(message),
    onMessage: (listener) => void process.on('message', listener),
  };
}
