import { randomUUID } from 'node:crypto';
import { type FSWatcher, watch } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder, temporaryName } from '../../files/atomic-file-writer.ts';
import { makeFolderSync } from '../../files/make-folder.ts';

const POLL_INTERVAL_MS = 1_000;

export interface ActiveCatalogueWatch {
  close(): void;
}

interface PointerWatchParts {
  readonly folder: string;
  /** The pointer's content at the last read. */
  readonly known: string | undefined;
  readonly find: () => Promise<string | undefined>;
  readonly onChange: (name: string) => void;
}

/**
 * Reports when the pointer names another catalogue. File-system events make it fast; polling once a second makes it
 * reliable, because network drives and exhausted watches lose events.
 */
export class PointerWatch implements ActiveCatalogueWatch {
  readonly #parts: PointerWatchParts;
  /** Result of the last read. Reads are sequential, so that a change is reported once and in order. */
  #last: Promise<string | undefined>;
  #timer: NodeJS.Timeout | undefined;
  #notices: FSWatcher | undefined;

  static start(parts: PointerWatchParts): PointerWatch {
    const pointerWatch = new PointerWatch(parts);
    pointerWatch.#start();
    return pointerWatch;
  }

  private constructor(parts: PointerWatchParts) {
    this.#parts = parts;
    this.#last = Promise.resolve(parts.known);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#stopNotices();
  }

  #start(): void {
    this.#timer = setInterval(() => this.#look(), POLL_INTERVAL_MS).unref();
    this.#look();
    try {
      makeFolderSync(this.#parts.folder);
      this.#notices = watch(this.#parts.folder, { persistent: false }, () => this.#look());
      this.#notices.on('error', () => this.#stopNotices());
    } catch {
      // Without file events, polling remains.
    }
  }

  #look(): void {
    this.#last = this.#last.then(async (last) => {
      const name = await this.#find(last);
      if (name !== undefined && name !== last && this.#timer !== undefined) {
        // In another turn, so that an error of the listener does not affect the read.
        setImmediate(() => this.#parts.onChange(name));
      }
      return name;
    });
  }

  /** An unreadable pointer counts as unchanged; the next read tries again. */
  #find(last: string | undefined): Promise<string | undefined> {
    return this.#parts.find().catch(() => last);
  }

  #stopNotices(): void {
    this.#notices?.close();
    this.#notices = undefined;
  }
}

/** A file with one name, such as that of the catalogue in use. Undefined if it does not exist. */
export async function readPointer(file: string): Promise<string | undefined> {
  try {
    const name = (await readFile(file, 'utf8')).trim();
    return name === '' ? undefined : name;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Changes it atomically, and makes earlier renames in its folder durable too. */
export async function writePointer(file: string, name: string): Promise<void> {
  const temporary = temporaryName(`${file}.${randomUUID()}`);
  const handle = await open(temporary, 'w');
  try {
    await handle.writeFile(`${name}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(dirname(file));
  await rename(temporary, file);
  await syncFolder(dirname(file));
}
