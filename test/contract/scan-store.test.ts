import { describe } from 'vitest';
import { SqlScanStore } from '../../src/adapters/sql/scan-store.ts';
import type { SqlDatabase } from '../../src/adapters/sql/sql-database.ts';
import { hasPgbouncer, openPooledTwice, openPostgresTwice, postgresPrograms } from '../support/postgres.ts';
import { openTwice } from '../support/sqlite.ts';
import { scanStoreContract } from './scan-store.ts';

const open = (sql: SqlDatabase) => new SqlScanStore(sql);

scanStoreContract('SQLite', () => openTwice(open));

describe.skipIf(postgresPrograms === undefined)('where PostgreSQL is installed', () => {
  scanStoreContract('PostgreSQL', () => openPostgresTwice(open));
});

describe.skipIf(!hasPgbouncer)('where pgbouncer is installed', () => {
  scanStoreContract('PostgreSQL through pgbouncer', () => openPooledTwice(open));
});
