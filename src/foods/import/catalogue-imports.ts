import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, OperatorError } from '@larder/core/errors.ts';
import { pause } from '../../base/pause.ts';
import { createIds, type RandomBytes } from '../../base/time-ordered-id.ts';
import type { DiskReserve } from '../../files/disk-reserve.ts';
import { withoutFolders } from '../../files/without-folders.ts';
import { type ImportJob, isUnfinished, NO_PROGRESS } from './import-job.ts';
import type { ImportJobStore } from './import-job-store.ts';

export const MAX_IMPORT_BYTES = 20e9;
/** Maximum size of a part, which fits into the time limit of a request at 2.5 Mbit/s. */
export const IMPORT_PART_BYTES = 32 * 1024 * 1024;
/** Time limit for the next part of a file. */
const FILE_WAIT_MS = 3_600_000;
/** Time after which a running import without progress counts as interrupted. */
export const HEARTBEAT_TIMEOUT_MS = 15_000;
const WATCH_MS = 500;

/** Runs an import in a separate process, and reports to the store. */
export interface ImportRunner {
  run(job: ImportJob, file: string | undefined): void;
  /** Cancels it at once if it runs in this process. */
  cancel(id: string): void;
}

export interface CatalogueImportsOptions {
  readonly store: ImportJobStore;
  readonly runner: ImportRunner;
  /** Folder for uploaded files. */
  readonly folder: string;
  /** False if other nodes would get some of the parts of a file. */
  readonly takesFiles: boolean;
  readonly disk: DiskReserve;
  readonly nowMs: () => number;
  readonly randomBytes: RandomBytes;
}

interface Look {
  readonly job: ImportJob;
  /** The job as JSON, which tells whether it has changed. */
  readonly text: string;
}

/** Imports that operators start over HTTP, one at a time. */
export class CatalogueImports {
  readonly #options: CatalogueImportsOptions;
  readonly #looks = new Map<string, Promise<Look>>();
  /** The part of each import that is being read. */
  readonly #receiving = new Map<string, AbortController>();

  constructor(options: CatalogueImportsOptions) {
    this.#options = options;
  }

  /**
   * Begins a download, or waits for a file. Throws `conflict` while another import runs, and an error if the
   * disk has no room.
   */
  async start({
    source,
    file,
    slice,
    choices,
    update,
  }: Pick<ImportJob, 'source' | 'file' | 'slice' | 'choices' | 'update'>): Promise<ImportJob> {
    const { store, runner, takesFiles, nowMs, randomBytes, folder } = this.#options;
    if (file !== undefined && !takesFiles) {
      throw conflict(
        'A cluster takes no files over HTTP: import it on one node with `larder import`, and publish the catalogue.',
      );
    }
    if (file !== undefined) await this.#requireRoom(file.bytes);
    const createdAtMs = nowMs();
    const [id] = createIds(1, createdAtMs, randomBytes);
    const state = file === undefined ? 'running' : 'waiting';
    const job: ImportJob = {
      id: id!,
      source,
      state,
      createdAtMs,
      progress: NO_PROGRESS,
      ...(file && { file }),
      ...(slice && { slice }),
      ...(choices && { choices }),
    };
    await store.endInterrupted(createdAtMs);
    const aliveMs = file === undefined ? HEARTBEAT_TIMEOUT_MS : FILE_WAIT_MS;
    if (!(await store.add(job, createdAtMs + aliveMs)))
      throw conflict('An import is under way; wait for it to end, or cancel it.');
    if (file === undefined) runner.run(update === true ? { ...job, update } : job, undefined);
    else await removeFolders(folder);
    return job;
  }

  /**
   * Stores a part of the file; the last one starts the import. Throws `conflict` for a part out of order, and for one that is sent
   * again while it is read: its client has given up.
   */
  async receive(id: string, offset: number, body: AsyncIterable<Uint8Array>): Promise<ImportJob> {
    const { store, runner, nowMs } = this.#options;
    const job = await this.get(id);
    if (job.state !== 'waiting' || job.file === undefined)
      throw conflict(`This import is ${job.state} and takes no file; start another one.`);
    const { bytes: received } = job.progress;
    if (offset !== received) throw notNext(received);
    await this.#requireRoom(job.file.bytes - received);
    const path = await this.#pathOf(job);
    const reading = new AbortController();
    this.#receiving.get(id)?.abort(conflict('This part was sent again.'));
    this.#receiving.set(id, reading);
    const part = { at: received, limitBytes: Math.min(IMPORT_PART_BYTES, job.file.bytes - received) };
    const written = await writePart(path, body, part, reading.signal)
      .catch(endedIfGone)
      .finally(() => {
        if (this.#receiving.get(id) === reading) this.#receiving.delete(id);
      });
    const arrived = received + written;
    const progress = {
      ...NO_PROGRESS,
      phase: 'Receiving the file',
      bytes: arrived,
      totalBytes: job.file.bytes,
    };
    const isWhole = arrived === job.file.bytes;
    const aliveUntilMs = nowMs() + (isWhole ? HEARTBEAT_TIMEOUT_MS : FILE_WAIT_MS);
    // Only one of concurrent parts counts.
    if (!(await store.receive(job, isWhole ? 'running' : 'waiting', progress, aliveUntilMs)))
      throw await this.#notTaken(id);
    if (isWhole) runner.run({ ...job, state: 'running' }, path);
    return this.get(id);
  }

  async #notTaken(id: string): Promise<AppError> {
    const { state, progress } = await this.get(id);
    if (state === 'waiting') return notNext(progress.bytes);
    if (state !== 'running') await rm(join(this.#options.folder, id), { recursive: true, force: true });
    return ended();
  }

  /** Throws `not_found`, as `cancel` does. */
  async get(id: string): Promise<ImportJob> {
    await this.#options.store.endInterrupted(this.#options.nowMs());
    const job = await this.#options.store.find(id);
    if (job !== undefined) return job;
    throw new AppError({
      code: 'import_not_found',
      message: 'There is no import with this id; the last 20 are kept.',
    });
  }

  async list(): Promise<readonly ImportJob[]> {
    await this.#options.store.endInterrupted(this.#options.nowMs());
    return this.#options.store.list();
  }

  /** Cancels it within some seconds; the catalogue in use does not change. Does nothing for one that has ended. */
  async cancel(id: string): Promise<void> {
    const { store, runner, folder, nowMs } = this.#options;
    const job = await this.get(id);
    await store.finish(id, { state: 'cancelled' }, nowMs());
    runner.cancel(id);
    if (job.state === 'waiting') await removeFolders(folder);
  }

  /** Yields the current state and each later one, until the import has ended or `signal` is aborted. */
  async *watch(id: string, signal: AbortSignal): AsyncGenerator<ImportJob> {
    let last = '';
    while (!signal.aborted) {
      const { job, text } = await this.#look(id);
      if (text !== last) yield job;
      last = text;
      if (!isUnfinished(job)) return;
      await pause(WATCH_MS, { signal }).catch(() => {});
    }
  }

  /** All who watch an import share one look at the store. */
  #look(id: string): Promise<Look> {
    const known = this.#looks.get(id);
    if (known !== undefined) return known;
    const look = this.get(id).then((job) => ({ job, text: JSON.stringify(job) }));
    this.#looks.set(id, look);
    void pause(WATCH_MS, { ref: false }).then(() => this.#looks.delete(id));
    return look;
  }

  async #requireRoom(bytes: number): Promise<void> {
    try {
      await this.#options.disk.requireRoom('the file', bytes);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      throw conflict(withoutFolders(error.message, this.#options.disk.folder));
    }
  }

  /** The folder is named after the import, and the file keeps its name, which reports and messages show. */
  async #pathOf({ id, file }: ImportJob): Promise<string> {
    const folder = join(this.#options.folder, id);
    await mkdir(folder, { recursive: true });
    const name = file!.name.replaceAll(/[^\w.-]/g, '_').replace(/^\.+/, '');
    return join(folder, name === '' ? 'file' : name.slice(-100));
  }
}

/** Returns the number of bytes. Earlier bytes after `at` are overwritten. Throws the reason of `signal`. */
async function writePart(
  path: string,
  body: AsyncIterable<Uint8Array>,
  { at, limitBytes }: { readonly at: number; readonly limitBytes: number },
  signal: AbortSignal,
): Promise<number> {
  const file = await open(path, at === 0 ? 'w' : 'r+');
  try {
    let written = 0;
    for await (const piece of body) {
      signal.throwIfAborted();
      if (written + piece.length > limitBytes) {
        const message = `This part may have ${limitBytes} bytes.`;
        throw new AppError({ code: 'payload_too_large', message, details: { limitBytes } });
      }
      await file.write(piece, 0, piece.length, at + written);
      written += piece.length;
    }
    return written;
  } finally {
    await file.close();
  }
}

/** Deletes files of earlier imports. */
async function removeFolders(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    await rm(join(folder, name), { recursive: true, force: true });
}

function conflict(message: string): AppError {
  return new AppError({ code: 'conflict', message });
}

function notNext(received: number): AppError {
  return conflict(`The next part begins at offset ${received}.`);
}

/** The folder is removed when an import is cancelled. */
function endedIfGone(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? ended() : error;
}

function ended(): AppError {
  return conflict('This import has ended meanwhile; start another one.');
}
