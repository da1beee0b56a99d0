import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPEN_SOURCE } from '../../src/app/operator/import-files.ts';
import { Catalogue } from '../../src/foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../../src/foods/catalogue/load-catalogue.ts';
import { CatalogueStore } from '../../src/foods/compile/catalogue-store.ts';
import { runImport } from '../../src/foods/import/import-run.ts';

export interface ImportedProducts extends AsyncDisposable {
  readonly current: Catalogue;
}

/** A catalogue of products of Open Food Facts, with their facts. Each gets the nutrients that a food needs. */
export async function importProducts(products: readonly object[]): Promise<ImportedProducts> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-products-'));
  const nutriments = { 'energy-kcal_100g': 400, proteins_100g: 10, fat_100g: 20, carbohydrates_100g: 45 };
  const lines = products.map((product) => JSON.stringify({ nutriments, ...product }));
  const file = join(folder, 'products.jsonl');
  await writeFile(file, lines.join('\n'));
  const store = new CatalogueStore({ dataDir: folder, nowMs: Date.now });
  const { catalogue } = await runImport({
    origin: 'off',
    sources: [await OPEN_SOURCE.off(file)],
    catalogueStore: store,
    replace: true,
    putInUse: true,
    progress: { begin() {}, update() {}, end() {} },
    nowMs: Date.now,
    signal: new AbortController().signal,
  });
  const path = store.pathOf(catalogue);
  const current = Catalogue.open(await loadCatalogueImage(path), path);
  return {
    current,
    async [Symbol.asyncDispose]() {
      await current.close();
      await rm(folder, { recursive: true });
    },
  };
}
