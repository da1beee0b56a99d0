import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { openDatabase } from '../../src/adapters/embedded/database.ts';
import { ENTRY_COLUMNS, entryRow } from '../../src/adapters/sql/diary-rows.ts';
import { type Day, daysOf } from '../../src/diary/day.ts';
import { newEntry } from '../../test/support/diary-entries.ts';

const FOLDER = join(tmpdir(), 'larder-bench');
export const ENTRIES_A_DAY = 15;
const DAYS = daysOf({ from: '2026-01-01' as Day, to: '2026-04-10' as Day });

export interface StoredDiary {
  readonly file: string;
  readonly users: number;
  readonly days: readonly Day[];
}

/** A database with about `entries` entries, 15 a day on 100 days of each user; kept between runs. */
export async function ensureStoredDiary(entries: number): Promise<StoredDiary> {
  const file = join(FOLDER, `diary-${entries}.db`);
  const users = Math.ceil(entries / (ENTRIES_A_DAY * DAYS.length));
  if (!existsSync(file)) await write(file, users);
  return { file, users, days: DAYS };
}

async function write(file: string, users: number): Promise<void> {
  console.log(`writing ${users * DAYS.length * ENTRIES_A_DAY} entries, once`);
  mkdirSync(FOLDER, { recursive: true });
  const partial = `${file}.partial`;
  rmSync(partial, { force: true });
  await (await openDatabase({ file: partial })).destroy();
  const sqlite = new Sqlite(partial);
  sqlite.pragma('journal_mode = OFF');
  sqlite.pragma('synchronous = OFF');
  sqlite.pragma('cache_size = -1000000');
  const places = ENTRY_COLUMNS.replaceAll(/\w+/g, '?');
  const insert = sqlite.prepare(
    `insert into diary_entries (tenant_id, user_id, ${ENTRY_COLUMNS}) values (?, ?, ${places})`,
  );
  const amounts = { calories: 123.456, protein: 7.8, carbs: 12.3, fat: 4.5, fiber: 1.2, sodium: 345.6 };
  for (let user = 0; user < users; user++) {
    const owner = { tenant: 'bench', userId: userName(user) };
    sqlite.transaction(() => {
      for (const date of DAYS) {
        for (let i = 0; i < ENTRIES_A_DAY; i++) {
          insert.run(entryRow(owner, newEntry({ date, amounts, quantity: 150, unit: 'g' })));
        }
      }
    })();
  }
  sqlite.close();
  renameSync(partial, file);
}

export function userName(user: number): string {
  return `user-${String(user).padStart(7, '0')}`;
}
