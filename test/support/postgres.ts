import { afterAll, beforeAll } from 'vitest';
import { migrateDatabase, openPool, toDatabase, toSql } from '../../src/adapters/cluster/database.ts';
import type { SqlDatabase } from '../../src/adapters/sql/sql-database.ts';
import { createDatabase, findPostgres, startPostgres, stopPostgres } from './postgres-server.ts';

/** The folder of PostgreSQL's programs, or undefined where it is not installed. */
export const postgresPrograms = findPostgres();
if (postgresPrograms === undefined) {
  process.stderr.write('PostgreSQL is not installed; its adapters are not tested here.\n');
}

let folder: string | undefined;

/** A database of its own on a server of the test file's own, opened on two pools, with a store on each. */
export async function openPostgresTwice<Store>(toStore: (sql: SqlDatabase) => Store) {
  const url = await createDatabase(folder!);
  // Together, as two nodes start.
  await Promise.all([migrateDatabase(url), migrateDatabase(url)]);
  const databases = [toDatabase(openPool({ url })), toDatabase(openPool({ url }))];
  const [store, other] = databases.map((db) => toStore(toSql(db)));
  return {
    store: store!,
    other: other!,
    async close() {
      await Promise.all(databases.map((db) => db.destroy()));
    },
  };
}

/** The address of a database with all tables, on the server of the test file. */
export async function openPostgresUrl(): Promise<string> {
  const url = await createDatabase(folder!);
  await migrateDatabase(url);
  return url;
}

if (postgresPrograms !== undefined) {
  beforeAll(() => {
    folder = startPostgres();
  });
  afterAll(() => stopPostgres(folder!));
}
