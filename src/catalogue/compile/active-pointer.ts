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
  /** What the pointer named when it was read last. */
  readonly known: string | undefined;
  readonly find: () => Promise<string | undefined>;
  readonly onChange: (name: string) => void;
}

/**
 * Notices when the pointer names another catalogue. Events of the file system make it quick; polling once a second makes
 * it certain, since events get lost on network drives and where the system has no more watches to give.
 */
export class PointerWatch implements ActiveCatalogueWatch {
  readonly #parts: PointerWatchParts;
  /** What the last look found. Looks follow each other, so that a change is told once and in order. */
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
      // The system gives no notices, so polling has to do.
    }
  }

  #look(): void {
    this.#last = this.#last.then(async (last) => {
      const name = await this.#find(last);
      if (name !== undefined && name !== last && this.#timer !== undefined) {
        // In a turn of its own, so that an error of the listener does not break the look.
        setImmediate(() => this.#parts.onChange(name));
      }
      return name;
    });
  }

  /** A pointer that cannot be read just now has not changed; the next look tries again. */
  #find(last: string | undefined): Promise<string | undefined> {
    return this.#parts.find().catch(() => last);
  }

  #stopNotices(): void {
    this.#notices?.close();
    this.#notices = undefined;
  }
}

/** A file that holds one name, such as that of the catalogue in use. Undefined where there is none. */
export async function readPointer(file: string): Promise<string | undefined> {
  try {
    const name = (await readFile(file, 'utf8')).trim();
    return name === '' ? undefined : name;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Changes it atomically, and makes earlier renames in its folder durable as well. */
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
