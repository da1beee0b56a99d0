import { sql } from 'kysely';
import type { QueryBuilder } from '../../src/storage/sql-database.ts';

/** Does work on a SQLite connection in one transaction, which waits for the disk once. */
export async function inOneTransaction(
  { db }: { readonly db: QueryBuilder },
  work: () => Promise<void>,
): Promise<void> {
  await sql`begin immediate`.execute(db);
  await work();
  await sql`commit`.execute(db);
}
