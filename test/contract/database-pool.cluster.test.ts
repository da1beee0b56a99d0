import { BusyError, OutageError } from '@larder/core/errors.ts';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SigningKeyStore } from '../../src/access/tokens/signing-key-store.ts';
import { toSql } from '../../src/db/postgres/database.ts';
import { type DatabaseConnection, isPooled } from '../../src/db/postgres/database-connection.ts';
import { DatabaseListener } from '../../src/db/postgres/database-listener.ts';
import { DatabasePool } from '../../src/db/postgres/database-pool.ts';
import { migrateDatabase } from '../../src/db/postgres/migrate.ts';
import { SealedSecrets } from '../../src/db/sealed-secrets.ts';
import { DiaryStore } from '../../src/diary/store/diary-store.ts';
import { DATABASE_LIMITS } from '../support/database-limits.ts';
import { PATIENCE } from '../support/patience.ts';
import { hasPgbouncer, hasPostgres, postgresFolder, throughPgbouncer } from '../support/postgres.ts';
import { createDatabase } from '../support/postgres-server.ts';

/** Shorter than any statement below that must be cancelled. */
const limits = { ...DATABASE_LIMITS, statementTimeoutMs: 500 };
const SLOW = { text: "select pg_sleep(60), 'slow'" };

/** On a busy machine this may also be cancelled; it is repeated until it succeeds. */
const goesOn = (pool: DatabasePool) =>
  vi.waitFor(
    async () => expect((await pool.query({ text: 'select 1 as one' })).rows).toEqual([{ one: 1 }]),
    PATIENCE,
  );

test('a database that cannot be reached is an outage', async () => {
  const pool = new DatabasePool({ url: 'postgres://nobody@127.0.0.1:1/nothing', limits });
  await expect(pool.connect()).rejects.toThrow(OutageError);
  await pool.end();
});

function describePool(way: string, throughWay: (url: string) => Promise<string> | string): void {
  describe(`a pool of connections ${way}`, () => {
    /** A separate connection that watches. */
    let watcher: pg.Client;
    let url: string;
    let pool: DatabasePool;
    beforeEach(async () => {
      const direct = await createDatabase(postgresFolder());
      watcher = new pg.Client(direct);
      await watcher.connect();
      url = await throughWay(direct);
      pool = new DatabasePool({ url, connections: 2, limits });
    });
    afterEach(async () => {
      await pool.end();
      await watcher.end();
    });

    const running = async (text: string) => {
      const activity = `select query from pg_stat_activity
        where datname = current_database() and state = 'active' and pid <> pg_backend_pid() and query like $1`;
      return (await watcher.query(activity, [`%${text}%`])).rows;
    };
    const ended = (text: string) => vi.waitFor(async () => expect(await running(text)).toEqual([]), PATIENCE);

    test('a slow statement is cancelled, also in the server, and the pool keeps working', async () => {
      await expect(pool.query(SLOW)).rejects.toThrow(OutageError);
      await ended("'slow'");
      await goesOn(pool);
    });

    test('a slow statement of a transaction is cancelled and releases its locks', async () => {
      await watcher.query('create table numbers (n integer)');
      const connection = await pool.connect();
      await connection.begin();
      await connection.run({ text: 'lock table numbers' });
      await expect(connection.run(SLOW)).rejects.toThrow(OutageError);
      connection.release();
      await watcher.query('insert into numbers values (1)');
      await ended("'slow'");
    });

    test('a statement that waits for a lock is cancelled', async () => {
      await watcher.query('create table numbers (n integer)');
      await watcher.query('begin; lock table numbers');
      await expect(pool.query({ text: 'insert into numbers values (1)' })).rejects.toThrow(OutageError);
      await watcher.query('commit');
      expect((await watcher.query('select * from numbers')).rows).toEqual([]);
    });

    test('an idle transaction is ended before waiters for its locks time out', async () => {
      await watcher.query('create table numbers (n integer)');
      const patient = new DatabasePool({
        url,
        connections: 2,
        limits: { ...DATABASE_LIMITS, statementTimeoutMs: 4_000 },
      });
      const frozen = await patient.connect();
      await frozen.begin();
      await frozen.run({ text: 'lock table numbers' });
      await patient.query({ text: 'insert into numbers values (1)' });
      await expect(frozen.run({ text: 'commit' })).rejects.toThrow(OutageError);
      frozen.release();
      await patient.end();
      expect((await watcher.query('select n from numbers')).rows).toEqual([{ n: 1 }]);
    });

    test('a transaction has separate time limits', async () => {
      const limitsOfATransaction = async () => {
        const connection = await pool.connect();
        try {
          await connection.begin();
          const show = async (name: string) =>
            (await connection.run({ text: `show ${name}` })).rows[0]![name];
          const limits = [await show('statement_timeout'), await show('idle_in_transaction_session_timeout')];
          await connection.run({ text: 'commit' });
          return limits;
        } finally {
          connection.release();
        }
      };
      expect(await vi.waitFor(limitsOfATransaction, PATIENCE)).toEqual(['500ms', '250ms']);
    });

    test('an error of a statement is not an outage and keeps the connection', async () => {
      const wrong = { text: 'select 1 / 0' };
      await vi.waitFor(() => expect(pool.query(wrong)).rejects.toThrow(pg.DatabaseError), PATIENCE);
      await goesOn(pool);
    });
  });
}

describe.skipIf(!hasPostgres)('where PostgreSQL is installed', () => {
  describePool('to PostgreSQL itself', (url) => url);

  test('a server that rejects the connection is an outage', async () => {
    const url = await createDatabase(postgresFolder());
    for (const refused of [url.replace('//postgres@', '//nobody@'), url.replace(/@\/\w+/, '@/nothing')]) {
      const pool = new DatabasePool({ url: refused, limits: DATABASE_LIMITS });
      await expect(pool.query({ text: 'select 1' })).rejects.toThrow(OutageError);
      await pool.end();
    }
  });

  test('a query waits for a free connection for a limited time', async () => {
    const url = await createDatabase(postgresFolder());
    const impatient = new DatabasePool({ url, connections: 2, limits: { ...limits, waitTimeoutMs: 2_000 } });
    const connect = () => vi.waitFor(() => impatient.connect(), PATIENCE);
    const held = [await connect(), await connect()];
    expect(impatient).toMatchObject({ busyConnections: 2, idleConnections: 0, refusedQueries: 0 });
    await expect(impatient.query({ text: 'select 1' })).rejects.toThrow(BusyError);
    expect(impatient).toMatchObject({ waitingQueries: 0, refusedQueries: 1 });
    for (const connection of held) connection.release();
    await goesOn(impatient);
    await impatient.end();
  });

  test('queries are rejected at once while 1,000 others wait', async () => {
    const url = await createDatabase(postgresFolder());
    const pool = new DatabasePool({ url, connections: 2, limits: DATABASE_LIMITS });
    const held = [await pool.connect(), await pool.connect()];
    const waiting = Array.from({ length: 1_000 }, () => pool.query({ text: 'select 1' }));
    expect(pool.waitingQueries).toBe(1_000);
    await expect(pool.query({ text: 'select 1' })).rejects.toThrow(BusyError);
    expect(pool.waitingQueries).toBe(1_000);
    for (const connection of held) connection.release();
    await Promise.all(waiting);
    await pool.end();
  });

  test('a server that does not respond is abandoned, and used again after it recovers', async () => {
    const pool = new DatabasePool({
      url: await createDatabase(postgresFolder()),
      connections: 1,
      limits,
    });
    const ask = () => pool.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' });
    const { rows } = await vi.waitFor(ask, PATIENCE);
    process.kill(rows[0]!.pid, 'SIGSTOP');
    await expect(pool.query({ text: 'select 1' })).rejects.toThrow(OutageError);
    await goesOn(pool);
    process.kill(rows[0]!.pid, 'SIGCONT');
    await pool.end();
  });
});

describe.skipIf(!hasPgbouncer)('where pgbouncer is installed', () => {
  describePool('through pgbouncer', throughPgbouncer);

  test('a pooler is distinguished from PostgreSQL', async () => {
    const direct = await createDatabase(postgresFolder());
    for (const [url, expected] of [
      [direct, false],
      [await throughPgbouncer(direct), true],
    ] as const) {
      const client = new pg.Client(url);
      await client.connect();
      expect(await isPooled(client)).toBe(expected);
      await client.end();
    }
  });

  test('a statement waits for a busy pooler for a limited time', async () => {
    const url = await throughPgbouncer(await createDatabase(postgresFolder()));
    const holders = [new pg.Client(url), new pg.Client(url)];
    for (const holder of holders) await holder.connect();
    const pool = new DatabasePool({ url, limits: { ...limits, waitTimeoutMs: 2_000 } });
    const held: DatabaseConnection = await vi.waitFor(() => pool.connect(), PATIENCE);
    for (const holder of holders) await holder.query('begin; select 1');
    await expect(held.run({ text: 'select 1' })).rejects.toThrow(OutageError);
    held.release();
    await expect(pool.query({ text: 'select 1' })).rejects.toThrow(OutageError);
    for (const holder of holders) await holder.end();
    await goesOn(pool);
    await pool.end();
  });

  test('sessions are left clean for their next users', async () => {
    const direct = await createDatabase(postgresFolder());
    const url = await throughPgbouncer(direct);
    await migrateDatabase(url, DATABASE_LIMITS);
    const pool = new DatabasePool({ url, limits: DATABASE_LIMITS });
    const store = new DiaryStore(toSql(pool));
    const keys = new SigningKeyStore({ ...toSql(pool), secrets: SealedSecrets.random() });
    const listener = new DatabaseListener({
      url,
      channels: { a: () => {} },
      onListening: () => {},
      onCut: () => {},
    });
    await listener.open();
    const owner = { tenant: 'default', userId: 'ann' };
    const work = async (at: number) => {
      await store.listLatest(owner, 10);
      await keys.addUnlessNewer({ kid: `k${at}`, createdAt: at, privateJwk: {} }, at);
    };
    await Promise.all(Array.from({ length: 20 }, (_, at) => work(at)));
    await Promise.all([pool.end(), listener.close()]);

    const watcher = new pg.Client(direct);
    await watcher.connect();
    // Other tests lock in databases of their own.
    const locks = `select pg_locks.* from pg_locks join pg_database on pg_database.oid = pg_locks.database
      where locktype = 'advisory' and datname = current_database()`;
    expect((await watcher.query(locks)).rows).toEqual([]);
    await watcher.end();
    // One transaction on each server at the same time, so that none is used twice.
    const others = [new pg.Client(url), new pg.Client(url)];
    for (const other of others) await other.connect();
    for (const other of others) await other.query('begin; select 1');
    for (const other of others) {
      const ask = async (text: string) => (await other.query({ text, rowMode: 'array' })).rows.flat();
      expect(await ask('select name from pg_prepared_statements')).toEqual([]);
      expect(await ask('select pg_listening_channels()')).toEqual([]);
      expect(await ask('show statement_timeout')).toEqual(['0']);
      expect(await ask('show idle_in_transaction_session_timeout')).toEqual(['0']);
    }
    for (const other of others) await other.end();
  });
});
