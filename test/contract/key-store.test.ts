import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/adapters/embedded/database.ts';
import { SqliteKeyStore } from '../../src/adapters/embedded/key-store.ts';
import { keyStoreContract } from './key-store.ts';

keyStoreContract('SQLite', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'larder-keys-'));
  const file = join(dir, 'larder.db');
  const [db, otherDb] = [await openDatabase({ file }), await openDatabase({ file })];
  return {
    store: new SqliteKeyStore({ db }),
    other: new SqliteKeyStore({ db: otherDb }),
    async close() {
      await Promise.all([db.destroy(), otherDb.destroy()]);
      await rm(dir, { recursive: true });
    },
  };
});
