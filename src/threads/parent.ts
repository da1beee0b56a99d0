import { parentPort } from 'node:worker_threads';
import { type Calls, Channel, type ProcessPort } from './channel.ts';

/**
 * The other end of a `Child`: `open` gets the options that this thread or process is started with, and the channel to the
 * thread that started it. What it resolves with are the functions that the parent may call from then on.
 */
export function serveParent<Options, Remote extends Calls<Remote>>(
  open: (options: Options, parent: Channel<Remote>) => Promise<Calls<unknown>>,
): void {
  const local = {
    async start(options: Options) {
      Object.assign(local, await open(options, parent));
    },
  };
  const parent = new Channel<Remote>({ port: parentPort ?? parentProcess(), local });
}

/** This process ends with its parent. Signals of a terminal reach both; only the parent decides when this one ends. */
function parentProcess(): ProcessPort {
  process.on('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  return {
    postMessage: (message) => void process.send!(message),
    onMessage: (listener) => void process.on('message', listener),
  };
}
