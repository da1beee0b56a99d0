import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Food } from '@larder/core/food.ts';
import { ChangeHints } from '../../src/db/change-hints.ts';
import { openDatabase } from '../../src/db/sqlite/database.ts';
import type { CustomFoodCacheOptions } from '../../src/foods/custom/custom-food-cache.ts';
import { CustomFoodStore } from '../../src/foods/custom/custom-food-store.ts';
import { CustomFoodWriter } from '../../src/foods/custom/custom-food-writer.ts';
import { type FoodQuota, NO_QUOTA } from '../../src/foods/custom/food-quota.ts';
import { hintingWriter } from './hinting-writer.ts';
import { inOneTransaction } from './one-transaction.ts';
import { openCustomFoods } from './open-custom-foods.ts';

interface ThreadOptions {
  /** Store to read from; the thread's own store by default. */
  readonly read?: CustomFoodCacheOptions['store'];
  readonly maxBytes?: number;
  readonly quota?: FoodQuota;
}

export type CustomFoodThreads = Awaited<ReturnType<typeof openCustomFoodThreads>>;

/** The custom foods of a process's threads, over one SQLite database. */
export async function openCustomFoodThreads() {
  const dir = await mkdtemp(join(tmpdir(), 'larder-custom-'));
  const db = await openDatabase({ file: join(dir, 'larder.db') });
  let hints = new ChangeHints({ memory: ChangeHints.createMemory() });
  const store = new CustomFoodStore({
    ...db,
    writer: hintingWriter(db.writer, { raise: (owner) => hints.raise(owner) }),
  });
  return {
    db: db.db,
    store,
    /** One API thread; all share the store and the hints. */
    thread({ read = store, maxBytes, quota = NO_QUOTA }: ThreadOptions = {}) {
      let keys = 0;
      return {
        foods: openCustomFoods({ store: read, hints, ...(maxBytes !== undefined && { maxBytes }) }),
        writer: new CustomFoodWriter({
          store,
          quota,
          sharedQuota: quota,
          nowMs: () => 1_700_000_000_000,
          newKey: () => `key${keys++}`,
        }),
      };
    },
    /** Later threads belong to another process. */
    restart() {
      hints = new ChangeHints({ memory: ChangeHints.createMemory() });
    },
    /** In one transaction, with one sync. */
    putAll(foods: readonly Food[]): Promise<void> {
      return inOneTransaction(db, async () => {
        for (const food of foods) await store.put('acme', food);
      });
    },
    async close() {
      await db.close();
      await rm(dir, { recursive: true });
    },
  };
}
