import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { OperatorError } from '../../errors.ts';
import { makeFolderSync } from '../../files/make-folder.ts';
import type { SqlDatabase, Tables } from '../sql-database.ts';
import { withOutages } from './database-outage.ts';
import { MIGRATIONS } from './migrations/migrations.ts';

export type Database = Kysely<Tables>;

/** A database for tests that one connection has to itself. */
export const IN_MEMORY = ':memory:';

/** How long a statement waits for another process or thread that is writing. */
const BUSY_TIMEOUT_MS = 5_000;
/** It holds diaries and signing keys. SQLite gives its -wal and -shm files the same mode. */
const OWNER_ONLY = 0o600;

/**
 * Opens the SQLite database, creates it when it is missing, and brings its tables up to date. Safe for several
 * processes and threads at once: WAL lets them read while one writes, and what is committed survives a power cut.
 * Close it with `destroy()`. Throws an `OperatorError` when the file cannot be used.
 */
export async function openDatabase({ file }: { file: string }): Promise<Database> {
  const sqlite = openSqlite(file);
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: withOutages(sqlite) }) });
  try {
    await migrate(sqlite, db);
    return db;
  } catch (cause) {
    await db.destroy();
    throw unusable(file, cause);
  }
}

/** For the stores that PostgreSQL shares. No statement needs a lock: SQLite has one writer at a time anyway. */
export function toSql(db: Database): SqlDatabase {
  const carryOut: SqlDatabase['oneAtATime'] = (_name, statement) => statement(db);
  const allOneAtATime: SqlDatabase['allOneAtATime'] = (_name, statements) =>
    db.transaction().execute(statements);
  return { db, locksRows: false, alone: carryOut, oneAtATime: carryOut, allOneAtATime };
}

function openSqlite(file: string): Sqlite.Database {
  try {
    makeFolderSync(dirname(file));
    if (file !== IN_MEMORY) closeSync(openSync(file, 'a', OWNER_ONLY));
    const sqlite = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS });
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    return sqlite;
  } catch (cause) {
    throw unusable(file, cause);
  }
}

/**
 * Kysely's own lock does nothing on SQLite, so the migrations run under the write lock: of processes that start together
 * one migrates and the others find it done. A failed migration leaves nothing behind.
 */
async function migrate(sqlite: Sqlite.Database, db: Database): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  sqlite.exec('begin immediate');
  const { error } = await migrator.migrateToLatest();
  sqlite.exec(error === undefined ? 'commit' : 'rollback');
  if (error !== undefined) throw error;
}

function unusable(file: string, cause: unknown): OperatorError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const advice = reason.includes('previously executed migration')
    ? 'It was written by a newer Larder; start that version, or choose another LARDER_DATA_DIR.'
    : 'Check the folder, its permissions and free space, or choose another LARDER_DATA_DIR.';
  return new OperatorError(`The database ${file} cannot be used: ${reason}. ${advice}`, { cause });
}
