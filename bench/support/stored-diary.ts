import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { openDatabase } from '../../src/db/sqlite/database.ts';
import { type Day, daysOf } from '../../src/diary/records/day.ts';
import { writeBasis } from '../../src/diary/records/snapshot.ts';
import { PLAIN_ENTRY_COLUMNS } from '../../src/diary/store/entry-rows.ts';

const FOLDER = join(tmpdir(), 'larder-bench');
const ENTRIES_A_DAY = 15;
const DAYS = daysOf({ from: '2026-01-01' as Day, to: '2026-04-10' as Day });

/** Basis of entries from a food with two servings. */
const BASIS = writeBasis(
  {
    amounts: { calories: 82.304, protein: 5.2, carbs: 8.2, fat: 3, fiber: 0.8, sodium: 230.4 },
    quantity: 100,
    unit: 'g',
    food: {
      basis: 'g',
      servings: [
        { value: 1, unit: 'piece', basisAmount: 150, label: '1 piece (150 g)' },
        { value: 1, unit: 'cup', basisAmount: 140, label: '1 cup, chopped' },
      ],
    },
  },
  {},
);

export interface StoredDiary {
  readonly file: string;
  readonly users: number;
  readonly days: readonly Day[];
}

/** A database with about `entries` entries, 15 a day on 100 days of each user; kept between runs. */
export async function ensureStoredDiary(entries: number): Promise<StoredDiary> {
  const file = join(FOLDER, `diary-in-billionths-${entries}.db`);
  const users = Math.ceil(entries / (ENTRIES_A_DAY * DAYS.length));
  if (!existsSync(file)) await write(file, users);
  return { file, users, days: DAYS };
}

async function write(file: string, users: number): Promise<void> {
  console.log(`writing ${users * DAYS.length * ENTRIES_A_DAY} entries, once`);
  mkdirSync(FOLDER, { recursive: true });
  const partial = `${file}.partial`;
  for (const ending of ['', '-wal', '-shm']) rmSync(partial + ending, { force: true });
  await (await openDatabase({ file: partial })).close();
  const sqlite = new Sqlite(partial);
  // The file has neither WAL nor journal: an incomplete one is written again.
  sqlite.pragma('journal_mode = DELETE');
  sqlite.pragma('journal_mode = OFF');
  sqlite.pragma('synchronous = OFF');
  sqlite.pragma('cache_size = -1000000');
  // SQLite generates the rows in key order: passing ten million rows takes four times as long.
  sqlite
    .prepare(
      `insert into diary_entries (${Object.keys(PLAIN_ENTRY_COLUMNS)})
       with recursive
         user (number) as (select 0 union all select number + 1 from user where number + 1 < @users),
         item (number) as (select 0 union all select number + 1 from item where number + 1 < @items)
       select 'bench', printf('user-%07d', user.number), day.value,
         printf('01K%07d%03d%02d00000000000', user.number, day.key, item.number),
         1, 'lunch', 'A food with a name of ordinary length', 123456000000, 7800000000, 12300000000, 4500000000,
         1200000000, 345600000000, 'manual',
         'starter:a-food', null, null, 150, 'g', 1767225600000, 1767225600000, @basis
       from user, json_each(@days) as day, item`,
    )
    .run({ users, items: ENTRIES_A_DAY, days: JSON.stringify(DAYS), basis: BASIS });
  sqlite.close();
  renameSync(partial, file);
}

export function userName(user: number): string {
  return `user-${String(user).padStart(7, '0')}`;
}
