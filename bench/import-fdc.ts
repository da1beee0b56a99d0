/**
 * Measures speed and memory of reading FoodData Central's CSV bundle. The bundle is generated: a tenth of the
 * full download's size, or with `--full` all of it (2 million branded foods, 26 million nutrient rows).
 */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openFdcSource } from '../src/foods/import/fdc/source.ts';

const FULL_FOODS = 2_000_000;
const NUTRIENTS = [1003, 1004, 1005, 1008, 1079, 1087, 1089, 1092, 1093, 1235, 1253, 1257, 1258];
const ROWS_PER_CHUNK = 1_000;

const foods = process.argv.includes('--full') ? FULL_FOODS : FULL_FOODS / 10;
const nutrientRows = foods * NUTRIENTS.length;
const folder = await mkdtemp(join(tmpdir(), 'larder-bench-'));

try {
  await generate();
  await measure();
} finally {
  await rm(folder, { recursive: true });
}

async function measure(): Promise<void> {
  const source = await openFdcSource(folder);
  let count = 0;
  let peakBytes = 0;
  const started = performance.now();
  const ignore = () => {};
  await source.read(
    { food: () => count++, skipped: ignore, broken: ignore, noticed: ignore },
    {
      onBytesRead: () => {
        peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
      },
    },
  );
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `${count.toLocaleString('en-US')} foods, ${nutrientRows.toLocaleString('en-US')} nutrient rows`,
  );
  console.log(`${(source.sizeBytes / 1e6 / seconds).toFixed(0)} MB/s, ${seconds.toFixed(1)} s`);
  console.log(
    `${Math.round(nutrientRows / seconds).toLocaleString('en-US')} nutrient rows/s with their foods`,
  );
  console.log(`${(peakBytes / 1e6).toFixed(0)} MB resident at most`);
}

async function generate(): Promise<void> {
  await write(
    'food.csv',
    '"fdc_id","data_type","description","food_category_id","publication_date"',
    foods,
    (at) => {
      return `"${1_000_000 + at}","branded_food","PRODUCT ${at}, CHOCOLATE CHIP COOKIES","","2024-10-31"`;
    },
  );
  await write(
    'branded_food.csv',
    '"fdc_id","brand_owner","brand_name","gtin_upc","ingredients","serving_size","serving_size_unit","household_serving_fulltext","modified_date"',
    foods,
    (at) =>
      `"${1_000_000 + at}","Owner ${at % 9_973}, Inc.","BRAND ${at % 997}","${String(70_000_000_000 + at).padStart(12, '0')}",` +
      `"WHEAT FLOUR, SUGAR, PALM OIL, COCOA, SALT, LECITHIN, NATURAL FLAVOR","${20 + (at % 80)}.0","g","${1 + (at % 5)} cookies","2023-05-23"`,
  );
  await write(
    'food_nutrient.csv',
    '"id","fdc_id","nutrient_id","amount","data_points","derivation_id","min","max","median","loq","footnote","min_year_acquired","percent_daily_value"',
    nutrientRows,
    (at) =>
      `"${at}","${1_000_000 + Math.floor(at / NUTRIENTS.length)}","${NUTRIENTS[at % NUTRIENTS.length]}","${(at % 10_000) / 100}","","70","","","","","","",""`,
  );
}

async function write(
  name: string,
  header: string,
  rows: number,
  rowAt: (at: number) => string,
): Promise<void> {
  function* chunks(): Generator<string> {
    yield `${header}\n`;
    for (let from = 0; from < rows; from += ROWS_PER_CHUNK) {
      let chunk = '';
      for (let at = from; at < Math.min(rows, from + ROWS_PER_CHUNK); at++) chunk += `${rowAt(at)}\n`;
      yield chunk;
    }
  }
  await pipeline(Readable.from(chunks()), createWriteStream(join(folder, name)));
}
