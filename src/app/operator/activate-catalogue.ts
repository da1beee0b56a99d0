import { Catalogue } from '../../foods/catalogue/catalogue.ts';
import { isReadableCatalogue } from '../../foods/catalogue/format.ts';
import { loadCatalogueImage } from '../../foods/catalogue/load-catalogue.ts';
import type { CatalogueStore } from '../../foods/compile/catalogue-store.ts';
import type { ImportProgress } from '../../foods/import/import-progress.ts';
import { rebuildCatalogue } from '../../foods/import/rebuild-catalogue.ts';

export interface ActivationOptions {
  readonly catalogueStore: CatalogueStore;
  readonly name: string;
  readonly progress: ImportProgress;
  readonly signal: AbortSignal;
}

/**
 * Activates a stored catalogue and returns the name of the one in use afterwards: one of another format
 * version is compiled again. Throws an `OperatorError` for a damaged one, so that the service need not reject
 * it.
 */
export async function activateStoredCatalogue({
  catalogueStore,
  name,
  progress,
  signal,
}: ActivationOptions): Promise<string> {
  const listed = (await catalogueStore.list()).find((one) => one.name === name);
  if (listed?.info !== undefined && !isReadableCatalogue(listed.info.formatVersion)) {
    return (await rebuildCatalogue({ catalogueStore, name, progress, nowMs: Date.now, signal })).catalogue;
  }
  if (listed !== undefined) Catalogue.open(await loadCatalogueImage(catalogueStore.pathOf(name)));
  await catalogueStore.use(name);
  return name;
}
