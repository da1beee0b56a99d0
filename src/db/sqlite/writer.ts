import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { OperatorError } from '@larder/core/errors.ts';
import { Child } from '../../threads/child.ts';
import { ChangeHints } from '../change-hints.ts';
import type { WriterCalls, WriterEvents, WriterStart } from './writer-thread.ts';

export interface DatabaseWriterOptions {
  /** A database with all tables. */
  readonly file: string;
  /** The memory of `ChangeHints`. */
  readonly changeHints?: SharedArrayBuffer;
  /** Called when the thread ends by itself; writing is impossible from then on. */
  readonly onFailure: (cause: Error) => void;
  /** Maximum wait for another process that writes to the database; `onWait` is called before. */
  readonly lockWaitMs?: number;
  readonly onWait?: (holderPid: number | undefined) => void;
  /** Called with the reason if the files still contain traces of erased rows; they are rewritten later. */
  readonly onTraces?: (reason: string) => void;
  /** Ends the wait, so that the start fails; has no effect on a started writer. */
  readonly signal?: AbortSignal;
}

const DEFAULT_LOCK_WAIT_MS = 10_000;

/** The thread that writes to the database, started by the process that starts the API threads. */
export class DatabaseWriter {
  readonly #child: Child<WriterCalls, WriterStart>;

  private constructor(child: Child<WriterCalls, WriterStart>) {
    this.#child = child;
  }

  /**
   * Throws an `OperatorError` if writing is impossible, for example because another process writes; the
   * reason of `signal` on abort.
   */
  static async start({
    file,
    changeHints = ChangeHints.createMemory(),
    onFailure,
    lockWaitMs = DEFAULT_LOCK_WAIT_MS,
    onWait = () => {},
    onTraces = () => {},
    signal,
  }: DatabaseWriterOptions): Promise<DatabaseWriter> {
    const child = Child.thread<WriterCalls, WriterStart>({
      entry: new URL('./writer-thread.ts', import.meta.url),
      name: 'database-writer',
      local: { waitsFor: onWait, keepsTraces: onTraces } satisfies WriterEvents,
    });
    try {
      await child.start({ file, lockWaitMs, changeHints }, { signal });
    } catch (cause) {
      if (cause instanceof OperatorError || signal?.aborted) throw cause;
      throw new OperatorError(
        `The database ${file} cannot be written (${(cause as Error).message}). Check the folder, its permissions and free space.`,
        { cause },
      );
    }
    child.ended.then((cause) => {
      if (!child.isStopping) onFailure(new Error('the writer of the database ended', { cause }));
    });
    return new DatabaseWriter(child);
  }

  /** A port for one thread, to be transferred to it and passed to a `WriterClient`. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    // If the thread has ended, closing the port notifies the client.
    this.#child.channel.call('connect', port1, { transfer: [port1] }).catch(() => port1.close());
    return port2;
  }

  /** Finishes pending writes and ends. */
  close(): Promise<void> {
    return this.#child.stop();
  }
}
