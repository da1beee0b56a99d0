import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runLarder } from '../../../test/support/run-larder.ts';
import { sampleFood } from '../../../test/support/sample-foods.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { openCatalogueStore, STARTER } from '../../app/catalogue-store.ts';
import { readConfig } from '../../config/config.ts';
import { Catalogue } from '../../foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../../foods/catalogue/load-catalogue.ts';
import { addFoods } from '../../foods/import/complete-foods.ts';

const SHIPPED = Array.from(STARTER.foods);
const PRODUCT = {
  code: '96385074',
  product_name: 'Oat bar',
  nutriments: { 'energy-kcal_100g': 400, proteins_100g: 10, carbohydrates_100g: 60, fat_100g: 13 },
};

let env: Record<string, string>;
beforeEach(() => {
  const temp = tempFolder();
  env = { LARDER_DATA_DIR: temp.path };
  return () => temp[Symbol.dispose]();
});

const larder = (...words: string[]) => runLarder(env, ...words);

async function inUse(): Promise<Catalogue> {
  const catalogueStore = openCatalogueStore(readConfig(env));
  return Catalogue.open(await loadCatalogueImage(catalogueStore.pathOf((await catalogueStore.current())!)));
}

const publish = (origin: 'starter' | 'off', name: string) =>
  addFoods({
    catalogueStore: openCatalogueStore(readConfig(env)),
    origin,
    sources: ['test'],
    foods: [sampleFood(origin, '1', { name })],
    nowMs: () => 0,
  });

test('the foods of this version replace those of an earlier one; imported foods stay', async () => {
  await publish('starter', 'A food of an earlier version');
  await publish('off', 'Oat bar');
  const printed = JSON.parse(await larder('import', 'starter', '--json'));
  const catalogue = await inUse();
  expect(printed.catalogue).toMatchObject({ foods: SHIPPED.length + 1, inUse: true });
  expect(catalogue.info.segments.map(({ origin, foods }) => ({ origin, foods }))).toEqual([
    { origin: 'starter', foods: SHIPPED.length },
    { origin: 'off', foods: 1 },
  ]);
  expect(catalogue.findById(sampleFood('starter', '1').id)).toBeUndefined();
  expect(catalogue.search('oat bar', 5).map(({ name }) => name)).toContain('Oat bar');
  for (const { id } of SHIPPED) expect(catalogue.findById(id)?.id).toBe(id);
});

test('import starter adds them if an import left them out', async () => {
  const file = join(env['LARDER_DATA_DIR']!, 'a.jsonl');
  writeFileSync(file, JSON.stringify(PRODUCT));
  await larder('import', 'off', file, '--no-starter');
  expect((await inUse()).info.foods).toBe(1);
  await larder('import', 'starter');
  expect((await inUse()).info.foods).toBe(SHIPPED.length + 1);
});

test('--keep-current builds without switching', async () => {
  const before = await publish('off', 'Oat bar');
  const printed = JSON.parse(await larder('import', 'starter', '--keep-current', '--json'));
  expect(printed.catalogue.inUse).toBe(false);
  const catalogueStore = openCatalogueStore(readConfig(env));
  expect(await catalogueStore.current()).toBe(before);
  await larder('catalogue', 'use', printed.catalogue.name);
  expect((await inUse()).info.foods).toBe(SHIPPED.length + 1);
});
