import { BusyError, ConstraintError, DamageError, DiskFullError, OutageError } from '@larder/core/errors.ts';
import pg from 'pg';

/**
 * Classes of SQLSTATE that say that the database, not the statement, is at fault: connection, resources, intervention
 * of an operator (a shutdown or a time-out), system. See appendix A of PostgreSQL's documentation.
 */
const OUTAGE_CLASSES = ['08', '53', '57', '58'];
/** `read_only_sql_transaction`, from a server that became a standby, and `idle_in_transaction_session_timeout`. */
const OUTAGE_CODES = ['25006', '25P03'];
/** `query_canceled`: PostgreSQL itself ended a slow statement, so it is available. */
const CANCELED = '57014';
/** Class `integrity_constraint_violation`. */
const CONTRADICTION = '23';
/** Class `transaction_rollback`: a deadlock or a serialization failure, which another attempt may avoid. */
const ROLLED_BACK = '40';

const DISK_FULL = '53100';
/** `undefined_table` and `undefined_column`. */
const UNKNOWN_NAMES = ['42P01', '42703'];
/** `data_corrupted` and `index_corrupted`. */
const DAMAGE = ['XX001', 'XX002'];

/** True also for errors without a SQLSTATE: the statement never reached PostgreSQL, or the connection was lost. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true;
  const code = error.code ?? '';
  return OUTAGE_CLASSES.includes(code.slice(0, 2)) || OUTAGE_CODES.includes(code);
}

/** Makes an outage of any failure to connect, including a refused password: no statement can be the cause. */
export function toUnreachable(cause: NodeJS.ErrnoException): OutageError {
  // An error that covers several addresses has a code but no message.
  return new OutageError(`no connection to PostgreSQL: ${cause.message || cause.code}`, { cause });
}

/** Whether a statement names a table or column that is not there: a newer version has changed the tables, or the statement is wrong. */
export function namesNothing(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && UNKNOWN_NAMES.includes(error.code ?? '');
}

/** Whether PostgreSQL ended a statement that exceeded its time limit. */
function isCut(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === CANCELED;
}

/** Whether another transaction was first, so that this one was rolled back and another attempt may succeed. */
export function wasRolledBack({ cause }: Error): boolean {
  return cause instanceof pg.DatabaseError && cause.code?.startsWith(ROLLED_BACK) === true;
}

/**
 * An `OutageError` if PostgreSQL does not answer, took too long or preferred another transaction, a
 * `ConstraintError` for a row that conflicts with others, else the same error: a defect of this program.
 */
export function toOutage(error: Error): Error {
  if (error instanceof pg.DatabaseError && error.code?.startsWith(ROLLED_BACK))
    return new BusyError(`PostgreSQL let another transaction go first: ${error.message}`, { cause: error });
  if (error instanceof pg.DatabaseError && error.code?.startsWith(CONTRADICTION))
    return new ConstraintError(`PostgreSQL refuses a row: ${error.message}`, { cause: error });
  if (error instanceof pg.DatabaseError && error.code === DISK_FULL)
    return new DiskFullError(`the disk of PostgreSQL is full: ${error.message}`, { cause: error });
  if (error instanceof pg.DatabaseError && DAMAGE.includes(error.code ?? ''))
    return new DamageError(`the database in PostgreSQL is damaged: ${error.message}`, { cause: error });
  if (isCut(error)) return new BusyError(`PostgreSQL took too long: ${error.message}`, { cause: error });
  if (!isOutage(error) || error instanceof OutageError) return error;
  return new OutageError(`PostgreSQL does not answer: ${error.message}`, { cause: error });
}
