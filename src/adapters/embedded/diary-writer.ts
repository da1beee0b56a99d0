import { once } from 'node:events';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { OperatorError } from '../../errors.ts';
import type { ControlMessage, StartMessage, WriterThreadData } from './diary-writer-thread.ts';

export interface DiaryWriterInit {
  /** A database with all tables. */
  readonly file: string;
  /** Called when the thread ends by itself; nothing can be written from then on. */
  readonly onFailure: (cause: Error) => void;
  /** How long to wait for another process that writes to the database; `onWait` is told before. */
  readonly lockWaitMs?: number;
  readonly onWait?: (holderPid: number | undefined) => void;
  readonly extraSyncMs?: number;
}

const DEFAULT_LOCK_WAIT_MS = 10_000;

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
  static async start({
    file,
    onFailure,
    lockWaitMs = DEFAULT_LOCK_WAIT_MS,
    onWait = () => {},
    extraSyncMs = 0,
  }: DiaryWriterInit): Promise<DiaryWriter> {
    const worker = new Worker(new URL('./diary-writer-thread.ts', import.meta.url), {
      workerData: { file, lockWaitMs, extraSyncMs } satisfies WriterThreadData,
    });
    await untilReady(worker, file, onWait);
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

/** The thread says when it is ready; its error, thrown here, that it never will be. */
async function untilReady(
  worker: Worker,
  file: string,
  onWait: (holderPid: number | undefined) => void,
): Promise<void> {
  let refused: string | undefined;
  try {
    for (;;) {
      const [message] = (await once(worker, 'message')) as [StartMessage];
      if (message === 'ready') return;
      if ('waitingFor' in message) onWait(message.waitingFor);
      else refused = message.refused;
    }
  } catch (cause) {
    if (refused !== undefined) throw new OperatorError(refused, { cause });
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError(
      `The database ${file} cannot be written (${reason}). Check the folder, its permissions and free space.`,
      { cause },
    );
  }
}
