import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, onTestFinished, test } from 'vitest';
import { newEntry } from '../../../test/support/diary-entries.ts';
import { listedFoods } from '../../../test/support/listed-foods.ts';
import { sampleFood } from '../../../test/support/sample-foods.ts';
import { Diary } from '../../diary/diary.ts';
import { type Day, oneDay } from '../../diary/records/day.ts';
import { entryRow } from '../../diary/store/diary-rows.ts';
import { SqlDiaryStore } from '../../diary/store/diary-store.ts';
import { SQLITE } from '../dialect.ts';
import { openDatabase } from './database.ts';
import { loadMigrations } from './migrations/migrations.ts';
import { ThreadReads } from './reads.ts';
import { DatabaseWriter } from './writer.ts';
import { WriterClient } from './writer-client.ts';

const OWNER = { tenant: 'acme', userId: 'ana' };
const DAY = '2026-01-31' as Day;
/** Columns of an entry before, in the order of the table. */
const KNOWN_COLUMNS = 21;

test('entries of a database of the version before are what they were, and can be changed to and fro', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-before-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'larder.db');
  const banana = sampleFood('fdc', '7', { servings: [{ value: 1, unit: 'banana', basisAmount: 126 }] });
  const amounts = { calories: 97, protein: 0.74, carbs: 23, fat: 0.29, sodium: 1 };
  const old = newEntry({ date: DAY, foodId: banana.id, quantity: 100, unit: 'g', amounts });
  const sqlite = new Sqlite(file);
  const db = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) });
  const before = Object.entries(await loadMigrations()).filter(([name]) => name < '0010');
  const provider = { getMigrations: async () => Object.fromEntries(before) };
  expect(await new Migrator({ db, provider }).migrateToLatest()).not.toHaveProperty('error');
  const places = Array(KNOWN_COLUMNS).fill('?').join(', ');
  sqlite
    .prepare(`insert into diary_entries values (${places})`)
    .run(entryRow(OWNER, old).slice(0, KNOWN_COLUMNS));
  await db.destroy();

  await (await openDatabase({ file })).close();
  const onFailure = (cause: Error) => {
    throw cause;
  };
  const writer = await DatabaseWriter.start({ file, onFailure });
  const reads = ThreadReads.open({ file });
  const store = new SqlDiaryStore({
    dialect: SQLITE,
    reads,
    writer: new WriterClient({ port: writer.connect() }),
  });
  const foods = [banana];
  const diary = new Diary({
    store,
    foods: listedFoods(foods),
    scans: { find: async () => undefined },
    nowMs: Date.now,
    randomBytes,
  });
  expect(await diary.list(OWNER, oneDay(DAY))).toEqual([old]);
  const sums = await diary.totals(OWNER, oneDay(DAY));
  for (const quantity of [1, 0.001, 0.1, 1e4, 100]) await diary.change(OWNER, old.id, { quantity });
  expect((await diary.get(OWNER, old.id)).amounts).toEqual(old.amounts);
  // What converts its units is asked of the food once, and kept from then on.
  await diary.change(OWNER, old.id, { unit: 'banana', quantity: 2 });
  foods.pop();
  await diary.change(OWNER, old.id, { unit: 'mg' });
  await diary.change(OWNER, old.id, { unit: 'g', quantity: 100 });
  expect((await diary.get(OWNER, old.id)).amounts).toEqual(old.amounts);
  expect(await diary.totals(OWNER, oneDay(DAY))).toEqual(sums);
  reads.close();
  await writer.close();
});
