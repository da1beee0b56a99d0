import Sqlite from 'better-sqlite3';
import type { SqliteDatabase } from 'kysely';
import { BusyError, OutageError } from '../../errors.ts';

/** Result codes, extended ones begin alike, that say that the disk and not the statement is at fault: sqlite.org/rescode.html */
const OUTAGE = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/;
/** Another process went on writing for longer than a statement waits. */
const BUSY = /^SQLITE_BUSY/;

/** The same database, as Kysely uses it, whose full or failing disk is an `OutageError`. */
export function withOutages(sqlite: Sqlite.Database): SqliteDatabase {
  return {
    close: () => sqlite.close(),
    prepare(sql) {
      const statement = orOutage(() => sqlite.prepare<unknown[]>(sql));
      return {
        reader: statement.reader,
        all: (parameters) => orOutage(() => statement.all(parameters)),
        run(parameters) {
          // A full disk has ended the transaction already; the error that did it is the one to tell.
          if (sql === 'rollback' && !sqlite.inTransaction) return { changes: 0, lastInsertRowid: 0 };
          return orOutage(() => statement.run(parameters));
        },
        iterate: (parameters) => statement.iterate(parameters),
      };
    },
  };
}

function orOutage<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw toOutage(error);
  }
}

function toOutage(error: unknown): unknown {
  if (!(error instanceof Sqlite.SqliteError)) return error;
  if (BUSY.test(error.code))
    return new BusyError('another process is writing to the database', { cause: error });
  if (!OUTAGE.test(error.code)) return error;
  return new OutageError(`the database cannot be used: ${error.message}`, { cause: error });
}
