import { BusyError, ConstraintError, OutageError } from '@larder/core/errors.ts';
import Sqlite from 'better-sqlite3';

// Result codes, of which extended ones begin alike: sqlite.org/rescode.html

/** The disk, the file or the memory is at fault. */
const OUTAGE = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM|PROTOCOL|NOLFS)/;
/** Somebody else went on writing for longer than a statement waits. */
const BUSY = /^SQLITE_(BUSY|LOCKED)/;
/** The row contradicts others. */
const CONSTRAINT = /^SQLITE_CONSTRAINT/;

/**
 * An `OutageError` where the disk or another writer is at fault, a `ConstraintError` for a row that contradicts others, else
 * the same error: a fault of ours.
 */
export function toOutage(error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error;
  if (BUSY.test(error.code))
    return new BusyError('another process is writing to the database', { cause: error });
  if (CONSTRAINT.test(error.code))
    return new ConstraintError(`the database refuses a row: ${error.message}`, { cause: error });
  if (!OUTAGE.test(error.code)) return error;
  return new OutageError(`the database cannot be used: ${error.message}`, { cause: error });
}
