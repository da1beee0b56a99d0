import { AppError, OperatorError } from '@larder/core/errors.ts';

const MEANINGS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space and try again',
  EDQUOT: 'the disk quota is used up; free some space and try again',
  EACCES: 'this user has no permission; check its owner and permissions, and those of its folder',
  EPERM: 'this user has no permission; check its owner and permissions, and those of its folder',
  EROFS: 'the file system is read-only',
  EEXIST: 'a file of that name is in the way',
  ENOTDIR: 'a part of the path is a file, not a folder',
  ENOENT: 'there is no such file or folder; check the path',
  EISDIR: 'it is a folder, not a file; name a file in it',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links lead in a circle',
  EIO: 'the disk reports a fault; check it before trying again',
  EMFILE: 'too many files are open; raise the limit (ulimit -n)',
};

/**
 * The error to show the operator if `doing` (a sentence's beginning such as "Cannot write FILE") met a file system
 * error; other errors are returned unchanged.
 */
export function fileError(doing: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const meaning = code === undefined ? undefined : (MEANINGS[code] ?? unusualMeaning(error));
  return meaning === undefined ? error : new OperatorError(`${doing}: ${meaning}.`, { cause: error });
}

/** The meaning of a system error that `MEANINGS` lacks; undefined for errors of other kinds. */
function unusualMeaning(error: unknown): string | undefined {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === undefined ? undefined : `the system reports ${code} (${syscall})`;
}

/** The error for a file that cannot be read, in the wording that all commands share. */
export function readError(path: string, error: unknown): unknown {
  return fileError(`Cannot read ${path}`, error);
}

/** The error for a client whose upload needs too much space. */
export function storageFull(cause?: unknown): AppError {
  return new AppError({
    code: 'storage_full',
    message:
      'The disk of the service is almost full, so that it takes no images at the moment; try again later.',
    cause,
  });
}
