import { inject } from 'vitest';
import { toSql } from '../../src/db/postgres/database.ts';
import { DatabasePool } from '../../src/db/postgres/database-pool.ts';
import { migrateDatabase } from '../../src/db/postgres/migrate.ts';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { DATABASE_LIMITS } from './database-limits.ts';
import { createMigratedDatabase } from './migrated-database.ts';
import { createDatabase, onServer } from './postgres-server.ts';

const servers = inject('cluster');

/** Whether the run has a PostgreSQL server, and pgbouncer in front of it. */
export const hasPostgres = servers !== undefined;
export const hasPgbouncer = servers?.pgbouncer !== undefined;

/** Options for connections that wait as long as needed. */
export function openPatientPool(url: string): DatabasePool {
  return new DatabasePool({ url, limits: DATABASE_LIMITS });
}

/** A database on the run's server, opened with two pools and a store on each. */
export async function openPostgresTwice<Store>(toStore: (sql: SqlDatabase, pool: DatabasePool) => Store) {
  return openTwice(await createDatabase(postgresFolder()), toStore);
}

/** Opens two stores through pgbouncer in transaction mode, with fewer connections than requested. */
export async function openPooledTwice<Store>(toStore: (sql: SqlDatabase, pool: DatabasePool) => Store) {
  return openTwice(await createPooledDatabase(), toStore);
}

async function openTwice<Store>(url: string, toStore: (sql: SqlDatabase, pool: DatabasePool) => Store) {
  // Runs concurrently, like two starting nodes.
  await Promise.all([migrateDatabase(url, DATABASE_LIMITS), migrateDatabase(url, DATABASE_LIMITS)]);
  const pools = [openPatientPool(url), openPatientPool(url)];
  const [store, other] = pools.map((pool) => toStore(toSql(pool), pool));
  return {
    store: store!,
    other: other!,
    async close() {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

/** The address of a database with all tables, on the run's server. */
export function openPostgresUrl(): Promise<string> {
  return createMigratedDatabase(postgresFolder());
}

/** Opens a database and returns its URL at pgbouncer. */
export async function openPooledUrl(): Promise<string> {
  const url = await createPooledDatabase();
  await migrateDatabase(url, DATABASE_LIMITS);
  return url;
}

/** The address of the same database through the pgbouncer of the run. */
export function throughPgbouncer(url: string): string {
  return onServer(url, servers!.pgbouncer!);
}

/** The folder of the socket of the run's server. */
export function postgresFolder(): string {
  return servers!.postgres;
}

async function createPooledDatabase(): Promise<string> {
  return throughPgbouncer(await createDatabase(postgresFolder()));
}
