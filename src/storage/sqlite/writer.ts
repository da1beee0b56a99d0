import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { OperatorError } from '../../errors.ts';
import type { ControlMessage, StartMessage, WriterThreadData } from './writer-thread.ts';

export interface DatabaseWriterInit {
  /** A database with all tables. */
  readonly file: string;
  /** Called when the thread ends by itself; nothing can be written from then on. */
  readonly onFailure: (cause: Error) => void;
  /** How long to wait for another process that writes to the database; `onWait` is told before. */
  readonly lockWaitMs?: number;
  readonly onWait?: (holderPid: number | undefined) => void;
  /** Ends the wait, so that the start fails; has no effect on a started writer. */
  readonly signal?: AbortSignal;
  readonly extraSyncMs?: number;
}

const DEFAULT_LOCK_WAIT_MS = 10_000;

/** The thread that writes to the database, started by whoever starts the API threads. */
export class DatabaseWriter {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  #closing = false;

  private constructor(worker: Worker, onFailure: (cause: Error) => void) {
    this.#worker = worker;
    worker.on('error', (error) => onFailure(error as Error));
    this.#ended = new Promise((resolve) => {
      worker.on('exit', (code) => {
        if (!this.#closing) onFailure(new Error(`the writer of the database ended with code ${code}`));
        resolve();
      });
    });
  }

  /** Throws an `OperatorError` when another process writes to the database. */
  static async start({
    file,
    onFailure,
    lockWaitMs = DEFAULT_LOCK_WAIT_MS,
    onWait = () => {},
    signal,
    extraSyncMs = 0,
  }: DatabaseWriterInit): Promise<DatabaseWriter> {
    signal?.throwIfAborted();
    const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), {
      workerData: { file, lockWaitMs, extraSyncMs } satisfies WriterThreadData,
    });
    const giveUp = () => void worker.terminate();
    signal?.addEventListener('abort', giveUp);
    try {
      await untilReady(worker, file, onWait);
      // The thread may have become ready while it was being terminated.
      signal?.throwIfAborted();
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
    return new DatabaseWriter(worker, onFailure);
  }

  /** A port for one thread, to be transferred there and handed to a `WriterClient`. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#worker.postMessage({ connect: port1 } satisfies ControlMessage, [port1]);
    return port2;
  }

  /** Writes what is waiting and ends. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#worker.postMessage({ close: true } satisfies ControlMessage);
    await this.#ended;
  }
}

/** Resolves when the thread is ready; throws its error where it never will be. */
async function untilReady(
  worker: Worker,
  file: string,
  onWait: (holderPid: number | undefined) => void,
): Promise<void> {
  let refused: string | undefined;
  const { promise: ready, resolve } = Promise.withResolvers<undefined>();
  const listen = (message: StartMessage) => {
    if (message === 'ready') resolve(undefined);
    else if ('waitingFor' in message) onWait(message.waitingFor);
    else refused = message.refused;
  };
  worker.on('message', listen);
  const cause = await Promise.race([ready, endOf(worker)]);
  worker.off('message', listen);
  if (cause === undefined) return;
  throw new OperatorError(
    refused ??
      `The database ${file} cannot be written (${cause.message}). Check the folder, its permissions and free space.`,
    { cause },
  );
}

/** Resolves with the reason when a thread has ended. Waits for `exit`, since `error` may overtake the last messages. */
function endOf(worker: Worker): Promise<Error> {
  return new Promise((resolve) => {
    let cause: unknown;
    worker.once('error', (error) => {
      cause = error;
    });
    worker.once('exit', (code) =>
      resolve(cause instanceof Error ? cause : new Error(`its thread exited with code ${code}`)),
    );
  });
}
