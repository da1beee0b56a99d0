import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileError } from '../../files/file-errors.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { type BackupStore, CHECKSUM, checksumLine, type KeptBackup, timeOfBackup } from './backup-store.ts';

/** Backups in a folder of this machine, or one that is mounted there. */
export class FolderBackups implements BackupStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async list(): Promise<readonly KeptBackup[]> {
    const kept: KeptBackup[] = [];
    for (const name of await this.#names()) {
      const atMs = timeOfBackup(name);
      const found =
        atMs === undefined ? undefined : await stat(join(this.#folder, name)).catch(() => undefined);
      if (found !== undefined) kept.push({ name, bytes: found.size, atMs: atMs! });
    }
    return kept.sort((a, b) => b.atMs - a.atMs);
  }

  async keep(name: string, write: (file: string) => Promise<string>): Promise<void> {
    const file = join(this.#folder, name);
    const unchecked = `${file}.unchecked`;
    try {
      await makeFolder(this.#folder);
      const sha256 = await write(unchecked);
      await writeFile(file + CHECKSUM, checksumLine(sha256, name), { mode: 0o600, flush: true });
      // A backup gets its name last, so that its checksum is complete for every reader.
      await rename(unchecked, file);
    } catch (cause) {
      await rm(unchecked, { force: true }).catch(() => {});
      throw fileError(`The backup cannot be written to ${this.#folder} (LARDER_BACKUP_TO)`, cause);
    }
  }

  async fetch(name: string): Promise<string> {
    return join(this.#folder, name);
  }

  async remove(name: string): Promise<void> {
    const file = join(this.#folder, name);
    await rm(file, { force: true });
    await rm(file + CHECKSUM, { force: true });
  }

  async #names(): Promise<readonly string[]> {
    try {
      return await readdir(this.#folder);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw fileError(`The folder of backups ${this.#folder} cannot be read (LARDER_BACKUP_TO)`, cause);
    }
  }
}
