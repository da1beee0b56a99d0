import { Socket } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type Calls, Channel, type ProcessPort } from './channel.ts';

/** The pipe of `Child.bytes` in its process. */
export const BYTES_FD = 3;

/**
 * The other end of a `Child`: `open` gets the start options of this thread or process, and the channel to the
 * parent thread. It resolves with the functions that the parent may call from then on.
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

let incoming: AsyncIterator<Uint8Array> | undefined;

/** Reads the next bytes that the parent writes to `Child.bytes`, in a process. One call at a time. */
export async function readBytes(sizeBytes: number): Promise<Uint8Array> {
  incoming ??= new Socket({ fd: BYTES_FD, writable: false })[Symbol.asyncIterator]();
  const bytes = new Uint8Array(sizeBytes);
  for (let at = 0; at < sizeBytes; ) {
    const { value, done } = await incoming.next();
    if (done === true) throw new Error('the parent process has ended');
    bytes.set(value, at);
    at += value.length;
  }
  return bytes;
}

/** This process ends with its parent. Terminal signals reach both; only the parent decides when this one ends. */
function parentProcess(): ProcessPort {
  process.on('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  return {
    postMessage: (message) => void process.send!(message),
    onMessage: (listener) => void process.on('message', listener),
  };
}

/** Niceness, at most 19: processes that answer requests have priority, yet an idle processor is used. */
const NICENESS = 10;

/**
 * Gives this process a lower priority than those that answer requests. Call it first in its main thread,
 * because on Linux threads have priorities, and later threads inherit them.
 */
export function lowerProcessPriority(): void {
  // A lower priority is kept, because raising it requires a privilege.
  if (getPriority() < NICENESS) setPriority(NICENESS);
}
