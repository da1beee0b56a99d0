/**
 * Measures the cost of facts: times of facts of one product and of filtered searches, and search, barcode, disk and memory with
 * facts beside those of the same catalogue without.
 *
 *     npm run bench -- facts [--products 400000] [--queries 300] [--rounds 5]
 *
 * Products are rows of a real export of Open Food Facts with their facts, repeated with other codes and with 570,000 real names.
 * Goals: facts of one product p50 0.3 ms and p99 3 ms from a warm disk, a filtered search at most twice the unfiltered one.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { parseBarcode } from '@larder/core/codes/scanned-code.ts';
import { OPEN_SOURCE } from '../src/app/operator/import-files.ts';
import { Catalogue } from '../src/foods/catalogue/catalogue.ts';
import type { FoodFilter } from '../src/foods/catalogue/catalogue-facts.ts';
import { loadCatalogueImage } from '../src/foods/catalogue/load-catalogue.ts';
import { CatalogueStore } from '../src/foods/compile/catalogue-store.ts';
import { runImport } from '../src/foods/import/import-run.ts';
import { codeOf, generateCsv } from './support/off-exports.ts';
import { timingOf, toText } from './support/search-figures.ts';
import { Random } from './support/search-random.ts';

const NAMES = new URL('../../shared/data/off/products_2019.tsv.gz', import.meta.url);
const WORLD_PRODUCTS = 3_900_000;
const LOOK_UPS = 5_000;
const LIMIT = 20;
const KB = 1_000;
const MB = 1_000_000;
const FILTERS: Readonly<Record<string, FoodFilter>> = {
  'diet=vegan': { diet: 'vegan' },
  'without=milk,gluten': { without: ['milk', 'gluten'] },
  'country=fr': { countries: ['en:france', 'en:world'] },
  'category=en:snacks': { categories: ['en:snacks'] },
  'grade=a,b': { grades: ['a', 'b'] },
  'diet=vegan&without=milk,nuts&country=fr': {
    diet: 'vegan',
    without: ['milk', 'nuts'],
    countries: ['en:france', 'en:world'],
  },
};

const { values } = parseArgs({
  options: {
    products: { type: 'string', default: '400000' },
    queries: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '5' },
    /** The catalogue whose memory this process measures, instead of comparing. */
    memory: { type: 'string' },
  },
});
const random = new Random({ seed: 7 });
const products = Number(values.products);
const names = readNames();
const queries = Array.from({ length: Number(values.queries) }, () =>
  queryOf(names[random.below(names.length)]!),
);
const ids = Array.from({ length: LOOK_UPS }, () => codeOf(random.below(products)));

if (values.memory === undefined) await compareAll();
else await tellMemory(values.memory);

async function compareAll(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'larder-bench-facts-'));
  try {
    const { file, from } = generateCsv(join(folder, 'products.csv'), products, names);
    console.log(`${products} products of ${from}, ${queries.length} queries`);
    const withFacts = await importInto(join(folder, 'all'), file, true);
    const without = await importInto(join(folder, 'none'), file, false);
    rmSync(file);
    tellSizes(withFacts, without);
    const all = Catalogue.open(await loadCatalogueImage(withFacts), withFacts);
    const none = Catalogue.open(await loadCatalogueImage(without), without);
    await timeFacts(all);
    await timeFilters(all);
    await pair(all, none);
    await Promise.all([all.close(), none.close()]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The file of the catalogue. */
async function importInto(dataDir: string, file: string, facts: boolean): Promise<string> {
  const catalogueStore = new CatalogueStore({ dataDir, nowMs: Date.now });
  const startedAt = performance.now();
  const { catalogue, foods } = await runImport({
    origin: 'off',
    sources: [await OPEN_SOURCE.off(file)],
    catalogueStore,
    facts,
    replace: true,
    putInUse: true,
    progress: { begin() {}, update() {}, end() {} },
    nowMs: Date.now,
    signal: new AbortController().signal,
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(`${facts ? 'with' : 'without'} facts: ${foods} foods imported in ${seconds} s`);
  return catalogueStore.pathOf(catalogue);
}

function tellSizes(withFacts: string, without: string): void {
  const [all, none] = [withFacts, without].map((file) => statSync(file).size) as [number, number];
  const ofFacts = (all - none) / products;
  console.log(
    `disk: ${(all / MB).toFixed(0)} MB with facts, ${(none / MB).toFixed(0)} MB without: ${ofFacts.toFixed(0)} bytes of facts a product ` +
      `(EXTRAPOLATED to ${WORLD_PRODUCTS} products: ${((ofFacts * WORLD_PRODUCTS) / 1e9).toFixed(2)} GB)`,
  );
  const [allRss, noneRss] = [withFacts, without].map(memoryOf) as [number, number];
  const more = (100 * (allRss - noneRss)) / noneRss;
  const each = (rss: number) =>
    `${(rss / MB).toFixed(0)} MB (${(rss / KB / products).toFixed(2)} kB a product)`;
  console.log(
    `memory of a process after searches, look-ups, facts and filters: ${each(allRss)} with facts, ${each(noneRss)} without, ${more.toFixed(1)} % more`,
  );
}

function memoryOf(file: string): number {
  const args = ['--expose-gc', import.meta.filename, '--memory', file, '--products', values.products];
  const { stdout, status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

/** Prints the memory of this process after it has used all of a catalogue. */
async function tellMemory(file: string): Promise<void> {
  const catalogue = Catalogue.open(await loadCatalogueImage(file), file);
  for (const query of queries) catalogue.search(query, LIMIT);
  for (const id of ids) catalogue.findByBarcode(parseBarcode(id));
  for (const id of ids) await catalogue.factsOf(`off:${id}`);
  for (const filter of Object.values(FILTERS)) await catalogue.checkOf(filter);
  globalThis.gc!();
  console.log(process.memoryUsage().rss);
}

/** Random products, so that nearly every block is read anew; the file is in the cache of the system. */
async function timeFacts(catalogue: Catalogue): Promise<void> {
  const stated: string[] = [];
  for (const id of ids) if ((await catalogue.factsOf(`off:${id}`)) !== undefined) stated.push(id);
  const times: number[] = [];
  for (const id of stated) {
    const startedAt = performance.now();
    await catalogue.factsOf(`off:${id}`);
    times.push(performance.now() - startedAt);
  }
  const timing = timingOf(times);
  console.log(`\n${''.padEnd(44)}      p50      p95      p99      max ms`);
  console.log(`${`facts of one product (${stated.length} products)`.padEnd(44)}${toText(timing)}`);
}

async function timeFilters(catalogue: Catalogue): Promise<void> {
  const unfiltered = timingOf(searchTimes((query) => catalogue.search(query, LIMIT)));
  console.log(`${'search without a filter'.padEnd(44)}${toText(unfiltered)}`);
  for (const [name, filter] of Object.entries(FILTERS)) {
    const startedAt = performance.now();
    const check = await catalogue.checkOf(filter);
    const firstMs = performance.now() - startedAt;
    let found = 0;
    const filtered = timingOf(
      searchTimes((query) => {
        found += catalogue.search(query, LIMIT, { filter: check }).length;
      }),
    );
    const ratio = (filtered.p50 / unfiltered.p50).toFixed(2);
    const perQuery = (found / queries.length / Number(values.rounds)).toFixed(1);
    console.log(
      `${name.padEnd(44)}${toText(filtered)}  p50 ${ratio} times the unfiltered, ${perQuery} found, first use ${firstMs.toFixed(1)} ms`,
    );
  }
}

/** The fastest of the rounds of each query, since others use the machine, too. */
function searchTimes(search: (query: string) => unknown): number[] {
  const best = queries.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [at, query] of queries.entries())
      best[at] = Math.min(
        best[at]!,
        timeOf(() => search(query)),
      );
  }
  return best;
}

/** Each query and code on both catalogues, one after the other, in changing order. */
async function pair(all: Catalogue, none: Catalogue): Promise<void> {
  const codes = ids.map(parseBarcode);
  const kinds = {
    search: queries.map((query) => (catalogue: Catalogue) => catalogue.search(query, LIMIT)),
    barcode: codes.map((code) => (catalogue: Catalogue) => catalogue.findByBarcode(code)),
  };
  for (const [kind, calls] of Object.entries(kinds)) {
    const ratios: number[] = [];
    for (let round = 0; round <= Number(values.rounds); round++) {
      const [first, second] = round % 2 === 0 ? [all, none] : [none, all];
      const [firstMs, secondMs] = [first, second].map((catalogue) =>
        timeOf(() => {
          for (const call of calls) call(catalogue);
        }),
      ) as [number, number];
      const ratio = first === all ? firstMs / secondMs : secondMs / firstMs;
      // The first round warms up.
      if (round > 0) ratios.push(ratio);
    }
    ratios.sort((a, b) => a - b);
    const [low, high] = [ratios[0]!, ratios.at(-1)!].map((ratio) => ratio.toFixed(3));
    console.log(
      `${kind}: ${ratios[ratios.length >> 1]!.toFixed(3)} times as long with facts as without, median of ${ratios.length} paired rounds (${low} to ${high})`,
    );
  }
}

function timeOf(call: () => unknown): number {
  const startedAt = performance.now();
  call();
  return performance.now() - startedAt;
}

function readNames(): readonly string[] {
  return gunzipSync(readFileSync(NAMES))
    .toString('utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t')[1] ?? '')
    .filter((name) => name.length > 2);
}

/** One to three words of a name, as people type them. */
function queryOf(name: string): string {
  return name
    .toLowerCase()
    .split(/\s+/)
    .slice(0, 1 + random.below(3))
    .join(' ');
}
