import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SealingDatabase } from '../../src/db/sql-database.ts';
import { openDatabase } from '../../src/db/sqlite/database.ts';

/** One SQLite file opened by two connections, with a store on each. */
export async function openTwice<Store>(toStore: (sql: SealingDatabase) => Store) {
  const dir = await mkdtemp(join(tmpdir(), 'larder-sqlite-'));
  const file = join(dir, 'larder.db');
  const [db, otherDb] = [await openDatabase({ file }), await openDatabase({ file })];
  return {
    store: toStore(db),
    other: toStore(otherDb),
    async close() {
      await Promise.all([db.close(), otherDb.close()]);
      await rm(dir, { recursive: true });
    },
  };
}
