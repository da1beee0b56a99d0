import { BusyError, ConstraintError, DamageError, DiskFullError, OutageError } from '@larder/core/errors.ts';
import Sqlite from 'better-sqlite3';

// Result codes; extended codes begin with them: sqlite.org/rescode.html

/** Codes of faults of the disk, the file or the memory. */
const OUTAGE = /^SQLITE_(IOERR|READONLY|CANTOPEN|NOMEM|PROTOCOL|NOLFS)/;
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB)/;
const DISK_FULL = /^SQLITE_FULL/;
/** Codes for another writer that continues for longer than a statement waits. */
const BUSY = /^SQLITE_(BUSY|LOCKED)/;
/** Codes of rows that conflict with others. */
const CONSTRAINT = /^SQLITE_CONSTRAINT/;

/**
 * An `OutageError` for a fault of the disk (full and damaged ones of their own kinds) or another writer, a `ConstraintError` for a row that conflicts
 * with others, else the same error: a defect of this program.
 */
export function toOutage(error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error;
  if (BUSY.test(error.code))
    return new BusyError('another process is writing to the database', { cause: error });
  if (CONSTRAINT.test(error.code))
    return new ConstraintError(`the database refuses a row: ${error.message}`, { cause: error });
  if (DAMAGE.test(error.code))
    return new DamageError(`the database is damaged: ${error.message}`, { cause: error });
  if (DISK_FULL.test(error.code))
    return new DiskFullError(`the disk of the database is full: ${error.message}`, { cause: error });
  if (!OUTAGE.test(error.code)) return error;
  return new OutageError(`the database cannot be used: ${error.message}`, { cause: error });
}
