import type { ChangeHints } from '../change-hints.ts';
import { POSTGRES } from '../dialect.ts';
import type { Queries, SqlText } from '../sql.ts';
import type { SqlDatabase } from '../sql-database.ts';
import type { DatabasePool } from './database-pool.ts';
import { PoolWriter } from './pool-writer.ts';

/** Adapts a pool to the interface of stores that SQLite shares. */
export function toSql(pool: DatabasePool, hints?: Pick<ChangeHints, 'raise'>): SqlDatabase {
  return {
    db: toQueries(pool),
    writer: new PoolWriter({ pool, hints }),
    dialect: POSTGRES,
  };
}

function toQueries(pool: DatabasePool): Queries {
  return {
    async all<Row>({ name, sql, values }: SqlText) {
      return (await pool.query({ ...(name !== undefined && { name }), text: sql, values })).rows as Row[];
    },
  };
}
