import { readdirSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { toSql } from '../../src/db/postgres/database.ts';
import { migrateDatabase } from '../../src/db/postgres/migrate.ts';
import { MIGRATIONS } from '../../src/db/postgres/migrations/migrations.ts';
import { type Day, oneDay } from '../../src/diary/records/day.ts';
import type { DiaryEntry } from '../../src/diary/records/entry.ts';
import type { Thousandths } from '../../src/diary/records/exact-amount.ts';
import { restsOf, snapshotOf } from '../../src/diary/records/snapshot.ts';
import { entryRow } from '../../src/diary/store/diary-rows.ts';
import { SqlDiaryStore } from '../../src/diary/store/diary-store.ts';
import { DATABASE_LIMITS } from '../support/database-limits.ts';
import { newEntry } from '../support/diary-entries.ts';
import { openPatientPool } from '../support/postgres.ts';
import { createDatabase } from '../support/postgres-server.ts';
import { sampleFood } from '../support/sample-foods.ts';
import { type KeptStatement, readStatements } from '../support/schema/replay-statements.ts';

const KEPT = new URL('./statements/', import.meta.url);
const OWNER = { tenant: 'acme', userId: 'ana' };
const DAY = '2026-01-31' as Day;
/** The last migration of a version whose entries have nothing but their thousandths. */
const BEFORE = '0009-settled-scans';
/** Columns of an entry that such a version knows, its owner's included. */
const KNOWN_COLUMNS = 21;

const banana = sampleFood('fdc', '7', {
  per100: { energy: 97, protein: 0.74, fat: 0.29, carbohydrates: 23 },
});
const servers = inject('cluster');

describe.skipIf(servers === undefined)('entries that nodes of the version before write', () => {
  let url: string;
  let client: pg.Client;
  let pool: ReturnType<typeof openPatientPool>;
  let store: SqlDiaryStore;
  beforeAll(async () => {
    url = await createDatabase(servers!.postgres);
    const before = Object.entries(MIGRATIONS).filter(([name]) => name <= BEFORE);
    await migrateDatabase(url, DATABASE_LIMITS, Object.fromEntries(before));
    client = new pg.Client(url);
    await client.connect();
    pool = openPatientPool(url);
    store = new SqlDiaryStore(toSql(pool));
  });
  afterAll(async () => {
    await client.end();
    await pool.end();
  });

  /** As it sends them, with the values of this entry. */
  const asBefore = async (name: string, entry: DiaryEntry) => {
    const row = entryRow(OWNER, entry).slice(0, KNOWN_COLUMNS);
    const [owner, values] = [row.slice(0, 2), row.slice(2)];
    const isBatch = name === 'diary-add-entries';
    await client.query({
      text: statement(name).text,
      values: [...owner, ...(isBatch ? values.map((value) => [value]) : values)],
    });
  };
  const sums = async () => (await store.sumDays(OWNER, oneDay(DAY)))[0]?.totals;

  test('are read, summed and changed, and a change by an older node replaces the basis', async () => {
    const old = newEntry({ date: DAY, quantity: 100, unit: 'g', amounts: { protein: 0.74 } });
    await asBefore('diary-add-entries', old);
    await migrateDatabase(url, DATABASE_LIMITS);
    expect(await store.findEntry(OWNER, old.id)).toEqual(old);

    const tiny = snapshotOf(banana, 0.5, 'g');
    expect(restsOf(tiny.basis).protein).toBe(-300_000);
    const entry = { ...newEntry({ date: DAY }), quantity: 0.5, unit: 'g', ...tiny };
    await store.addEntries(OWNER, [entry, { ...entry, id: newEntry().id }]);
    // 740 and twice 3.7 thousandths.
    expect((await sums())?.protein).toBe(747);

    const byOlder = { ...entry, version: 2, amounts: { ...entry.amounts, protein: 9 as Thousandths } };
    await asBefore('diary-replace-entry', byOlder);
    const { basis: _, ...withoutBasis } = byOlder;
    expect(await store.findEntry(OWNER, entry.id)).toEqual(withoutBasis);
    expect((await store.listEntries(OWNER, { range: oneDay(DAY), limit: 10 }))[1]).toEqual(withoutBasis);
    expect(await store.listLatest(OWNER, 10)).toContainEqual(withoutBasis);
    // 740, 9 and 3.7.
    expect((await sums())?.protein).toBe(753);

    const newer = { ...byOlder, ...tiny, version: 3 };
    expect(await store.replaceEntry(OWNER, newer)).toBe('done');
    expect(await store.findEntry(OWNER, entry.id)).toEqual(newer);
    expect((await sums())?.protein).toBe(747);
  });
});

function statement(name: string): KeptStatement {
  const kept = readdirSync(KEPT).flatMap((file) => readStatements(new URL(file, KEPT)));
  return kept.find((each) => each.name === name)!;
}
