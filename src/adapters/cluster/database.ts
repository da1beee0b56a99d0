import { Kysely, PostgresDialect, sql } from 'kysely';
import type { SqlDatabase } from '../sql/sql-database.ts';
import type { Tables } from '../sql/tables.ts';
import type { DatabasePool } from './database-pool.ts';

export type Database = Kysely<Tables>;

/** Takes the pool over: `destroy()` ends it. */
export function toDatabase(pool: DatabasePool): Database {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** `alone` takes a lock on the table, which excludes other writers but not readers. */
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
