import type { Backoff } from '../../base/retry.ts';

/** Why a node does not serve the active catalogue. */
export const COPY_PROBLEMS = [
  'database_unavailable',
  'store_unavailable',
  'missing',
  'damaged',
  'unsupported_format',
  'disk_full',
  'cannot_write',
  'cannot_load',
] as const;
export type CopyProblemCode = (typeof COPY_PROBLEMS)[number];

/** `message` contains nothing internal; details are in `cause`. */
export class CopyProblem extends Error {
  readonly code: CopyProblemCode;

  constructor(code: CopyProblemCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'CopyProblem';
    this.code = code;
  }
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 60_000;
/** The pause is short, because an outage may end at any moment, and a request costs little. */
const MAX_OUTAGE_RETRY_MS = 2_000;
const OUTAGES: readonly CopyProblemCode[] = ['store_unavailable', 'database_unavailable'];

/** The pauses before further attempts; by default those after a catalogue that the process cannot use. */
export function backoffAfter({ code }: Pick<CopyProblem, 'code'> = { code: 'cannot_load' }): Backoff {
  return { firstMs: FIRST_RETRY_MS, maxMs: OUTAGES.includes(code) ? MAX_OUTAGE_RETRY_MS : MAX_RETRY_MS };
}

/** Any other error is a defect, and reported as an unusable catalogue. */
export function toCopyProblem(error: unknown): CopyProblem {
  if (error instanceof CopyProblem) return error;
  return new CopyProblem('cannot_load', 'it cannot be used', { cause: error });
}

const BYTES_PER_MEGABYTE = 1_000_000;

/** Runs `work` on a copy of `bytes` bytes. Errors of the file system become a `CopyProblem`; others are not changed. */
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
