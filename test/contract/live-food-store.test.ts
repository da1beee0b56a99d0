import { describe } from 'vitest';
import { SqlLiveFoodStore } from '../../src/adapters/sql/live-food-store.ts';
import type { SqlDatabase } from '../../src/adapters/sql/sql-database.ts';
import { hasPgbouncer, openPooledTwice, openPostgresTwice, postgresPrograms } from '../support/postgres.ts';
import { openTwice } from '../support/sqlite.ts';
import { liveFoodStoreContract } from './live-food-store.ts';

const open = (sql: SqlDatabase) => new SqlLiveFoodStore(sql);

liveFoodStoreContract('SQLite', () => openTwice(open));

describe.skipIf(postgresPrograms === undefined)('where PostgreSQL is installed', () => {
  liveFoodStoreContract('PostgreSQL', () => openPostgresTwice(open));
});

describe.skipIf(!hasPgbouncer)('where pgbouncer is installed', () => {
  liveFoodStoreContract('PostgreSQL through pgbouncer', () => openPooledTwice(open));
});
