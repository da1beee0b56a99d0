import { Kysely, PostgresDialect, sql } from 'kysely';
import type { SqlDatabase } from '../sql-database.ts';
import type { Tables } from '../tables.ts';
import type { DatabasePool } from './database-pool.ts';

export type Database = Kysely<Tables>;

/** Takes the pool over: `destroy()` ends it. */
export function toDatabase(pool: DatabasePool): Database {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/**
 * `alone` takes a lock on the table, which excludes other writers but not readers; `oneAtATime` takes a lock on the name,
 * of which PostgreSQL keeps a hash. The statement sees what was committed before it got the lock.
 */
export function toSql(db: Database): SqlDatabase {
  return {
    db,
    locksRows: true,
    alone: (table, statement) =>
      db.transaction().execute(async (transaction) => {
        await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(transaction);
        return await statement(transaction);
      }),
    oneAtATime: (name, statement) =>
      db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
        return await statement(transaction);
      }),
  };
}
