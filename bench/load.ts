/**
 * Measures how long a start takes to load and verify the catalogue. Goal: 1 s for 3.9 M foods.
 *
 *     npm run bench -- load [--foods 3900000]
 */
import { parseArgs } from 'node:util';
import { Catalogue } from '../src/foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../src/foods/catalogue/load-catalogue.ts';
import { ensureGeneratedCatalogue } from './support/generated-catalogue.ts';
import { megabytes } from './support/search-figures.ts';

const RUNS = 5;
const { values } = parseArgs({ options: { foods: { type: 'string', default: '3900000' } } });
const file = ensureGeneratedCatalogue(Number(values.foods));

const before = process.memoryUsage().rss;
for (let run = 1; run <= RUNS; run++) {
  const startedAt = performance.now();
  const image = await loadCatalogueImage(file);
  const loadedAt = performance.now();
  const { info } = Catalogue.open(image);
  const openedAt = performance.now();
  console.log(
    `${info.foods} foods, ${megabytes(info.bytes)}: loaded and checked in ${((loadedAt - startedAt) / 1000).toFixed(2)} s, ` +
      `opened in ${(openedAt - loadedAt).toFixed(1)} ms, memory grew by ${megabytes(process.memoryUsage().rss - before)}`,
  );
  globalThis.gc?.();
}
