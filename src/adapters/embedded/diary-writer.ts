import { once } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { OperatorError } from '../../errors.ts';
import type { ControlMessage, WriterThreadData } from './diary-writer-thread.ts';

export interface DiaryWriterInit {
  /** A database with all tables. */
  readonly file: string;
  /** Called when the thread ends by itself; nothing can be written from then on. */
  readonly onFailure: (cause: Error) => void;
  readonly extraSyncMs?: number;
}

/** The one writer of diaries in this process, started by whoever starts the API threads. */
export class DiaryWriter {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  #closing = false;

  private constructor(worker: Worker, onFailure: (cause: Error) => void) {
    this.#worker = worker;
    worker.on('error', (error) => onFailure(error as Error));
    this.#ended = new Promise((resolve) => {
      worker.on('exit', (code) => {
        if (!this.#closing) onFailure(new Error(`the diary writer ended with code ${code}`));
        resolve();
      });
    });
  }

  /** Throws an `OperatorError` when another process writes to the database. */
  static async start({ file, onFailure, extraSyncMs = 0 }: DiaryWriterInit): Promise<DiaryWriter> {
    const worker = new Worker(new URL('./diary-writer-thread.ts', import.meta.url), {
      workerData: { file, extraSyncMs } satisfies WriterThreadData,
    });
    try {
      // The thread's first message says that it is ready; its error, thrown here, that it never will be.
      await once(worker, 'message');
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new OperatorError(
        `The database ${file} cannot be written (${reason}). If another Larder uses this folder, stop it, or choose ` +
          'another LARDER_DATA_DIR.',
        { cause },
      );
    }
    return new DiaryWriter(worker, onFailure);
  }

  /** A port for one thread, to be transferred there and handed to a `DiaryWriteClient`. */
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
