import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Food } from '@larder/core/food.ts';
import { beforeEach, expect, test } from 'vitest';
import { customFood } from '../../test/support/custom-food.ts';
import { openCustomFoods } from '../../test/support/open-custom-foods.ts';
import { sampleFood } from '../../test/support/sample-foods.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { openCatalogueStore } from '../app/catalogue-store.ts';
import { openDatabase } from '../app/open-backend.ts';
import { readConfig } from '../config/config.ts';
import { Catalogue } from '../foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../foods/catalogue/load-catalogue.ts';
import { CustomFoodStore, EVERY_TENANT } from '../foods/custom/custom-food-store.ts';
import { FoodDirectory } from '../foods/visible-foods.ts';
import { createProgram } from './program.ts';

const JAM = '4006381333931';
const TEA = '3017620422003';
const jam = sampleFood('off', JAM, { name: 'Plum jam', barcode: JAM, source: 'third_party_api' });
const tea = sampleFood('fdc', '77', { name: 'Green tea', barcode: TEA, source: 'third_party_api' });

let folder: string;
beforeEach(() => {
  const temp = tempFolder();
  folder = temp.path;
  return () => temp[Symbol.dispose]();
});

test('foods from external services become part of the catalogue; custom foods do not', async () => {
  await put(EVERY_TENANT, jam);
  await put(EVERY_TENANT, tea);
  await put('acme', customFood({ name: 'Plum pie' }));
  await importOff(product('96385074', 'Oat bar'));

  const catalogue = await current();
  expect(catalogue.findById(jam.id)).toEqual(jam);
  expect(catalogue.findById(tea.id)).toEqual(tea);
  expect(catalogue.search('plum', 5)).toEqual([jam]);
  const finder = await directory(catalogue).of({ tenant: 'acme' });
  expect(finder.search('plum', 5).map(({ name }) => name)).toEqual(['Plum pie', 'Plum jam']);
});

test('later imports add newer external foods in one segment, and replace none', async () => {
  await put(EVERY_TENANT, jam);
  await importOff(product('96385074', 'Oat bar'));
  await put(EVERY_TENANT, tea);
  await importOff(product('96385074', 'Oat bar'), '--replace');
  const { info, ...catalogue } = await currentWithFoods();
  expect(info.segments.map(({ origin, foods }) => ({ origin, foods }))).toEqual([
    { origin: 'outside', foods: 2 },
    { origin: 'off', foods: 1 },
  ]);
  expect(catalogue.names).toEqual(expect.arrayContaining(['Oat bar', 'Plum jam', 'Green tea']));
});

test('an import takes precedence over an external food with the same id or barcode, which is found once', async () => {
  await put(EVERY_TENANT, jam);
  await put(EVERY_TENANT, tea);
  await importOff(`${product(JAM, 'Plum jam, imported')}\n${product(TEA, 'Green tea')}`);
  const catalogue = await current();
  expect(catalogue.info.foods).toBe(2);
  expect(catalogue.findById(jam.id)).toMatchObject({ name: 'Plum jam, imported', source: 'public_dataset' });
  const finder = await directory(catalogue).of({ tenant: 'acme' });
  for (const text of ['plum jam', 'green tea', TEA]) expect(finder.search(text, 5)).toHaveLength(1);
  expect(finder.findById(tea.id)).toBeDefined();
});

const env = () => ({ LARDER_DATA_DIR: join(folder, 'data') });
const config = () => readConfig(env());

async function put(tenant: string, food: Food): Promise<void> {
  const database = await openDatabase(config());
  await new CustomFoodStore(database).put(tenant, food);
  await database.close();
}

function directory(catalogue: Catalogue): Pick<FoodDirectory, 'of'> {
  return {
    async of(viewer) {
      const database = await openDatabase(config());
      const customFoods = openCustomFoods({ store: new CustomFoodStore(database) });
      const finder = await new FoodDirectory({ customFoods, catalogue: { current: catalogue } }).of(viewer);
      await database.close();
      return finder;
    },
  };
}

async function importOff(lines: string, ...words: string[]): Promise<void> {
  const file = join(folder, 'products.jsonl');
  writeFileSync(file, `${lines}\n`);
  const program = await createProgram({ env: env(), out: new PassThrough(), err: new PassThrough() });
  await program.parseAsync(['node', 'larder', 'import', 'off', file, '--no-starter', ...words]);
}

function product(code: string, name: string): string {
  const nutriments = {
    'energy-kcal_100g': 400,
    proteins_100g: 5,
    fat_100g: 10,
    carbohydrates_100g: 60,
    fiber_100g: 3,
  };
  return JSON.stringify({ code, product_name: name, nutriments });
}

async function current(): Promise<Catalogue> {
  const catalogueStore = openCatalogueStore(config());
  return Catalogue.open(await loadCatalogueImage(catalogueStore.pathOf((await catalogueStore.current())!)));
}

async function currentWithFoods() {
  const catalogue = await current();
  const names = [...catalogue.records()].map((record) => ('food' in record ? record.food.name : ''));
  return { info: catalogue.info, names };
}
