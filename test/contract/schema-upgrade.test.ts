import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { toSql } from '../../src/db/postgres/database.ts';
import { migrateDatabase } from '../../src/db/postgres/migrate.ts';
import { versionAfter } from '../../src/db/schema/steps.ts';
import type { SqlDatabase } from '../../src/db/sql-database.ts';
import { openDatabase } from '../../src/db/sqlite/database.ts';
import type { DayRange } from '../../src/diary/records/day.ts';
import { DiaryStore } from '../../src/diary/store/diary-store.ts';
import { CustomFoodStore, usageOf } from '../../src/foods/custom/custom-food-store.ts';
import { IdempotencyStore } from '../../src/idempotency/idempotency-store.ts';
import { ScanStore } from '../../src/scan/jobs/scan-store.ts';
import type { ScanId } from '../../src/scan/scan-job.ts';
import { DATABASE_LIMITS } from '../support/database-limits.ts';
import { hasPostgres, openPatientPool, postgresFolder } from '../support/postgres.ts';
import { createDatabase } from '../support/postgres-server.ts';

const OWNER = { tenant: 'acme', userId: 'ana' };
const RANGE = { from: '2026-01-01', to: '2026-12-31' } as DayRange;

/** A database in the state that version 0.1.0 left. */
interface OldDatabase {
  run(sql: string): Promise<unknown>;
  /** Migrates it. */
  open(): Promise<SqlDatabase>;
  /** The columns, indexes and triggers of all tables. */
  describe(): Promise<unknown>;
}

async function openSqlite(dump?: string): Promise<OldDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-upgrade-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'larder.db');
  const sqlite = new Sqlite(file);
  onTestFinished(() => void sqlite.close());
  if (dump !== undefined) sqlite.exec(dump);
  return {
    run: async (sql) => sqlite.exec(sql),
    async open() {
      const database = await openDatabase({ file });
      onTestFinished(() => database.close());
      return database;
    },
    async describe() {
      const tables = sqlite.pragma('table_list') as { name: string; schema: string }[];
      const own = tables.filter(({ name }) => !name.startsWith('sqlite_'));
      const texts = sqlite
        .prepare("select sql from sqlite_master where type in ('index', 'trigger')")
        .pluck();
      return [
        own.map((table) => ({ ...table, columns: sqlite.pragma(`table_xinfo(${table.name})`) })).sort(byName),
        texts
          .all()
          .flatMap((text) => (text === null ? [] : [String(text).replaceAll(/["\s]+/g, '')]))
          .sort(),
      ];
    },
  };
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}

async function openPostgres(dump?: string): Promise<OldDatabase> {
  const url = await createDatabase(postgresFolder());
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  if (dump !== undefined) await client.query(dump);
  const rows = async (sql: string) => (await client.query(sql)).rows;
  return {
    run: (sql) => client.query(sql),
    async open() {
      await migrateDatabase(url, DATABASE_LIMITS);
      const pool = openPatientPool(url);
      onTestFinished(() => pool.end());
      return toSql(pool);
    },
    describe: async () => [
      await rows(
        `select table_name, column_name, data_type, collation_name, is_nullable, column_default
         from information_schema.columns where table_schema = 'public' order by 1, 2`,
      ),
      await rows(`select indexdef from pg_indexes where schemaname = 'public' order by 1`),
      await rows(`select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1`),
      await rows(
        `select proname, prosrc from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
      ),
    ],
  };
}

const { name, openOld } = hasPostgres
  ? { name: 'postgres', openOld: openPostgres }
  : { name: 'sqlite', openOld: openSqlite };

describe(`a database of version 0.1.0 in ${name}`, () => {
  const dump = readFileSync(new URL(`../support/schema/version-0.1.0.${name}.sql`, import.meta.url), 'utf8');

  test('has the schema of a new database after the upgrade', async () => {
    const [old, fresh] = [await openOld(dump), await openOld()];
    await Promise.all([old.open(), fresh.open()]);
    expect(await old.describe()).toEqual(await fresh.describe());
  });

  test('keeps its diaries: entries, sums, recipes and goals', async () => {
    const diary = new DiaryStore(await (await openOld(dump)).open());
    const [plain, exact, byOlderNode, withoutBasis] = await diary.listEntries(OWNER, {
      range: RANGE,
      limit: 9,
    });
    const soup = { calories: 120_500, protein: 9_000, carbs: 123, fat: 0, fiber: 4_000 };
    expect(plain).toMatchObject({ foodName: 'Lentil soup', amounts: soup, version: 1 });
    expect(exact).toMatchObject({
      amounts: { calories: 485, protein: 4, carbs: 115, fat: 1, sugars: 2, iron: 1 },
      eatenAt: '2026-01-31T12:30:00+01:00',
      note: 'ripe',
      basis: expect.stringContaining('[97,0.74,23,0.29,'),
    });
    // A node that did not store exact amounts changed it.
    expect(byOlderNode!.amounts).toEqual({ calories: 485, protein: 9, carbs: 115, fat: 1 });
    expect(byOlderNode).not.toHaveProperty('basis');
    expect(withoutBasis!.amounts).toEqual(soup);
    const [day] = await diary.sumDays(OWNER, RANGE, 'meal');
    // Protein is 9,000, 3.7 and 9 thousandths; iron is 1.3.
    expect(day!.totals).toEqual({
      calories: 121_470,
      protein: 9_013,
      carbs: 353,
      fat: 2,
      fiber: 4_000,
      sodium: 0,
      sugars: 2,
      iron: 1,
    });
    expect(day!.meals!.snacks!.totals).toMatchObject({ protein: 9 });
    expect(await diary.recipes.listById(OWNER, { limit: 9 })).toMatchObject([
      { name: 'Stew', yieldGrams: 812.5, ingredients: [{ name: 'Bean', amounts: soup }] },
    ]);
    const [goals] = await diary.goals.list(OWNER);
    expect(goals).not.toHaveProperty('weekdays');
    expect(goals!.amounts).toMatchObject({ calories: 2_000_000, protein: 80_000 });
    const withWeekdays = { ...goals!, weekdays: { sunday: goals!.amounts } };
    await diary.goals.put(OWNER, withWeekdays, { replaceHistory: false });
    expect(await diary.goals.list(OWNER)).toEqual([withWeekdays]);
    expect(await diary.replaceEntry(OWNER, { ...byOlderNode!, version: 3 })).toBe('done');
  });

  test('keeps foods, their users and their usage', async () => {
    const database = await (await openOld(dump)).open();
    const foods = new CustomFoodStore(database);
    const changes = (await foods.changesAfter('acme', 0, 9))!;
    expect(changes.map(({ id, revision, food }) => [id, revision, food?.name, food?.userId])).toEqual([
      ['manual:shared', 1, 'Plum pie', undefined],
      ['manual:of-ann', 2, 'Plum jam', 'ann'],
      ['manual:gone', 4, undefined, undefined],
    ]);
    expect(await usageOf(database.db, 'acme')).toEqual({ foods: 2, words: 4 });
    await foods.remove('acme', changes[1]!.id);
    expect(await usageOf(database.db, 'acme')).toEqual({ foods: 1, words: 2 });
  });

  test('keeps scans and stored responses', async () => {
    const database = await (await openOld(dump)).open();
    const ids = ['01kg00000000000000000000s1', '01kg00000000000000000000s2'] as ScanId[];
    const scans = await new ScanStore(database).findByIds(ids);
    const sorted = [...scans].sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(sorted.map(({ status, userId, imageBytes }) => [status, userId, imageBytes])).toEqual([
      ['upload_pending', undefined, 1_000],
      ['processing', 'ana', 500],
    ]);
    const requests = new IdempotencyStore({ ...database, createClaimId: () => 'claim-2' });
    const claim = await requests.claim({
      name: { tenant: 'acme', userId: 'ana', idempotencyKey: 'key-1' },
      subjectUserId: 'ana',
      fingerprint: Buffer.from('0102', 'hex'),
      nowMs: 1769860800001,
      claimedUntilMs: 1769860830001,
      forgottenMs: 0,
    });
    expect(claim).toMatchObject({ kind: 'answered', answer: { status: 201, headers: { location: '/x' } } });
  });

  test('is rejected if an earlier version wrote it, and not changed', async () => {
    const old = await openOld(dump);
    await old.run("delete from kysely_migration where name = '0019-image-bytes'");
    const before = await old.describe();
    const error = await old.open().catch((thrown: Error) => thrown);
    expect(error).toBeInstanceOf(OperatorError);
    expect((error as Error).message).toContain('a Larder before 0.1.0. Start version 0.1.0 once');
    expect(await old.describe()).toEqual(before);
  });

  test('is rejected if no release made its tables, and not changed', async () => {
    const old = await openOld();
    await old.open();
    await old.run(`drop table departures; update schema_version set version = ${versionAfter([]) - 1}`);
    const before = await old.describe();
    await expect(old.open()).rejects.toThrow(/of a Larder that was never released/);
    expect(await old.describe()).toEqual(before);
  });

  test('is rejected if a newer version wrote it', async () => {
    const old = await openOld();
    await old.open();
    await old.run('update schema_version set version = version + 1');
    await expect(old.open()).rejects.toThrow(/newer Larder has upgraded it/);
  });
});
