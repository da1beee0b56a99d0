import { OutageError } from '@larder/core/errors.ts';
import pg from 'pg';
import { describe, expect, inject, test, vi } from 'vitest';
import { toSql } from '../../src/db/postgres/database.ts';
import { DatabasePool } from '../../src/db/postgres/database-pool.ts';
import { migrateDatabase } from '../../src/db/postgres/migrate.ts';
import { SchemaWatch } from '../../src/db/postgres/schema-watch.ts';
import { STEPS, type Step, versionAfter } from '../../src/db/schema/steps.ts';
import { TABLES } from '../../src/db/schema/tables.ts';
import { sql } from '../../src/db/sql.ts';
import { writeOne } from '../../src/db/writer.ts';
import { DATABASE_LIMITS } from '../support/database-limits.ts';
import { PATIENCE } from '../support/patience.ts';
import { patientSettings } from '../support/patient-settings.ts';
import { createDatabase } from '../support/postgres-server.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const NEWER_SAYS = /newer Larder has upgraded it/;
const servers = inject('cluster');

/** Steps of a later version: they expand every table. */
const LATER: readonly Step[] = [
  ...STEPS,
  expanding((table) => `alter table ${table} add column of_tomorrow text not null default 'x'`),
  expanding((table) => `create index on ${table} (of_tomorrow)`),
  () => ['create table of_tomorrow (id text primary key)'],
];

function expanding(statement: (table: string) => string): Step {
  return () => Object.keys(TABLES).map(statement);
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

async function versionOf(url: string): Promise<number> {
  const client = await connect(url);
  const { rows } = await client.query('select version from schema_version');
  await client.end();
  return rows[0].version;
}

describe.skipIf(servers === undefined)('two versions of the tables', () => {
  const emptyDatabase = () => createDatabase(servers!.postgres);
  const migrate = (url: string, steps = STEPS) => migrateDatabase(url, DATABASE_LIMITS, steps);

  test('a running node serves reads and writes during and after a migration by a newer node', async () => {
    const cluster = await patientSettings();
    await using node = await openTestServer({ cluster });
    const client = await openClient(node);
    await client.round();
    let isMigrated = false;
    const migrating = migrate(cluster.LARDER_DATABASE_URL, LATER).finally(() => {
      isMigrated = true;
    });
    while (!isMigrated) await client.round();
    await migrating;
    for (let round = 0; round < 3; round++) await client.round();
    expect(await client.listed()).toEqual(client.acknowledged);
    await expect(openTestServer({ cluster })).rejects.toThrow(NEWER_SAYS);
    await client.round();
  });

  test('an old node stays ready while newer steps only expand the tables, and is not ready, without a 500, once one takes away', async () => {
    const cluster = await patientSettings();
    const url = cluster.LARDER_DATABASE_URL;
    await using node = await openTestServer({ cluster });
    const authorization = `Bearer ${await node.createKey(['diary:read'])}`;
    const ready = async () => (await node.ask({ method: 'GET', url: '/readyz' })).statusCode;
    expect(await ready()).toBe(200);
    const lines: object[] = [];
    await migrateDatabase(url, DATABASE_LIMITS, LATER, { info: (facts) => lines.push(facts) });
    expect(lines).toHaveLength(LATER.length - STEPS.length);
    expect(lines.at(-1)).toMatchObject({ version: versionAfter(LATER), ms: expect.any(Number) });
    const pool = new DatabasePool({ url, connections: 1, limits: DATABASE_LIMITS });
    expect(await new SchemaWatch(pool).fits()).toBe(true);
    await pool.end();
    expect(await ready()).toBe(200);

    const takesAway: Step = () => ['alter table diary_entries drop column note'];
    await migrate(url, [...LATER, takesAway]);
    const day = { url: '/v1/users/ana/diary?date=2030-01-01', headers: { authorization } };
    expect((await node.ask({ method: 'GET', ...day })).statusCode).toBe(503);
    await expect.poll(ready).toBe(503);
  });

  test('a statement that names what is not there is a fault, unless the tables are those of another version', async () => {
    const url = await emptyDatabase();
    await migrate(url);
    const pool = new DatabasePool({ url, connections: 1, limits: DATABASE_LIMITS });
    const { db, writer } = toSql(pool);
    const wrong = [
      () => sql`select * from nowhere`.all(db),
      () => sql`select nothing from api_keys`.all(db),
      () => writeOne(writer, sql`delete from api_keys where nothing = 1`),
    ];
    for (const send of wrong) await expect(send()).rejects.toBeInstanceOf(pg.DatabaseError);
    await migrate(url, LATER);
    for (const send of wrong) await expect(send()).rejects.toBeInstanceOf(OutageError);
    await pool.end();
  });

  test('a node older than the tables does not change them', async () => {
    const url = await emptyDatabase();
    await migrate(url, LATER);
    const before = await versionOf(url);
    await expect(migrate(url)).rejects.toThrow(NEWER_SAYS);
    expect(await versionOf(url)).toEqual(before);
  });

  test('nodes of both versions can start together: newer ones migrate, older ones start before or fail', async () => {
    for (const isNew of [true, false]) {
      const url = await emptyDatabase();
      if (!isNew) await migrate(url);
      const [newer, older] = [LATER, STEPS].map((version) =>
        Promise.allSettled([1, 2, 3].map(() => migrate(url, version))),
      );
      expect(await newer).toEqual(Array(3).fill({ status: 'fulfilled', value: undefined }));
      for (const outcome of (await older) ?? []) {
        if (outcome.status === 'rejected') expect(outcome.reason.message).toMatch(NEWER_SAYS);
      }
      expect(await versionOf(url)).toBe(versionAfter(LATER));
    }
  });

  test('a migration interrupted by a crash is completed by another node', async () => {
    const url = await emptyDatabase();
    await migrate(url);
    const watcher = await connect(url);
    const slow: Step = () => [
      'create table of_tomorrow (id text primary key)',
      'select pg_sleep(case when exists (select from api_keys) then 0 else 3600 end)',
    ];
    const dying = migrate(url, [...STEPS, slow]);
    const rejected = expect(dying).rejects.toThrow(/cannot be used/);
    const sleeping = `from pg_stat_activity where datname = current_database() and query like 'select pg_sleep%'`;
    const [{ pid }] = await vi.waitFor(async () => {
      const { rows } = await watcher.query(`select pid ${sleeping}`);
      expect(rows).toHaveLength(1);
      return rows as [{ pid: number }];
    }, PATIENCE);
    const waiting = migrate(url, [...STEPS, slow]);
    await watcher.query(
      `insert into api_keys (id, tenant_id, secret_hash, scopes, created_at) values ('k', 't', '', '', 0)`,
    );
    await watcher.query('select pg_terminate_backend($1)', [pid]);
    await rejected;
    await waiting;
    expect(await versionOf(url)).toBe(versionAfter(STEPS) + 1);
    await watcher.end();
  });

  test('a migration that waits for a table does not block other users of it', async () => {
    const cluster = await patientSettings();
    await using node = await openTestServer({ cluster });
    const client = await openClient(node);
    const reader = await connect(cluster.LARDER_DATABASE_URL);
    await reader.query('begin; select from diary_entries limit 1');
    const migrating = migrate(cluster.LARDER_DATABASE_URL, LATER);
    await vi.waitFor(async () => {
      const { rows } = await reader.query(
        `select from pg_locks where not granted and relation = 'diary_entries'::regclass`,
      );
      expect(rows).toHaveLength(1);
    }, PATIENCE);
    // While the reader reads, only the lock's time-out lets these queries run.
    for (let round = 0; round < 3; round++) await client.round();
    await reader.query('commit');
    await migrating;
    await client.round();
    expect(await client.listed()).toEqual(client.acknowledged);
    await reader.end();
  });
});

/** A client that uses all tables and fails on any error. */
async function openClient({ ask: send, createKey }: TestServer) {
  const key = await createKey(['foods:read', 'foods:write', 'diary:read', 'diary:write', 'scan']);
  const acknowledged: string[] = [];
  const amounts = { calories: 100, protein: 1, carbs: 2, fat: 3 };
  const food = {
    name: 'Plum pie',
    servingSize: { value: 100, unit: 'g' },
    macros: { energy: 250, protein: 3, fat: 10, carbohydrates: 35 },
  };
  let asked = 0;
  const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'PUT', url: string, payload?: object) => {
    const answer = await send({
      method,
      url: `/v1${url}`,
      headers: {
        authorization: `Bearer ${key}`,
        ...(method === 'POST' && { 'idempotency-key': `k${asked++}` }),
      },
      ...(payload && { payload }),
    });
    expect([method, url, answer.statusCode, answer.body]).toEqual([
      method,
      url,
      method === 'POST' ? 201 : 200,
      answer.body,
    ]);
    return answer.json();
  };
  const day = '/users/ana/diary?date=2030-01-01';
  return {
    acknowledged,
    listed: async () => (await ask('GET', day)).map(({ id }: { id: string }) => id),
    async round(): Promise<void> {
      const entry = { date: '2030-01-01', mealType: 'lunch', foodName: 'Soup', ...amounts };
      const { id } = await ask('POST', '/users/ana/diary', entry);
      acknowledged.push(id);
      await ask('PATCH', `/users/ana/diary/${id}`, { mealType: 'dinner' });
      await ask('GET', day);
      await ask('POST', '/users/ana/recipes', {
        name: 'Stew',
        servings: 4,
        ingredients: [{ foodName: 'Bean', ...amounts }],
      });
      await ask('PUT', '/users/ana/goals', { calories: 2000 });
      await ask('POST', '/foods', food);
      const { jobId } = await ask('POST', '/scan/image', { clientId: 'phone-1', contentType: 'image/jpeg' });
      await ask('GET', `/scan/image/${jobId}`);
      await createKey(['foods:read']);
    },
  };
}
