import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { OperatorError } from '../../errors.ts';
import type { Tables } from '../sql/tables.ts';
import type { DatabaseLimits } from './database-connection.ts';
import { DatabasePool } from './database-pool.ts';
import { MIGRATIONS } from './migrations/migrations.ts';

/** The number that Kysely's own lock has, so that a node of an older version waits for it too. */
const MIGRATION_LOCK = '3853314791062309107';

/**
 * Brings the tables of the PostgreSQL database at this address up to date; nodes that start together wait for the one
 * that does. A statement has long: it may build an index over everything. Throws an `OperatorError` when the database
 * cannot be reached or used.
 */
export async function migrateDatabase(url: string, limits: DatabaseLimits): Promise<void> {
  const pool = new DatabasePool({ url, connections: 1, limits });
  const db = new Kysely<Tables>({ dialect: new MigrationDialect({ pool }) });
  try {
    // The lock ends with the transaction: behind a pooler there is no session that could hold it.
    await db.transaction().execute(async (transaction) => {
      await sql`select pg_advisory_xact_lock(${sql.raw(MIGRATION_LOCK)})`.execute(transaction);
      const provider = { getMigrations: async () => ({ ...MIGRATIONS }) };
      const { error } = await new Migrator({ db: transaction, provider }).migrateToLatest();
      if (error !== undefined) throw error;
    });
  } catch (error) {
    throw unusable(error);
  } finally {
    await db.destroy();
  }
}

/** Kysely's lock belongs to a session. */
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
