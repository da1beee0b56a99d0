import { AppError, OutageError } from '@larder/core/errors.ts';
import { RECORD_KINDS, Reading, type ReadRecord, type RecordKind } from '../../own-data/import/reading.ts';
import type { FileContent, FileTask } from '../../own-data/read-own-file.ts';
import { Child } from '../../threads/child.ts';
import type { FileReaderCalls } from './file-reader.ts';

const ENTRY = new URL('./file-reader.ts', import.meta.url);
const START = { timeoutMs: 60_000 };
/** The longest file of an export takes two seconds; the thread runs at a low priority. */
const READ_TIMEOUT_MS = 60_000;
/** Maximum heap of a thread; the largest table takes half of it. */
const MAX_HEAP_MB = 512;
/** A thread that has read a file waits for the next one for this time, because its start takes a quarter of a second. */
const IDLE_MS = 10_000;

type FileReader = Child<FileReaderCalls, undefined>;

/**
 * Reads files that people send, each in a thread of its own, so that no file delays other requests, however it is
 * made. One thread is kept for the next file.
 */
export class FileReaders {
  readonly #readTimeoutMs: number;
  readonly #idleMs: number;
  readonly #running = new Set<FileReader>();
  #idle: FileReader | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor({
    readTimeoutMs = READ_TIMEOUT_MS,
    idleMs = IDLE_MS,
  }: Partial<Record<'readTimeoutMs' | 'idleMs', number>> = {}) {
    this.#readTimeoutMs = readTimeoutMs;
    this.#idleMs = idleMs;
  }

  /**
   * Moves the bytes. Throws `invalid_request` for a file that cannot be read, or takes too much time or memory.
   */
  async read(bytes: Uint8Array<ArrayBuffer>, task: FileTask): Promise<FileContent> {
    const reader = await this.#take();
    let isTooDear = false;
    const timer = setTimeout(() => {
      isTooDear = true;
      void reader.kill(new Error('the file took too long'));
    }, this.#readTimeoutMs);
    try {
      const { channel } = reader;
      const { format, summary } = await channel.call('read', { bytes, task }, { transfer: [bytes.buffer] });
      const reading = Reading.restored(summary);
      for (const kind of RECORD_KINDS) {
        const records = reading.records[kind] as ReadRecord<RecordKind>[];
        for (let at = -1; at < records.length; ) {
          at = records.length;
          records.push(...(await channel.call('take', kind)));
        }
      }
      return { format, reading };
    } catch (cause) {
      const isExhausted = (cause as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
      throw isTooDear || isExhausted ? this.#tooDear() : cause;
    } finally {
      clearTimeout(timer);
      this.#keep(reader);
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    await Promise.all([...this.#running].map((reader) => reader.kill(new Error('the service stops'))));
  }

  async #take(): Promise<FileReader> {
    const idle = this.#idle;
    this.#idle = undefined;
    clearTimeout(this.#idleTimer);
    if (idle !== undefined) return idle;
    const reader: FileReader = Child.thread({
      entry: ENTRY,
      name: 'file-reader',
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    this.#running.add(reader);
    void reader.ended.then(() => {
      this.#running.delete(reader);
      if (this.#idle === reader) this.#idle = undefined;
    });
    await reader.start(undefined, START).catch((cause: Error) => {
      // Its program is read from the disk, where `npm ci` may run.
      throw new OutageError(`no thread for files could be started: ${cause.message}`, { cause });
    });
    return reader;
  }

  #keep(reader: FileReader): void {
    if (!this.#running.has(reader)) return;
    const end = () => {
      // A thread that is being killed must not be given another file.
      if (this.#idle === reader) this.#idle = undefined;
      void reader.kill(new Error('it is idle'));
    };
    if (this.#idle !== undefined) end();
    else {
      this.#idle = reader;
      this.#idleTimer = setTimeout(end, this.#idleMs);
      this.#idleTimer.unref();
    }
  }

  #tooDear(): AppError {
    return new AppError({
      code: 'invalid_request',
      message: `Reading the file takes more than ${this.#readTimeoutMs / 1000} s or ${MAX_HEAP_MB} MB; divide it, for example by year.`,
    });
  }
}
