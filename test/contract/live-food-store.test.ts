import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/adapters/embedded/database.ts';
import { SqliteLiveFoodStore } from '../../src/adapters/embedded/live-food-store.ts';
import { liveFoodStoreContract } from './live-food-store.ts';

liveFoodStoreContract('SQLite', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'larder-live-foods-'));
  const file = join(dir, 'larder.db');
  const [db, otherDb] = [await openDatabase({ file }), await openDatabase({ file })];
  return {
    store: new SqliteLiveFoodStore({ db }),
    other: new SqliteLiveFoodStore({ db: otherDb }),
    async close() {
      await Promise.all([db.destroy(), otherDb.destroy()]);
      await rm(dir, { recursive: true });
    },
  };
});
