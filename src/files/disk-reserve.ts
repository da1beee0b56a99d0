import { type StatsFs, statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorError, OutageError } from '@larder/core/errors.ts';
import { count } from '../base/texts.ts';

const BYTES_PER_MEGABYTE = 1_000_000;

/** Free bytes for this user on the disk of a folder. */
export type FreeSpace = (folder: string) => Promise<number>;

/** Measures the disk of the folder, or of the nearest existing folder above it. */
const freeSpace: FreeSpace = async (folder) => {
  try {
    return toFreeBytes(await statfs(folder));
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isMissing || dirname(folder) === folder) throw error;
    return freeSpace(dirname(folder));
  }
};

/** File systems that do not report their size report zero blocks. */
function toFreeBytes({ bavail, bsize, blocks }: StatsFs): number {
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
}

/**
 * Keeps a part of a disk free for essential writes, such as the diary. Code that needs much space asks here
 * first, and is rejected if it would use the reserve.
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

  /** Whether `bytes` more would leave the reserve free. Throws as `freeBytes` does. */
  async hasRoom(bytes = 0): Promise<boolean> {
    return (await this.freeBytes()) - bytes >= this.reserveBytes;
  }

  /** Throws an `OperatorError` if `what`, such as "the backup", would leave less than the reserve. */
  async requireRoom(what: string, bytes: number): Promise<void> {
    const freeBytes = await this.freeBytes();
    if (freeBytes - bytes < this.reserveBytes) throw this.#refusal(freeBytes, `${what} needs ${size(bytes)}`);
  }

  /** Throws an `OperatorError` if the bytes written so far use the reserve; for synchronous writers. */
  requireRoomNow(what: string): void {
    const freeBytes = toFreeBytes(statfsSync(this.folder));
    if (freeBytes < this.reserveBytes) throw this.#refusal(freeBytes, `there is no room for ${what}`);
  }

  #refusal(freeBytes: number, need: string): OperatorError {
    const kept =
      this.reserveBytes === 0
        ? ''
        : `, and LARDER_DISK_RESERVE_MB keeps ${size(this.reserveBytes)} free for diaries`;
    return new OperatorError(
      `The disk of ${this.folder} has ${size(freeBytes)} free; ${need}${kept}. Free some space, or use another disk.`,
    );
  }
}

function size(bytes: number): string {
  return `${count(Math.ceil(bytes / BYTES_PER_MEGABYTE))} MB`;
}
