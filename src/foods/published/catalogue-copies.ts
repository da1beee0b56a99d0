import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../files/atomic-file-writer.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { readPointer, writePointer } from '../compile/active-pointer.ts';

/** Number of latest copies to keep, besides the current one. */
const KEPT_COPIES = 3;
const ENDING = '.catalogue';
const INCOMING_ENDING = '.incoming';
const LEFTOVER = /\.(incoming|tmp)$/;
/** An incoming file without writes for this long was left by a crash. */
const LEFTOVER_AGE_MS = 60 * 60_000;

/**
 * A node's own copies of published catalogues, in its data folder; several processes may share it:
 *
 *     published/NAME.catalogue         whole copies
 *     published/NAME.UUID.incoming     one that is on its way
 *     published/current                the name of the one that was taken into use last
 */
export class CatalogueCopies {
  readonly #folder: string;
  readonly #pointer: string;
  readonly #nowMs: () => number;

  constructor({ dataDir, nowMs }: { dataDir: string; nowMs: () => number }) {
    this.#folder = join(dataDir, 'published');
    this.#pointer = join(this.#folder, 'current');
    this.#nowMs = nowMs;
  }

  current(): Promise<string | undefined> {
    return readPointer(this.#pointer);
  }

  pathOf(name: string): string {
    return join(this.#folder, name + ENDING);
  }

  has(name: string): boolean {
    return existsSync(this.pathOf(name));
  }

  /** The path for writing a copy, until `adopt` completes it. */
  async newFile(name: string): Promise<string> {
    await makeFolder(this.#folder);
    return join(this.#folder, `${name}.${randomUUID()}${INCOMING_ENDING}`);
  }

  async adopt(file: string, name: string): Promise<void> {
    await rename(file, this.pathOf(name));
    await syncFolder(this.#folder);
  }

  /** Turns a copy back into an incoming file, and returns its path. */
  async withdraw(name: string): Promise<string> {
    const file = await this.newFile(name);
    await rename(this.pathOf(name), file).catch((error: NodeJS.ErrnoException) => {
      // Another process has just done so.
      if (error.code !== 'ENOENT') throw error;
    });
    return file;
  }

  /** Makes this copy the one that the next start uses first, then removes old ones. */
  async use(name: string): Promise<void> {
    await writePointer(this.#pointer, name);
    const files = await this.#filesByAge();
    const old = files
      .filter(({ file }) => file.endsWith(ENDING) && file !== name + ENDING)
      .slice(KEPT_COPIES - 1);
    const leftovers = files.filter(
      ({ file, writtenAtMs }) => LEFTOVER.test(file) && this.#nowMs() - writtenAtMs > LEFTOVER_AGE_MS,
    );
    for (const { file } of [...old, ...leftovers]) await rm(join(this.#folder, file), { force: true });
  }

  /** The youngest first. */
  async #filesByAge(): Promise<readonly { file: string; writtenAtMs: number }[]> {
    const names = await readdir(this.#folder);
    const files = await Promise.all(
      names.map(async (file) => {
        // Another process may have just removed it.
        const found = await stat(join(this.#folder, file)).catch(() => undefined);
        return found === undefined ? [] : [{ file, writtenAtMs: found.mtimeMs }];
      }),
    );
    return files.flat().toSorted((a, b) => b.writtenAtMs - a.writtenAtMs);
  }
}
