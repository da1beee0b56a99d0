import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { toSql } from '../../src/db/postgres/database.ts';
import { DatabasePool } from '../../src/db/postgres/database-pool.ts';
import { DATABASE_LIMITS } from '../support/database-limits.ts';
import { PATIENCE } from '../support/patience.ts';
import { hasPostgres, postgresFolder } from '../support/postgres.ts';
import { createDatabase } from '../support/postgres-server.ts';

const insertInto = (table: string) => ({
  name: `into-${table}`,
  sql: `insert into ${table} select $1 where true`,
  runs: [['x']],
});

describe.skipIf(!hasPostgres)('where PostgreSQL is installed', () => {
  test('a write that PostgreSQL rolls back in a deadlock is repeated', async () => {
    const url = await createDatabase(postgresFolder());
    const other = new pg.Client(url);
    await other.connect();
    await other.query('create table first_table (id text); create table second_table (id text)');
    const pool = new DatabasePool({ url, limits: DATABASE_LIMITS });
    const { writer } = toSql(pool);

    await other.query('begin; lock table second_table');
    const writing = writer.write({ statements: [insertInto('first_table'), insertInto('second_table')] });
    const waiting = "select from pg_locks where not granted and relation = 'second_table'::regclass";
    await vi.waitFor(async () => expect((await other.query(waiting)).rowCount).toBe(1), PATIENCE);
    // Each transaction now waits for the other. PostgreSQL ends the one that waits longer, which on a slow
    // machine may be this one.
    await other.query('lock table first_table; commit').catch(() => other.query('rollback'));

    await writing;
    for (const table of ['first_table', 'second_table'])
      expect((await other.query(`select id from ${table}`)).rows).toEqual([{ id: 'x' }]);
    await Promise.all([other.end(), pool.end()]);
  });
});
