import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import { DiaryWriteClient } from '../../src/adapters/embedded/diary-write-client.ts';
import { toSqlThroughWriter } from '../../src/adapters/embedded/writer-dialect.ts';
import { SqlReplayStore } from '../../src/adapters/sql/replay-store.ts';
import type { SqlDatabase } from '../../src/adapters/sql/sql-database.ts';
import { openDiary } from '../support/open-diary.ts';
import { hasPgbouncer, openPooledTwice, openPostgresTwice, postgresPrograms } from '../support/postgres.ts';
import { openTwice } from '../support/sqlite.ts';
import { replayStoreContract } from './replay-store.ts';

const open = (sql: SqlDatabase) => new SqlReplayStore({ ...sql, createClaimId: randomUUID });

replayStoreContract('SQLite', () => openTwice(open));

replayStoreContract('SQLite through the one writer', async () => {
  const { writer, close } = await openDiary();
  const throughWriter = () => open(toSqlThroughWriter(new DiaryWriteClient({ port: writer.connect() })));
  return { store: throughWriter(), other: throughWriter(), close };
});

describe.skipIf(postgresPrograms === undefined)('where PostgreSQL is installed', () => {
  replayStoreContract('PostgreSQL', () => openPostgresTwice(open));
});

describe.skipIf(!hasPgbouncer)('where pgbouncer is installed', () => {
  replayStoreContract('PostgreSQL through pgbouncer', () => openPooledTwice(open));
});
