/**
 * How long does a barcode look-up take in process, hit and miss? Goal: 2 us.
 *
 *     npm run bench -- barcode [--foods 3900000] [--lookups 500000]
 */
import { parseArgs } from 'node:util';
import { parseBarcode } from '@larder/core/codes/scanned-code.ts';
import { Catalogue } from '../src/foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../src/foods/catalogue/load-catalogue.ts';
import { ensureGeneratedCatalogue } from './support/generated-catalogue.ts';
import { generatedBarcode } from './support/generated-foods.ts';
import { percentile } from './support/search-figures.ts';
import { Random } from './support/search-random.ts';

const { values } = parseArgs({
  options: {
    foods: { type: 'string', default: '3900000' },
    lookups: { type: 'string', default: '500000' },
  },
});
const count = Number(values.foods);
const lookups = Number(values.lookups);
const catalogue = Catalogue.open(await loadCatalogueImage(ensureGeneratedCatalogue(count)));
const random = new Random({ seed: 42 });
const hits = Array.from({ length: lookups }, () => generatedBarcode(random.below(count)));
const misses = Array.from({ length: lookups }, () => generatedBarcode(count + random.below(count)));

console.log(`${catalogue.info.foods} foods, ${lookups} look-ups each`);
for (const [name, barcodes] of Object.entries({ hit: hits, miss: misses })) {
  const codes = barcodes.map(parseBarcode);
  measure(`${name}, index and food`, codes, (code) => catalogue.findByBarcode(code));
  measure(`${name}, from the digits on`, barcodes, (barcode) =>
    catalogue.findByBarcode(parseBarcode(barcode)),
  );
}

/**
 * The means come from a run without a clock inside the loop, both as elapsed time and as processor time;
 * processor time depends less on other programs. The percentiles are of single calls and include the clock.
 */
function measure<T>(name: string, inputs: readonly T[], lookUp: (input: T) => unknown): void {
  let found = 0;
  for (const input of inputs.slice(0, 20_000)) if (lookUp(input) !== undefined) found++;
  found = 0;
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  for (const input of inputs) if (lookUp(input) !== undefined) found++;
  const cpu = process.cpuUsage(cpuBefore);
  const meanUs = ((performance.now() - startedAt) * 1000) / inputs.length;
  const cpuUs = (cpu.user + cpu.system) / inputs.length;
  const single = new Float64Array(Math.min(inputs.length, 100_000));
  for (let i = 0; i < single.length; i++) {
    const before = process.hrtime.bigint();
    lookUp(inputs[i]!);
    single[i] = Number(process.hrtime.bigint() - before) / 1000;
  }
  single.sort();
  console.log(
    `${name.padEnd(26)} mean ${meanUs.toFixed(2)} us (processor ${cpuUs.toFixed(2)})  p50 ${percentile(single, 0.5).toFixed(2)} us  ` +
      `p99 ${percentile(single, 0.99).toFixed(2)} us  found ${found}`,
  );
}
