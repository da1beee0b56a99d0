import { statfs } from 'node:fs/promises';
import { OperatorError } from '../../../errors.ts';

/** Import and compile write a segment and a catalogue, each well under 1 GB for all foods there are. */
const MAX_COMPILE_BYTES = 2 * 1024 ** 3;
/** What they need of a small export: text that was compressed, in two copies. */
const COMPILE_BYTES_PER_DOWNLOADED = 4;

/** Free bytes for this user on the disk of a folder. */
export type FreeSpace = (folder: string) => Promise<number>;

export const freeSpace: FreeSpace = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** Throws unless a file of `totalBytes`, of which `presentBytes` are here, and what is made of it will fit. */
export async function requireSpace(
  free: FreeSpace,
  folder: string,
  { totalBytes, presentBytes }: { totalBytes: number; presentBytes: number },
): Promise<void> {
  const headRoom = Math.min(MAX_COMPILE_BYTES, totalBytes * COMPILE_BYTES_PER_DOWNLOADED);
  const needed = totalBytes - presentBytes + headRoom;
  const available = await free(folder);
  if (available >= needed) return;
  throw new OperatorError(
    `The disk of ${folder} has ${gigabytes(available)} free; the download and the catalogue made of it need ` +
      `${gigabytes(needed)}. Free some space, or point LARDER_DATA_DIR to another disk.`,
  );
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(2)} GB`;
}
