import { type Queries, sql } from '../../src/db/sql.ts';

/** Does work on a SQLite connection in one transaction, which waits for the disk once. */
export async function inOneTransaction(
  { db }: { readonly db: Queries },
  work: () => Promise<void>,
): Promise<void> {
  await sql`begin immediate`.all(db);
  await work();
  await sql`commit`.all(db);
}
