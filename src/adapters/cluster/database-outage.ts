import pg from 'pg';
import { OutageError } from '../../errors.ts';

/**
 * Classes of SQLSTATE that say that the database, not the statement, is at fault: connection, resources, intervention
 * of an operator (a shutdown or a time-out), system. See appendix A of PostgreSQL's documentation.
 */
const OUTAGE_CLASSES = ['08', '53', '57', '58'];
/** A server that became a standby refuses to write; and one ends a transaction in which nothing happens. */
const OUTAGE_CODES = ['25006', '25P03'];

/** An error without a SQLSTATE never reached PostgreSQL, or lost it on the way. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return true;
  const code = error.code ?? '';
  return OUTAGE_CLASSES.includes(code.slice(0, 2)) || OUTAGE_CODES.includes(code);
}

/** Whatever keeps a connection from being made, a refused password as well: no statement can be at fault. */
export function toUnreachable(cause: NodeJS.ErrnoException): OutageError {
  // Where a name has several addresses, what came of all of them has a code alone.
  return new OutageError(`no connection to PostgreSQL: ${cause.message || cause.code}`, { cause });
}

/** The same error, or an `OutageError` where PostgreSQL does not answer. */
export function toOutage(error: Error): Error {
  if (!isOutage(error) || error instanceof OutageError) return error;
  return new OutageError(`PostgreSQL does not answer: ${error.message}`, { cause: error });
}
