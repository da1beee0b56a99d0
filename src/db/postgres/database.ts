import { OutageError } from '@larder/core/errors.ts';
import type { ChangeHints } from '../change-hints.ts';
import { POSTGRES } from '../dialect.ts';
import type { Queries, SqlText } from '../sql.ts';
import type { SqlDatabase } from '../sql-database.ts';
import type { Write } from '../writer.ts';
import { namesNothing } from './database-outage.ts';
import type { DatabasePool } from './database-pool.ts';
import { PoolWriter } from './pool-writer.ts';
import { SchemaWatch } from './schema-watch.ts';

/** Adapts a pool to the interface of stores that SQLite shares. */
export function toSql(pool: DatabasePool, hints?: Pick<ChangeHints, 'raise'>): SqlDatabase {
  const schema = new SchemaWatch(pool);
  // Here the connection of the statement is free again, so that the watch gets one.
  const explain = async (error: unknown): Promise<never> => {
    if (!namesNothing(error) || !(await schema.isOther())) throw error;
    throw new OutageError(`the tables are those of another version: ${error.message}`, { cause: error });
  };
  const queries = toQueries(pool);
  const writer = new PoolWriter({ pool, hints });
  return {
    db: { all: <Row>(text: SqlText) => queries.all<Row>(text).catch(explain) },
    writer: { write: <Row>(write: Write) => writer.write<Row>(write).catch(explain) },
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
