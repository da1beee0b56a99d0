import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Food } from '../../src/catalogue/food/food.ts';
import { type FoodQuota, NO_QUOTA } from '../../src/catalogue/tenant-foods/food-quota.ts';
import { RevisionCell } from '../../src/catalogue/tenant-foods/shared-revision.ts';
import type { LiveFoodsPorts } from '../../src/catalogue/tenant-foods/tenant-food-cache.ts';
import { LiveFoodWriter } from '../../src/catalogue/tenant-foods/tenant-food-writer.ts';
import { openDatabase, toSql } from '../../src/storage/sqlite/database.ts';
import { SqlLiveFoodStore } from '../../src/storage/tenant-food-store.ts';
import { openLiveFoods } from './open-live-foods.ts';

interface ThreadOptions {
  /** Where it reads; the store itself unless it is stated. */
  readonly read?: LiveFoodsPorts['store'];
  readonly maxBytes?: number;
  readonly quota?: FoodQuota;
}

export type LiveFoodThreads = Awaited<ReturnType<typeof openLiveFoodThreads>>;

/** What the threads of a process have of live foods, over one SQLite database. */
export async function openLiveFoodThreads() {
  const dir = await mkdtemp(join(tmpdir(), 'larder-live-'));
  const db = await openDatabase({ file: join(dir, 'larder.db') });
  const store = new SqlLiveFoodStore(toSql(db));
  let memory = RevisionCell.createMemory();
  return {
    db,
    store,
    /** What one API thread has; all share the store and the cell's memory. */
    thread({ read = store, maxBytes, quota = NO_QUOTA }: ThreadOptions = {}) {
      const cell = new RevisionCell({ memory });
      let keys = 0;
      return {
        foods: openLiveFoods({ store: read, cell, ...(maxBytes !== undefined && { maxBytes }) }),
        writer: new LiveFoodWriter({
          store,
          cell,
          quota,
          sharedQuota: quota,
          nowMs: () => 1_700_000_000_000,
          newKey: () => `key${keys++}`,
        }),
      };
    },
    /** Threads from here on are those of another process. */
    restart() {
      memory = RevisionCell.createMemory();
    },
    /** In one transaction, which waits for the disk once. */
    putAll(foods: readonly Food[]): Promise<void> {
      return db.transaction().execute(async (transaction) => {
        const inside = new SqlLiveFoodStore({
          db: transaction,
          alone: (_table, write) => write(transaction),
        });
        for (const food of foods) await inside.put('acme', food);
      });
    },
    async close() {
      await db.destroy();
      await rm(dir, { recursive: true });
    },
  };
}
