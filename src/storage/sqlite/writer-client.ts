import type { MessagePort } from 'node:worker_threads';
import { received } from '../../error-transfer.ts';
import { BusyError, OutageError } from '../../errors.ts';
import type { Write, Writer, Written } from '../writer.ts';
import { Revisions } from './revisions.ts';
import type { WriteResult } from './write-group.ts';
import type { AnswerMessage, WelcomeMessage, WriteMessage } from './writer-thread.ts';

/** Rows of one thread that may wait for the writer; more are refused. */
export const MAX_WAITING_ROWS = 20_000;

interface Waiting {
  readonly rows: number;
  readonly resolve: (written: Written) => void;
  readonly reject: (error: Error) => void;
}

export interface WriterClientPorts {
  readonly port: MessagePort;
  /** Called once with the reason when writing becomes impossible, and once with undefined when it is possible again. */
  readonly onChange?: (trouble: string | undefined) => void;
}

/** One thread's connection to the writer. */
export class WriterClient implements Writer {
  readonly #port: MessagePort;
  readonly #onChange: (trouble: string | undefined) => void;
  #isInTrouble = false;
  readonly #waiting = new Map<number, Waiting>();
  #waitingRows = 0;
  #lastId = 0;
  #open = true;
  #revisions: Revisions | undefined;

  constructor({ port, onChange = () => {} }: WriterClientPorts) {
    this.#port = port;
    this.#onChange = onChange;
    port.on('message', (message: WelcomeMessage | AnswerMessage) => this.#receive(message));
    port.on('close', () => this.#end());
    port.unref();
  }

  write<Row>(write: Write): Promise<Written<Row>> {
    const rows = Math.max(...write.statements.map(({ runs }) => runs.length));
    if (!this.#open) return Promise.reject(new OutageError('the writer of the database has ended'));
    if (this.#waitingRows + rows > MAX_WAITING_ROWS) {
      return Promise.reject(new BusyError(`${MAX_WAITING_ROWS} rows wait to be written already`));
    }
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { rows, resolve: resolve as Waiting['resolve'], reject });
      this.#waitingRows += rows;
      // Keeps the thread alive while somebody waits for an answer.
      this.#port.ref();
      this.#port.postMessage({ id, write } satisfies WriteMessage);
    });
  }

  /** Undefined until the writer has sent the memory that it counts in. */
  revision(name: string): number | undefined {
    return this.#revisions?.of(name);
  }

  close(): void {
    this.#port.close();
  }

  #receive(message: WelcomeMessage | AnswerMessage): void {
    if ('revisions' in message) {
      this.#revisions = new Revisions({ memory: message.revisions });
      return;
    }
    for (const { id, result } of message) {
      this.#notice(result);
      this.#settle(id, (waiting) => settle(waiting, result));
    }
  }

  #notice(result: WriteResult): void {
    const isOutage = 'failed' in result && result.failed.kind === 'outage';
    // A single write that failed for a reason of its own says nothing about the disk.
    if (isOutage === this.#isInTrouble || ('failed' in result && !isOutage)) return;
    this.#isInTrouble = isOutage;
    this.#onChange(isOutage ? result.failed.message : undefined);
  }

  #settle(id: number, how: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    this.#waitingRows -= waiting.rows;
    if (this.#waiting.size === 0) this.#port.unref();
    how(waiting);
  }

  #end(): void {
    this.#open = false;
    for (const id of [...this.#waiting.keys()]) {
      this.#settle(id, ({ reject }) =>
        reject(new OutageError('the writer of the database ended before it had written this')),
      );
    }
  }
}

function settle({ resolve, reject }: Waiting, result: WriteResult): void {
  if ('written' in result) resolve(result.written);
  else reject(received(result.failed));
}
