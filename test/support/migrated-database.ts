import { migrateDatabase } from '../../src/db/postgres/migrate.ts';
import { DATABASE_LIMITS } from './database-limits.ts';
import { createDatabase } from './postgres-server.ts';

/** The address of a new database with all tables, on the server of this folder. */
export async function createMigratedDatabase(folder: string): Promise<string> {
  const url = await createDatabase(folder);
  await migrateDatabase(url, DATABASE_LIMITS);
  return url;
}
