import { setTimeout as sleep } from 'node:timers/promises';
import { CatalogueStore } from '../catalogue/compile/catalogue-store.ts';
import type { ReadyFoods } from '../catalogue/import/complete-foods.ts';
import { publishFoods } from '../catalogue/import/complete-foods.ts';
import { readStarterFoods } from '../catalogue/starter/starter-foods.ts';
import type { Config } from '../config/config.ts';
import { LockedError } from '../files/process-lock.ts';
import { openDisk } from './disk.ts';

/** Many times what the foods that ship take; an import of others takes longer, and whoever starts is told of it. */
const MAX_WAIT_MS = 15_000;
const POLL_MS = 100;

export function openCatalogueStore(config: Pick<Config, 'dataDir' | 'diskReserveMb'>): CatalogueStore {
  return new CatalogueStore({ dataDir: config.dataDir, disk: openDisk(config), nowMs: Date.now });
}

/** The foods that ship with the project. */
export const STARTER = {
  origin: 'starter',
  sources: ['starter tables'],
  foods: { [Symbol.iterator]: readStarterFoods },
} as const satisfies ReadyFoods;

/**
 * Puts the foods that ship with the project on a catalogue store that has no catalogue yet. A service and its worker start
 * together: one does it, and the others wait for that.
 */
export async function ensureCatalogue(config: Pick<Config, 'dataDir'>): Promise<void> {
  // So little that it needs no reserve, and without it nothing starts.
  const catalogueStore = openCatalogueStore({ ...config, diskReserveMb: 0 });
  const givenUpAtMs = performance.now() + MAX_WAIT_MS;
  while ((await catalogueStore.current()) === undefined) {
    try {
      await publishFoods({ catalogueStore, ...STARTER, nowMs: Date.now });
    } catch (error) {
      if (!(error instanceof LockedError) || performance.now() > givenUpAtMs) throw error;
      await sleep(POLL_MS);
    }
  }
}
