import { describe } from 'vitest';
import type { SqlDatabase } from '../../src/storage/sql-database.ts';
import { SqlLiveFoodStore } from '../../src/storage/tenant-food-store.ts';
import { hasPgbouncer, openPooledTwice, openPostgresTwice, postgresPrograms } from '../support/postgres.ts';
import { openTwice } from '../support/sqlite.ts';
import { liveFoodStoreContract } from './tenant-food-store.ts';

const open = (sql: SqlDatabase) => new SqlLiveFoodStore(sql);

liveFoodStoreContract('SQLite', () => openTwice(open));

describe.skipIf(postgresPrograms === undefined)('where PostgreSQL is installed', () => {
  liveFoodStoreContract('PostgreSQL', () => openPostgresTwice(open));
});

describe.skipIf(!hasPgbouncer)('where pgbouncer is installed', () => {
  liveFoodStoreContract('PostgreSQL through pgbouncer', () => openPooledTwice(open));
});
