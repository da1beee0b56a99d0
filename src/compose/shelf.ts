import { FolderCatalogueShelf } from '../adapters/embedded/catalogue-shelf.ts';
import type { CatalogueShelf } from '../catalogue/catalogue-shelf.ts';
import { publishFoods } from '../catalogue/import/publish-foods.ts';
import type { ReadyFoods } from '../catalogue/import/ready-segment.ts';
import { readStarterFoods } from '../catalogue/starter/starter-foods.ts';
import type { Config } from '../config.ts';

export function openShelf({ dataDir }: Pick<Config, 'dataDir'>): CatalogueShelf {
  return new FolderCatalogueShelf({ dataDir, clock: Date.now });
}

/** The foods that ship with the project. */
export const STARTER = {
  origin: 'starter',
  sources: ['starter tables'],
  foods: { [Symbol.iterator]: readStarterFoods },
} as const satisfies ReadyFoods;

/** Puts the foods that ship with the project on a shelf that has no catalogue yet. */
export async function ensureCatalogue(config: Pick<Config, 'dataDir'>): Promise<void> {
  const shelf = openShelf(config);
  if ((await shelf.current()) !== undefined) return;
  await publishFoods({
    shelf,
    ...STARTER,
    clock: Date.now,
  });
}
