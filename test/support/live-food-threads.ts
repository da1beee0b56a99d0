import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Food } from '@larder/core/food.ts';
import { openDatabase } from '../../src/db/sqlite/database.ts';
import { type FoodQuota, NO_QUOTA } from '../../src/foods/own/food-quota.ts';
import { SharedRevision, type TenantFoodCachePorts } from '../../src/foods/own/tenant-food-cache.ts';
import { TenantFoodStore } from '../../src/foods/own/tenant-food-store.ts';
import { TenantFoodWriter } from '../../src/foods/own/tenant-food-writer.ts';
import { inOneTransaction } from './one-transaction.ts';
import { openTenantFoods } from './open-live-foods.ts';

interface ThreadOptions {
  /** Where it reads; the store itself unless it is stated. */
  readonly read?: TenantFoodCachePorts['store'];
  readonly maxBytes?: number;
  readonly quota?: FoodQuota;
}

export type TenantFoodThreads = Awaited<ReturnType<typeof openTenantFoodThreads>>;

/** The tenant foods of a process's threads, over one SQLite database. */
export async function openTenantFoodThreads() {
  const dir = await mkdtemp(join(tmpdir(), 'larder-live-'));
  const db = await openDatabase({ file: join(dir, 'larder.db') });
  const store = new TenantFoodStore(db);
  let memory = SharedRevision.createMemory();
  return {
    db: db.db,
    store,
    /** One API thread; all share the store and the memory cell. */
    thread({ read = store, maxBytes, quota = NO_QUOTA }: ThreadOptions = {}) {
      const cell = new SharedRevision({ memory });
      let keys = 0;
      return {
        foods: openTenantFoods({ store: read, cell, ...(maxBytes !== undefined && { maxBytes }) }),
        writer: new TenantFoodWriter({
          store,
          cell,
          quota,
          sharedQuota: quota,
          nowMs: () => 1_700_000_000_000,
          newKey: () => `key${keys++}`,
        }),
      };
    },
    /** Later threads belong to another process. */
    restart() {
      memory = SharedRevision.createMemory();
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
