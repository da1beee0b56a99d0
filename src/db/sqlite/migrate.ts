import type Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { loadMigrations } from './migrations/migrations.ts';

/**
 * Kysely's own lock does nothing on SQLite, so the migrations run under the write lock: of processes that start together
 * one migrates and the others find it done. A failed migration leaves nothing behind.
 */
export async function migrate(sqlite: Sqlite.Database): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: sqlite }) });
  const migrator = new Migrator({ db, provider: { getMigrations: loadMigrations } });
  sqlite.exec('begin immediate');
  const { error } = await migrator.migrateToLatest();
  sqlite.exec(error === undefined ? 'commit' : 'rollback');
  if (error !== undefined) throw error;
}
