import { randomUUID } from 'node:crypto';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { IdempotencyStore } from '../../src/idempotency/idempotency-store.ts';
import { openDiary } from '../support/open-diary.ts';
import { openTwice } from '../support/sqlite.ts';
import { idempotencyStoreContract } from './idempotency-store.ts';

const open = (sql: SqlDatabase) => new IdempotencyStore({ ...sql, createClaimId: randomUUID });

idempotencyStoreContract('SQLite', () => openTwice(open));

idempotencyStoreContract('SQLite through the one writer', async () => {
  const { openThread, close } = await openDiary();
  return { store: open(openThread().sql), other: open(openThread().sql), close };
});
