import { describe } from 'vitest';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { ScanStore } from '../../src/scan/jobs/scan-store.ts';
import { hasPgbouncer, hasPostgres, openPooledTwice, openPostgresTwice } from '../support/postgres.ts';
import { scanStoreContract } from './scan-store.ts';
import { scanTurnsContract } from './scan-turns.ts';

const open = (sql: SqlDatabase) => new ScanStore(sql);

describe.skipIf(!hasPostgres)('where PostgreSQL is installed', () => {
  scanStoreContract('PostgreSQL', () => openPostgresTwice(open));
  scanTurnsContract('PostgreSQL', () => openPostgresTwice(open));
});

describe.skipIf(!hasPgbouncer)('where pgbouncer is installed', () => {
  scanStoreContract('PostgreSQL through pgbouncer', () => openPooledTwice(open));
});
