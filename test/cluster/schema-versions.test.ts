import { readdirSync } from 'node:fs';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import pg from 'pg';
import { describe, expect, inject, test, vi } from 'vitest';
import { toSql } from '../../src/db/postgres/database.ts';
import { DatabasePool } from '../../src/db/postgres/database-pool.ts';
import { migrateDatabase } from '../../src/db/postgres/migrate.ts';
import { MIGRATIONS } from '../../src/db/postgres/migrations/migrations.ts';
import { TenantFoodStore } from '../../src/foods/own/tenant-food-store.ts';
import { DATABASE_LIMITS } from '../support/database-limits.ts';
import { manualFood } from '../support/manual-food.ts';
import { PATIENCE } from '../support/patience.ts';
import { patientSettings } from '../support/patient-settings.ts';
import { createDatabase } from '../support/postgres-server.ts';
import { readStatements, replay } from '../support/schema/replay-statements.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const KEPT = new URL('./statements/', import.meta.url);
const NEWER_SAYS = /brought up to date by a newer Larder/;
const TABLES = `select relname as table from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
  and relname not like 'kysely_%'`;
const servers = inject('cluster');

/** What a version of tomorrow may do: it adds to every table there is. */
const TOMORROW: Readonly<Record<string, Migration>> = {
  ...MIGRATIONS,
  '9001-columns': expanding(
    (table) => `alter table ${table} add column of_tomorrow text not null default 'x'`,
  ),
  '9002-indexes': expanding((table) => `create index on ${table} (of_tomorrow)`),
  '9003-table': { up: (db) => sql`create table of_tomorrow (id text primary key)`.execute(db).then() },
};

function expanding(statement: (table: string) => string): Migration {
  return {
    async up(db) {
      const { rows } = await sql<{ table: string }>`${sql.raw(TABLES)}`.execute(db);
      for (const { table } of rows) await sql.raw(statement(table)).execute(db);
    },
  };
}

/** All migrations up to the one that is named. */
function upTo(name: string): Readonly<Record<string, Migration>> {
  return Object.fromEntries(Object.entries(MIGRATIONS).filter(([each]) => each <= name));
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

async function migrationsOf(url: string): Promise<string[]> {
  const client = await connect(url);
  const { rows } = await client.query('select name from kysely_migration order by name');
  await client.end();
  return rows.map(({ name }) => name);
}

describe.skipIf(servers === undefined)('two versions of the tables', () => {
  const emptyDatabase = () => createDatabase(servers!.postgres);
  const migrate = (url: string, migrations = MIGRATIONS) => migrateDatabase(url, DATABASE_LIMITS, migrations);

  test.each(readdirSync(KEPT))(
    'statements of a node of %s have the same effect after an upgrade',
    async (file) => {
      const statements = readStatements(new URL(file, KEPT));
      const url = await emptyDatabase();
      await migrate(url, upTo(file.replace('.jsonl', '')));
      const client = await connect(url);
      // In its midst, between two transactions.
      const upgradeAt = statements.findIndex(
        ({ text }, at) => at > statements.length / 2 && text === 'begin',
      );
      const before = await replay(client, statements.slice(0, upgradeAt));
      await migrate(url);
      const after = await replay(client, statements.slice(upgradeAt));
      const effects = [...before, ...after].map((rows, at) => `${statements[at]!.text}: ${rows} rows`);
      expect(effects).toEqual(statements.map(({ text, rows }) => `${text}: ${rows} rows`));
      await client.end();
    },
  );

  test("a node of the previous version treats a user's food as deleted and leaves it unchanged", async () => {
    const url = await emptyDatabase();
    await migrate(url);
    const client = await connect(url);
    const pool = new DatabasePool({ url, limits: DATABASE_LIMITS });
    const store = new TenantFoodStore(toSql(pool));
    const shared = manualFood({ key: 'shared' });
    const ofAnn = { ...manualFood({ key: 'of-ann' }), userId: 'ann' };
    for (const food of [shared, ofAnn]) await store.put('acme', food);
    const asBefore = async (text: string, ...values: unknown[]) => (await client.query(text, values)).rows;
    const find = `select "revision", "food" from "live_foods" where "tenant_id" = $1 and "id" = $2`;
    expect(await asBefore(find, 'acme', ofAnn.id)).toEqual([{ revision: '2', food: null }]);
    expect(await asBefore(find, 'acme', shared.id)).toEqual([
      { revision: '1', food: JSON.stringify(shared) },
    ]);
    const changes = `select * from "live_foods" where "revision" > $1 order by "revision" limit $2`;
    expect((await asBefore(changes, 0, 10)).map(({ food }) => food === null)).toEqual([false, true]);
    const write = `update "live_foods" set "revision" = (select coalesce(max(revision), 0) + 1 from live_foods), "food" = $1
      where "tenant_id" = $2 and "id" = $3 and "food" is not null returning "revision"`;
    for (const food of [null, '{}']) expect(await asBefore(write, food, 'acme', ofAnn.id)).toEqual([]);
    expect((await store.find('acme', ofAnn.id))?.food).toEqual(ofAnn);
    await pool.end();
    await client.end();
  });

  test('a running node serves reads and writes during and after a migration by a newer node', async () => {
    const cluster = await patientSettings();
    await using node = await openTestServer({ cluster });
    const client = await openClient(node);
    await client.round();
    let isMigrated = false;
    const migrating = migrate(cluster.LARDER_DATABASE_URL, TOMORROW).finally(() => {
      isMigrated = true;
    });
    while (!isMigrated) await client.round();
    await migrating;
    for (let round = 0; round < 3; round++) await client.round();
    expect(await client.listed()).toEqual(client.acknowledged);
    await expect(openTestServer({ cluster })).rejects.toThrow(NEWER_SAYS);
    await client.round();
  });

  test('a node older than the tables does not change them', async () => {
    const url = await emptyDatabase();
    await migrate(url, TOMORROW);
    const before = await migrationsOf(url);
    await expect(migrate(url)).rejects.toThrow(NEWER_SAYS);
    expect(await migrationsOf(url)).toEqual(before);
  });

  test('nodes of both versions can start at once: newer ones migrate, older ones start before or refuse', async () => {
    for (const from of ['0000', '0003-live-foods', '0006-scans']) {
      const url = await emptyDatabase();
      if (from !== '0000') await migrate(url, upTo(from));
      const [newer, older] = [TOMORROW, MIGRATIONS].map((version) =>
        Promise.allSettled([1, 2, 3].map(() => migrate(url, version))),
      );
      expect(await newer).toEqual(Array(3).fill({ status: 'fulfilled', value: undefined }));
      for (const outcome of (await older) ?? []) {
        if (outcome.status === 'rejected') expect(outcome.reason.message).toMatch(NEWER_SAYS);
      }
      expect(await migrationsOf(url)).toEqual(Object.keys(TOMORROW));
    }
  });

  test('a migration interrupted by a crash is completed by another node', async () => {
    const url = await emptyDatabase();
    await migrate(url);
    const watcher = await connect(url);
    const slow: Migration = {
      async up(db) {
        await sql`create table of_tomorrow (id text primary key)`.execute(db);
        await sql`select pg_sleep(case when exists (select from api_keys) then 0 else 3600 end)`.execute(db);
      },
    };
    const dying = migrate(url, { ...MIGRATIONS, '9001-slow': slow });
    const rejected = expect(dying).rejects.toThrow(/cannot be used/);
    const sleeping = `from pg_stat_activity where datname = current_database() and query like 'select pg_sleep%'`;
    const [{ pid }] = await vi.waitFor(async () => {
      const { rows } = await watcher.query(`select pid ${sleeping}`);
      expect(rows).toHaveLength(1);
      return rows as [{ pid: number }];
    }, PATIENCE);
    const waiting = migrate(url, { ...MIGRATIONS, '9001-slow': slow });
    await watcher.query(
      `insert into api_keys (id, tenant_id, secret_hash, scopes, created_at) values ('k', 't', '', '', 0)`,
    );
    await watcher.query('select pg_terminate_backend($1)', [pid]);
    await rejected;
    await waiting;
    expect(await migrationsOf(url)).toEqual([...Object.keys(MIGRATIONS), '9001-slow']);
    await watcher.end();
  });

  test('a migration that waits for a table does not block other users of it', async () => {
    const cluster = await patientSettings();
    await using node = await openTestServer({ cluster });
    const client = await openClient(node);
    const reader = await connect(cluster.LARDER_DATABASE_URL);
    await reader.query('begin; select from diary_entries limit 1');
    const migrating = migrate(cluster.LARDER_DATABASE_URL, TOMORROW);
    await vi.waitFor(async () => {
      const { rows } = await reader.query(
        `select from pg_locks where not granted and relation = 'diary_entries'::regclass`,
      );
      expect(rows).toHaveLength(1);
    }, PATIENCE);
    // As long as the reader reads, it is the lock's time-out alone that lets these through.
    for (let round = 0; round < 3; round++) await client.round();
    await reader.query('commit');
    await migrating;
    await client.round();
    expect(await client.listed()).toEqual(client.acknowledged);
    await reader.end();
  });
});

/** Somebody who uses all that lies in the database, and takes no failure for an answer. */
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
