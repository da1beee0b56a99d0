import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runLarder } from '../../../test/support/run-larder.ts';
import { zipOf } from '../../../test/support/zip.ts';
import { openCatalogueStore } from '../../app/catalogue-store.ts';
import { readConfig } from '../../config/config.ts';
import { Catalogue } from '../../foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../../foods/catalogue/load-catalogue.ts';

let dir: string;
let env: Record<string, string>;
let server: Server;
/** Files of the fake server by path. */
let pages: Record<string, string | Buffer>;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'larder-import-'));
  pages = { '/datasets': '<a href="/files/FoodData_Central_csv_2026-04-30.zip">' };
  server = createServer(({ url = '' }, response) => {
    const page = pages[url];
    if (page === undefined) response.writeHead(404).end();
    else response.end(page);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  env = {
    LARDER_DATA_DIR: join(dir, 'data'),
    LARDER_FDC_EXPORT_URL: `${base}/datasets`,
    LARDER_OFF_EXPORT_URL: `${base}/off.jsonl.gz`,
  };
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  await rm(dir, { recursive: true });
});

const larder = async (...words: string[]) => JSON.parse(await runLarder(env, 'import', ...words));

/** A download of generic foods, all with the same nutrients. */
function download(...ids: number[]): Buffer {
  const nutrients = [1008, 1003, 1004, 1005];
  const table = (...rows: string[]) => rows.join('\n');
  return zipOf({
    'FoodData_Central/food.csv': table(
      'fdc_id,data_type,description',
      ...ids.map((id) => `${id},foundation_food,Food number ${id}`),
    ),
    'FoodData_Central/food_nutrient.csv': table(
      'fdc_id,nutrient_id,amount',
      ...ids.flatMap((id) => nutrients.map((nutrient) => `${id},${nutrient},10`)),
    ),
    'FoodData_Central/food_portion.csv': 'fdc_id,gram_weight\n',
  });
}

function publish(...ids: number[]): void {
  pages['/files/FoodData_Central_csv_2026-04-30.zip'] = download(...ids);
}

async function idsInUse(): Promise<string[]> {
  const catalogueStore = openCatalogueStore(readConfig(env));
  const name = await catalogueStore.current();
  const catalogue = Catalogue.open(await loadCatalogueImage(catalogueStore.pathOf(name ?? '')));
  return [1, 2, 3].map((id) => `fdc:${id}`).filter((id) => catalogue.findById(id) !== undefined);
}

function downloads(): Promise<string[]> {
  return readdir(join(dir, 'data', 'downloads', 'fdc'));
}

describe('without a file argument', () => {
  test('the newest export is downloaded, imported, activated and deleted', async () => {
    publish(1, 2);
    expect(await larder('fdc', '--json')).toMatchObject({ origin: 'fdc', read: 2, kept: 2 });
    expect(await idsInUse()).toEqual(['fdc:1', 'fdc:2']);
    expect(await downloads()).toEqual([]);
  });

  test('it replaces earlier imports of the source unless --add is given', async () => {
    publish(1);
    await larder('fdc', '--json');
    publish(2);
    await larder('fdc', '--json');
    expect(await idsInUse()).toEqual(['fdc:2']);
    publish(3);
    await larder('fdc', '--json', '--add');
    expect(await idsInUse()).toEqual(['fdc:2', 'fdc:3']);
  });

  test('--keep-download keeps the file', async () => {
    publish(1);
    await larder('fdc', '--json', '--keep-download');
    expect(await downloads()).toContain('FoodData_Central_csv_2026-04-30.zip');
  });

  test('a damaged export leaves the catalogue unchanged, and the next run downloads it again', async () => {
    publish(1);
    await larder('fdc', '--json');
    pages['/files/FoodData_Central_csv_2026-04-30.zip'] = download(2).subarray(0, 500);
    await expect(larder('fdc')).rejects.toThrow(/cannot be read as a zip archive/);
    expect(await idsInUse()).toEqual(['fdc:1']);
    expect(await downloads()).toEqual([]);
    publish(2);
    await larder('fdc', '--json');
    expect(await idsInUse()).toEqual(['fdc:2']);
  });

  test('the export of Open Food Facts is downloaded the same way', async () => {
    const nutriments = { 'energy-kcal_100g': 400, proteins_100g: 5, fat_100g: 10, carbohydrates_100g: 70 };
    const product = { code: '4006381333931', product_name: 'Cookies', nutriments };
    pages['/off.jsonl.gz'] = gzipSync(`${JSON.stringify(product)}\n`);
    expect(await larder('off', '--json')).toMatchObject({ origin: 'off', kept: 1, files: ['off.jsonl.gz'] });
    expect(await readdir(join(dir, 'data', 'downloads', 'off'))).toEqual([]);
  });

  test('for a page without an export, the error names the setting', async () => {
    pages['/datasets'] = 'moved';
    await expect(larder('fdc')).rejects.toThrow(/LARDER_FDC_EXPORT_URL/);
  });
});

test('named files are added to earlier imports, and a report is written beside', async () => {
  publish(1);
  await larder('fdc', '--json');
  const file = join(dir, 'more.zip');
  await writeFile(file, download(2));
  const report = join(dir, 'report.json');
  const printed = await larder('fdc', file, '--json', '--report', report);
  expect(JSON.parse(await readFile(report, 'utf8'))).toEqual(printed);
  expect(await idsInUse()).toEqual(['fdc:1', 'fdc:2']);
});

test('a composition table is imported under its own origin', async () => {
  const file = join(dir, 'table.json');
  const oats = { nome_en: 'Oats', calorie: 343, proteine: 11, grassi: 7, carboidrati_disponibili: 54 };
  await writeFile(file, JSON.stringify([oats]));
  const report = await larder('composition', file, '--origin', 'bls', '--json');
  expect(report).toMatchObject({ origin: 'bls', read: 1, kept: 1, files: ['table.json'] });
});
