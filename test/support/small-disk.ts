import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FILLER = 'filler';
const BLOCK_BYTES = 4_096;

/** A file system of a few megabytes in memory. */
export interface SmallDisk extends Disposable {
  readonly path: string;
  /** Uses space until this many bytes are free, or releases it. */
  leaveFree(bytes: number): void;
}

/** Reason for which a small disk is not possible; undefined if it is. Mounting needs root. */
export function whyNoSmallDisk(): string | undefined {
  try {
    mountSmallDisk(1)[Symbol.dispose]();
    return undefined;
  } catch (error) {
    return `a small disk cannot be mounted: ${(error as Error).message.trim()}`;
  }
}

export function mountSmallDisk(megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'larder-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'pipe' });
  } catch (error) {
    rmSync(path, { recursive: true });
    throw error;
  }
  const filler = join(path, FILLER);
  return {
    path,
    leaveFree(bytes) {
      rmSync(filler, { force: true });
      const { bavail, bsize } = statfsSync(path);
      const size = Math.floor((bavail * bsize - bytes) / BLOCK_BYTES) * BLOCK_BYTES;
      if (size > 0) writeFileSync(filler, Buffer.alloc(size));
    },
    [Symbol.dispose]() {
      // Lazily, because SQLite may still close its files.
      execFileSync('umount', ['--lazy', path]);
      rmSync(path, { recursive: true });
    },
  };
}
