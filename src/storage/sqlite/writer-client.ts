import type { MessagePort } from 'node:worker_threads';
import type { WriteOutcome } from '../../diary/diary-store.ts';
import type { DiaryOwner } from '../../diary/entry.ts';
import { received } from '../../error-transfer.ts';
import { BusyError, OutageError } from '../../errors.ts';
import { DiaryRevisions } from './diary-revisions.ts';
import type { DiaryWrite, StatementResult, StatementWrite, WriteResult } from './diary-statements.ts';
import type { AnswerMessage, WelcomeMessage, WriteMessage } from './writer-thread.ts';

/** Entries (or other rows) of one thread that may wait for the writer; more are refused. */
export const MAX_WAITING_ROWS = 20_000;

interface Waiting {
  readonly rows: number;
  readonly resolve: (outcome: WriteOutcome | StatementResult) => void;
  readonly reject: (error: Error) => void;
}

export interface DiaryWriteClientPorts {
  readonly port: MessagePort;
  /** Called once with the reason when writing becomes impossible, and once with undefined when it is possible again. */
  readonly onChange?: (trouble: string | undefined) => void;
}

/** One thread's connection to the writer. */
export class DiaryWriteClient {
  readonly #port: MessagePort;
  readonly #onChange: (trouble: string | undefined) => void;
  #isInTrouble = false;
  readonly #waiting = new Map<number, Waiting>();
  #waitingRows = 0;
  #lastId = 0;
  #open = true;
  #revisions: DiaryRevisions | undefined;

  constructor({ port, onChange = () => {} }: DiaryWriteClientPorts) {
    this.#port = port;
    this.#onChange = onChange;
    port.on('message', (message: WelcomeMessage | AnswerMessage) => this.#receive(message));
    port.on('close', () => this.#end());
    port.unref();
  }

  /**
   * Settles when the write is on disk, or has been refused. Throws an `OutageError` where the disk is at fault or the writer has
   * ended, a `BusyError` where too much waits for it.
   */
  write(write: DiaryWrite): Promise<WriteOutcome> {
    return this.#send(write) as Promise<WriteOutcome>;
  }

  /** One statement of another feature, on disk when it settles. */
  execute(sql: string, parameters: readonly unknown[]): Promise<StatementResult> {
    return this.#send({ kind: 'statement', sql, parameters }) as Promise<StatementResult>;
  }

  #send(write: DiaryWrite | StatementWrite): Promise<WriteOutcome | StatementResult> {
    const rows = write.kind === 'addEntries' ? write.entries.length : 1;
    if (!this.#open) return Promise.reject(new OutageError('the writer of the database has ended'));
    if (this.#waitingRows + rows > MAX_WAITING_ROWS) {
      return Promise.reject(new BusyError(`${MAX_WAITING_ROWS} rows wait to be written already`));
    }
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { rows, resolve, reject });
      this.#waitingRows += rows;
      // Keeps the thread alive while somebody waits for an answer.
      this.#port.ref();
      this.#port.postMessage({ id, write } satisfies WriteMessage);
    });
  }

  /** See `DiaryStore.revision`; undefined until the writer has sent the memory that it counts in. */
  revision(owner: DiaryOwner): number | undefined {
    return this.#revisions?.of(owner);
  }

  close(): void {
    this.#port.close();
  }

  #receive(message: WelcomeMessage | AnswerMessage): void {
    if ('revisions' in message) {
      this.#revisions = new DiaryRevisions({ memory: message.revisions });
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
  if ('outcome' in result) resolve(result.outcome);
  else reject(received(result.failed));
}
