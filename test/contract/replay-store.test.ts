import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import { SqlReplayStore } from '../../src/adapters/sql/replay-store.ts';
import type { SqlDatabase } from '../../src/adapters/sql/sql-database.ts';
import { openPostgresTwice, postgresPrograms } from '../support/postgres.ts';
import { openTwice } from '../support/sqlite.ts';
import { replayStoreContract } from './replay-store.ts';

const open = (sql: SqlDatabase) => new SqlReplayStore({ ...sql, createClaimId: randomUUID });

replayStoreContract('SQLite', () => openTwice(open));

describe.skipIf(postgresPrograms === undefined)('where PostgreSQL is installed', () => {
  replayStoreContract('PostgreSQL', () => openPostgresTwice(open));
});
