import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** Room for a service, its catalogue and some images; small enough to be filled within seconds. */
const SMALL_DISK_BYTES = 256 * 1024 * 1024;

/** What an operator of such a disk would reserve of it; the default is larger than the disk. */
export const RESERVE_MB = 64;

/** A file system of its own in this folder, which only root can mount; gone with its scope. */
export function smallDisk(folder: string): Disposable {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SMALL_DISK_BYTES}`, 'tmpfs', folder]);
  // Lazily: a process that was killed may not have let go of its files yet.
  return { [Symbol.dispose]: () => execFileSync('umount', ['-l', folder]) };
}
