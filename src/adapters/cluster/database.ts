import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { OperatorError } from '../../errors.ts';
import type { SqlDatabase } from '../sql/sql-database.ts';
import type { Tables } from '../sql/tables.ts';
import { MIGRATIONS } from './migrations/migrations.ts';

export type Database = Kysely<Tables>;

const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * Opens the PostgreSQL database at this address and brings its tables up to date; nodes that start together wait
 * for the one that does. Close it with `destroy()`. Throws an `OperatorError` when it cannot be reached or used.
 */
export async function openDatabase({ url }: { url: string }): Promise<Database> {
  const pool = openPool(url);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return db;
  await db.destroy();
  const reason = error instanceof Error ? error.message : String(error);
  throw new OperatorError(`The PostgreSQL database cannot be used: ${reason}`, { cause: error });
}

/** Connections to the database at this address, made when they are needed. Close it with `end()`. */
export function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    types: { getTypeParser },
  });
  // An idle connection that breaks is replaced by the pool; whoever uses one next hears of it there.
  pool.on('error', () => {});
  return pool;
}

/** A statement that must not meet another one takes the table's lock; readers go on. */
export function toSql(db: Database): SqlDatabase {
  return {
    db,
    alone: (table, statement) =>
      db.transaction().execute(async (transaction) => {
        await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(transaction);
        return await statement(transaction);
      }),
  };
}

/** Times fit a number long past anybody's lifetime, so 64-bit integers need not come as text. */
function getTypeParser(id: number, format?: 'text' | 'binary') {
  return id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format);
}
