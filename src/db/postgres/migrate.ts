import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '@larder/core/errors.ts';
import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import type { ClusterConfig } from '../../config/config.ts';
import type { DatabaseLimits } from './database-connection.ts';
import { wasRolledBack } from './database-outage.ts';
import { DatabasePool } from './database-pool.ts';
import { MIGRATIONS } from './migrations/migrations.ts';

type Migrations = Readonly<Record<string, Migration>>;

/** The number of Kysely's own lock, so that nodes of older versions, which take that one, wait for it too. */
const MIGRATION_LOCK = '3853314791062309107';

/** How long a step waits for a table that is in use. Kept short, since all later queries queue up behind it. */
const LOCK_TIMEOUT_MS = 2_000;
/** How long it then lets others go first before it tries again. */
const LOCK_PAUSE_MS = 500;
/** SQLSTATE `lock_not_available`. */
const LOCK_TIMED_OUT = '55P03';

/**
 * Brings the tables of the PostgreSQL database at this address up to date, one transaction for each migration, while
 * other nodes use it. Nodes that start together take turns, and one that dies midway leaves the rest to the others.
 * Statements get a long time-out, since one may build an index over everything. Throws an `OperatorError` when the
 * database cannot be reached or used.
 */
export async function migrateDatabase(
  url: string,
  limits: DatabaseLimits,
  migrations: Migrations = MIGRATIONS,
): Promise<void> {
  const pool = new DatabasePool({ url, connections: 1, limits });
  const db = new Kysely<unknown>({ dialect: new MigrationDialect({ pool }) });
  const givenUpAtMs = performance.now() + limits.statementTimeoutMs;
  try {
    for (;;) {
      try {
        if (await isUpToDateAfterStep(db, migrations)) return;
      } catch (error) {
        if (!isLockRefused(error) || performance.now() > givenUpAtMs) throw error;
        await sleep(LOCK_PAUSE_MS);
      }
    }
  } catch (error) {
    throw unusable(error);
  } finally {
    await db.destroy();
  }
}

/** Runs one migration, or all where the database is new and nobody uses it yet. True once nothing is left to run. */
function isUpToDateAfterStep(db: Kysely<unknown>, migrations: Migrations): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    // A lock of the transaction, since behind a pooler no session could hold one.
    await sql`select pg_advisory_xact_lock(${sql.raw(MIGRATION_LOCK)})`.execute(transaction);
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(transaction);
    const { rows } = await sql<{
      isNew: boolean;
    }>`select to_regclass('kysely_migration') is null as "isNew"`.execute(transaction);
    const provider = { getMigrations: async () => ({ ...migrations }) };
    const migrator = new Migrator({ db: transaction, provider });
    const isNew = rows[0]!.isNew;
    const { error, results = [] } = await (isNew ? migrator.migrateToLatest() : migrator.migrateUp());
    if (error !== undefined) throw error;
    return isNew || results.length === 0;
  });
}

/** A lock timed out, or others that wait for this migration's tables hold one that it needs. */
function isLockRefused(error: unknown): boolean {
  if (error instanceof pg.DatabaseError && error.code === LOCK_TIMED_OUT) return true;
  return error instanceof Error && wasRolledBack(error);
}

/** Without Kysely's own lock, which is one of the session and would not work behind a pooler. */
class UnlockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class MigrationDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new UnlockedAdapter();
  }
}

function unusable(cause: unknown): OperatorError {
  const reason = cause instanceof Error ? cause.message || (cause as { code?: string }).code : String(cause);
  const advice = reason?.includes('previously executed migration')
    ? 'It was brought up to date by a newer Larder; start that version here too.'
    : 'Check LARDER_DATABASE_URL, and that its user may create tables.';
  return new OperatorError(`The PostgreSQL database cannot be used: ${reason}. ${advice}`, { cause });
}

/** Brings the tables of a cluster up to date; see `migrateDatabase`. */
export function migrate({ database, secrets }: Pick<ClusterConfig, 'database' | 'secrets'>): Promise<void> {
  const { waitTimeoutMs, migrationTimeoutMs: statementTimeoutMs } = database;
  return migrateDatabase(secrets.databaseUrl, { waitTimeoutMs, statementTimeoutMs });
}
