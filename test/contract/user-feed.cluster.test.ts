import { describe, expect, onTestFinished, test } from 'vitest';
import { ChangeHints } from '../../src/db/change-hints.ts';
import { CHANGES_CHANNEL, ChangeNotices, receiveNotice } from '../../src/db/postgres/change-notices.ts';
import { toSql } from '../../src/db/postgres/database.ts';
import type { DatabaseConnection } from '../../src/db/postgres/database-connection.ts';
import { DatabaseListener } from '../../src/db/postgres/database-listener.ts';
import type { DatabasePool } from '../../src/db/postgres/database-pool.ts';
import { PoolWriter } from '../../src/db/postgres/pool-writer.ts';
import { raw, sql } from '../../src/db/sql.ts';
import type { FeedChange } from '../../src/diary/feed/user-feed.ts';
import { DiaryStore } from '../../src/diary/store/diary-store.ts';
import { newEntry } from '../support/diary-entries.ts';
import { hasPostgres, openPatientPool, openPostgresUrl } from '../support/postgres.ts';
import { FeedNode, type FeedThread, userFeedContract } from './user-feed.ts';

/** A node that sends and receives notifications of writes. */
async function openNode(url: string): Promise<FeedThread & { pool: DatabasePool; close(): Promise<void> }> {
  const pool = openPatientPool(url);
  const hints = new ChangeHints({ memory: ChangeHints.createMemory() });
  const unexpected = (cause: unknown) => {
    throw cause;
  };
  const notify = (channel: string, payload: string) => pool.notify(channel, payload);
  const notices = new ChangeNotices({ hints, notify, onError: unexpected });
  const listener = new DatabaseListener({
    url,
    channels: { [CHANGES_CHANNEL]: (payload) => receiveNotice(payload, hints) },
    onListening: () => {},
    onCut: unexpected,
  });
  await listener.open();
  const sql = toSql(pool, notices);
  return {
    pool,
    sql,
    hints,
    diary: new DiaryStore(sql),
    close: async () => {
      await notices.send();
      await listener.close();
      await pool.end();
    },
  };
}

describe.skipIf(!hasPostgres)('where PostgreSQL is installed', () => {
  userFeedContract('cluster', async () => {
    const url = await openPostgresUrl();
    const [here, there] = await Promise.all([openNode(url), openNode(url)]);
    return {
      here,
      there,
      close: async () => {
        await Promise.all([here.close(), there.close()]);
      },
    };
  });

  test('a transaction that stays open hides nothing from a reader', async () => {
    const url = await openPostgresUrl();
    const [here, there] = await Promise.all([openNode(url), openNode(url)]);
    onTestFinished(async () => {
      await Promise.all([here.close(), there.close()]);
    });
    const owner = { tenant: 'acme', userId: 'ann' };
    const begun = newEntry();
    await there.diary.addEntries(owner, [begun]);
    const reader = new FeedNode(there);
    const { cursor } = await reader.page(owner, undefined);

    const [committing, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = new PoolWriter({ pool: holding(here.pool, committing.resolve, mayCommit.promise) });
    const [first, second] = [newEntry(), newEntry()];
    const writingFirst = held.write({
      statements: [{ name: 'first', sql: 'select 1', runs: [[]] }],
      lock: { name: 'held' },
      change: { ...owner, kind: 'entry', ids: [first.id], isDeleted: true },
    });
    await committing.promise;
    const writingSecond = there.diary.addEntries(owner, [second]);
    const others = { ...owner, userId: 'bob' };
    await there.diary.addEntries(others, [newEntry()]);
    expect((await reader.page(others, undefined)).changes).toHaveLength(1);
    const during = await reader.page(owner, cursor);
    expect(during.changes).toEqual([]);
    mayCommit.resolve();
    await Promise.all([writingFirst, writingSecond]);
    const after = await reader.page(owner, during.cursor);
    expect((after.changes as FeedChange[]).map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  test('an erasure waits for the first write of its user, and leaves no head of the log', async () => {
    const url = await openPostgresUrl();
    const [here, there] = await Promise.all([openNode(url), openNode(url)]);
    onTestFinished(async () => {
      await Promise.all([here.close(), there.close()]);
    });
    const owner = { tenant: 'acme', userId: 'ann' };
    const [committing, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = new PoolWriter({ pool: holding(here.pool, committing.resolve, mayCommit.promise) });
    const writing = held.write({
      statements: [{ name: 'first', sql: 'select 1', runs: [[]] }],
      lock: { name: 'held' },
      change: { ...owner, kind: 'entry', ids: [newEntry().id], isDeleted: true },
    });
    await committing.promise;
    const erasing = there.diary.eraseUser(owner);
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(() => waiting.all(here.sql.db)).toHaveLength(1);
    mayCommit.resolve();
    await Promise.all([writing, erasing]);
    for (const table of ['change_heads', 'changes'])
      expect([table, await sql`select 1 from ${raw(table)}`.all(here.sql.db)]).toEqual([table, []]);
  });
});

/** A pool whose transactions wait before they commit. */
function holding(
  pool: DatabasePool,
  onCommit: () => void,
  mayCommit: Promise<void>,
): Pick<DatabasePool, 'connect' | 'query'> {
  return {
    query: (...asked) => pool.query(...asked),
    async connect() {
      const connection = await pool.connect();
      const run = connection.run.bind(connection);
      connection.run = (async (statement: Parameters<DatabaseConnection['run']>[0]) => {
        if (statement.text === 'commit') {
          onCommit();
          await mayCommit;
        }
        return run(statement);
      }) as typeof connection.run;
      return connection;
    },
  };
}
