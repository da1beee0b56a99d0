import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { IdempotencyStore } from '../../src/idempotency/idempotency-store.ts';
import { hasPgbouncer, hasPostgres, openPooledTwice, openPostgresTwice } from '../support/postgres.ts';
import { idempotencyStoreContract } from './idempotency-store.ts';

const open = (sql: SqlDatabase) => new IdempotencyStore({ ...sql, createClaimId: randomUUID });

describe.skipIf(!hasPostgres)('where PostgreSQL is installed', () => {
  idempotencyStoreContract('PostgreSQL', () => openPostgresTwice(open));
});

describe.skipIf(!hasPgbouncer)('where pgbouncer is installed', () => {
  idempotencyStoreContract('PostgreSQL through pgbouncer', () => openPooledTwice(open));
});
