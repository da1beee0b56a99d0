import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OutageError } from './errors.ts';

/** Free bytes for this user on the disk of a folder. */
export type FreeSpace = (folder: string) => Promise<number>;

/** Where the folder does not exist yet, the disk is that of the nearest folder above it. */
export const freeSpace: FreeSpace = async (folder) => {
  try {
    const { bavail, bsize, blocks } = await statfs(folder);
    // File systems that do not tell their size say zero.
    return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isMissing || dirname(folder) === folder) throw error;
    return freeSpace(dirname(folder));
  }
};

/**
 * Keeps a part of a disk free for what must always be written, such as the diary. Whatever takes much space asks here
 * first and is refused where that would eat into the reserve.
 */
export class DiskReserve {
  readonly folder: string;
  readonly reserveBytes: number;
  readonly #free: FreeSpace;

  constructor({
    folder,
    reserveBytes,
    free = freeSpace,
  }: {
    folder: string;
    reserveBytes: number;
    free?: FreeSpace;
  }) {
    this.folder = folder;
    this.reserveBytes = reserveBytes;
    this.#free = free;
  }

  /** Throws an `OutageError`. */
  async freeBytes(): Promise<number> {
    try {
      return await this.#free(this.folder);
    } catch (cause) {
      throw new OutageError('the disk does not say how much of it is free', { cause });
    }
  }

  /** Whether so many bytes more leave the reserve free. Throws as `freeBytes` does. */
  async hasRoom(bytes = 0): Promise<boolean> {
    return (await this.freeBytes()) - bytes >= this.reserveBytes;
  }
}
