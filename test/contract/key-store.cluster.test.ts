import { describe } from 'vitest';
import { KeyStore } from '../../src/access/key-store.ts';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { hasPgbouncer, hasPostgres, openPooledTwice, openPostgresTwice } from '../support/postgres.ts';
import { keyStoreContract } from './key-store.ts';

const open = (sql: SqlDatabase) => new KeyStore(sql);

describe.skipIf(!hasPostgres)('where PostgreSQL is installed', () => {
  keyStoreContract('PostgreSQL', () => openPostgresTwice(open));
});

describe.skipIf(!hasPgbouncer)('where pgbouncer is installed', () => {
  keyStoreContract('PostgreSQL through pgbouncer', () => openPooledTwice(open));
});
