import { afterAll, beforeAll } from 'vitest';
import { toSql } from '../../src/db/postgres/database.ts';
import { DatabasePool } from '../../src/db/postgres/database-pool.ts';
import { migrateDatabase } from '../../src/db/postgres/migrate.ts';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { DATABASE_LIMITS } from './database-limits.ts';
import { createMigratedDatabase } from './migrated-database.ts';
import { findPgbouncer, type Pgbouncer, startPgbouncer } from './pgbouncer.ts';
import { createDatabase, findPostgres, startPostgres, stopPostgres } from './postgres-server.ts';

/** The folder of PostgreSQL's programs; undefined if it is not installed. */
export const postgresPrograms = findPostgres();
if (postgresPrograms === undefined) {
  process.stderr.write('PostgreSQL is not installed; its adapters are not tested here.\n');
}

/** Whether pgbouncer is available. */
export const hasPgbouncer = postgresPrograms !== undefined && findPgbouncer() !== undefined;
if (!hasPgbouncer) {
  process.stderr.write('pgbouncer is not installed; what goes through a pooler is not tested here.\n');
}

let folder: string | undefined;
let pgbouncer: Pgbouncer | undefined;

/** Options for connections that wait as long as needed. */
export function openPatientPool(url: string): DatabasePool {
  return new DatabasePool({ url, limits: DATABASE_LIMITS });
}

/** A database on the test file's server, opened with two pools and a store on each. */
export async function openPostgresTwice<Store>(toStore: (sql: SqlDatabase, pool: DatabasePool) => Store) {
  return openTwice(await createDatabase(folder!), toStore);
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

/** The address of a database with all tables, on the server of the test file. */
export function openPostgresUrl(): Promise<string> {
  return createMigratedDatabase(folder!);
}

/** Opens a database and returns its URL at pgbouncer. */
export async function openPooledUrl(): Promise<string> {
  const url = await createPooledDatabase();
  await migrateDatabase(url, DATABASE_LIMITS);
  return url;
}

/** The address of the same database through the pgbouncer of the test file. */
export async function throughPgbouncer(url: string): Promise<string> {
  pgbouncer ??= await startPgbouncer(folder!);
  return pgbouncer.through(url);
}

/** Returns the folder of the socket of the test file's server. */
export function postgresFolder(): string {
  return folder!;
}

async function createPooledDatabase(): Promise<string> {
  return throughPgbouncer(await createDatabase(folder!));
}

if (postgresPrograms !== undefined) {
  beforeAll(() => {
    folder = startPostgres();
  });
  afterAll(async () => {
    await pgbouncer?.close();
    stopPostgres(folder!);
  });
}
