import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { publishFoods } from '../../../src/catalogue/import/publish-foods.ts';
import { ensureCatalogue, openShelf } from '../../../src/compose/shelf.ts';
import { type Product, toFood } from './products.ts';

/** Two catalogues that differ in nothing but the brand of every product. */
export const GENERATIONS = ['first', 'second'] as const;
export type Generation = (typeof GENERATIONS)[number];

/** Their names on the shelf. */
export type CatalogueNames = Readonly<Record<Generation, string>>;

/** Puts both on the shelf of this data folder, with the first in use. */
export async function shelveCatalogues(
  dataDir: string,
  products: readonly Product[],
): Promise<CatalogueNames> {
  await ensureCatalogue({ dataDir });
  const shelf = openShelf({ dataDir });
  const publish = (generation: Generation) =>
    publishFoods({
      shelf,
      origin: 'off',
      sources: [generation],
      foods: products.map((product) => toFood(product, generation)),
      clock: Date.now,
    });
  const names = { first: await publish('first'), second: await publish('second') };
  await shelf.use(names.first);
  return names;
}

/** The same shelf for another node. */
export function copyShelf(fromDataDir: string, toDataDir: string): void {
  for (const folder of ['catalogues', 'segments']) {
    cpSync(join(fromDataDir, folder), join(toDataDir, folder), { recursive: true });
  }
}
