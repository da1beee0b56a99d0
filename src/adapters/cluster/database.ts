import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import { OperatorError } from '../../errors.ts';
import type { SqlDatabase } from '../sql/sql-database.ts';
import type { Tables } from '../sql/tables.ts';
import { MIGRATIONS } from './migrations/migrations.ts';
import { reportOutages } from './outage-pool.ts';

export type Database = Kysely<Tables>;

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** A migration may build an index over everything, while the other nodes wait for it. */
const MIGRATION_TIMEOUT_MS = 30 * 60_000;
/** One holds the lock that lets one node migrate at a time. */
const MIGRATION_CONNECTIONS = 2;
const DEFAULT_CONNECTIONS = 10;

export interface PoolInit {
  readonly url: string;
  /** Connections at most; further queries wait for one, up to `CONNECT_TIMEOUT_MS`. */
  readonly connections?: number;
  readonly statementTimeoutMs?: number;
}

/**
 * Brings the tables of the PostgreSQL database at this address up to date; nodes that start together wait for the one
 * that does. Throws an `OperatorError` when it cannot be reached or used.
 */
export async function migrateDatabase(url: string): Promise<void> {
  const connections = MIGRATION_CONNECTIONS;
  const db = toDatabase(openPool({ url, connections, statementTimeoutMs: MIGRATION_TIMEOUT_MS }));
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw unusable(error);
  } finally {
    await db.destroy();
  }
}

/** Connections to the database at this address, made when they are needed. Close it with `end()`. */
export function openPool({
  url,
  connections = DEFAULT_CONNECTIONS,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
}: PoolInit): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    // What PostgreSQL lists them as.
    application_name: 'larder',
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
    types: { getTypeParser },
  });
  // An idle connection that breaks is replaced by the pool; whoever uses one next hears of it there.
  pool.on('error', () => {});
  // Of one in use the pool takes no notice, and a broken one with nobody listening would end the thread.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Takes the pool over: `destroy()` ends it. */
export function toDatabase(pool: pg.Pool): Database {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: reportOutages(pool) }) });
}

/** A statement that must not meet another one takes the table's lock; readers go on. */
export function toSql(db: Database): SqlDatabase {
  return {
    db,
    locksRows: true,
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

function unusable(cause: unknown): OperatorError {
  const reason = cause instanceof Error ? cause.message || (cause as { code?: string }).code : String(cause);
  const advice = reason?.includes('previously executed migration')
    ? 'It was brought up to date by a newer Larder; start that version here too.'
    : 'Check LARDER_DATABASE_URL, and that its user may create tables.';
  return new OperatorError(`The PostgreSQL database cannot be used: ${reason}. ${advice}`, { cause });
}
