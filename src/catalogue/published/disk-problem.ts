import { CopyProblem } from './fetch-problem.ts';

const BYTES_PER_MEGABYTE = 1_000_000;

/** Runs `work` on a copy of `bytes` bytes. Errors of the file system become a `CopyProblem`; others stay as they are. */
export async function onDisk<T>(bytes: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT') throw noSpace(bytes, cause);
    if (syscall === undefined) throw cause;
    throw new CopyProblem('cannot_write', `the data folder cannot be written to (${code})`, { cause });
  }
}

export function noSpace(bytes: number, cause?: unknown): CopyProblem {
  const needed = `${Math.ceil(bytes / BYTES_PER_MEGABYTE)} MB`;
  return new CopyProblem(
    'disk_full',
    `the disk of the data folder has no room for it beyond what has to stay free; it takes ${needed}`,
    { cause },
  );
}
