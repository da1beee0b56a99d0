import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Origin } from '@larder/core/food.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OPEN_SOURCE } from '../../app/operator/import-files.ts';
import { Catalogue } from '../catalogue/catalogue.ts';
import { DamagedFactsError } from '../catalogue/facts-file.ts';
import {
  loadCatalogueImage,
  readCatalogueSections,
  verifyFactsSections,
} from '../catalogue/load-catalogue.ts';
import { CatalogueStore } from '../compile/catalogue-store.ts';
import { runImport } from './import-run.ts';
import { rebuildCatalogue } from './rebuild-catalogue.ts';

const NOW = Date.UTC(2026, 10, 30);
const PROGRESS = { begin() {}, update() {}, end() {} };
const REAL = new URL('../../../../shared/data/', import.meta.url).pathname;

let folder: string;
let store: CatalogueStore;
let now = NOW;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-facts-'));
  store = new CatalogueStore({ dataDir: folder, nowMs: () => now++ });
});
afterEach(() => rm(folder, { recursive: true }));

const SPREAD = {
  code: '3017620422003',
  lang: 'fr',
  languages_codes: { fr: 3, de: 1 },
  product_name: 'Pâte à tartiner',
  generic_name_fr: 'Pâte à tartiner aux noisettes',
  ingredients_text: 'Sucre, _noisettes_ 13 %, &amp; _lait_',
  ingredients_text_fr: 'Sucre, _noisettes_ 13 %, &amp; _lait_',
  ingredients_text_de: 'Zucker, _Haselnüsse_ 13 %, _Milch_',
  allergens_tags: ['en:nuts', 'en:milk'],
  traces_tags: ['en:peanuts'],
  additives_tags: ['en:e322'],
  labels_tags: ['en:vegetarian'],
  categories_tags: ['en:spreads', 'en:hazelnut-spreads'],
  countries_tags: ['en:france', 'en:germany'],
  packaging_tags: ['en:glass-jar'],
  ingredients_analysis_tags: ['en:palm-oil', 'en:non-vegan', 'en:maybe-vegetarian'],
  nutriscore_grade: 'e',
  nova_group: 4,
  environmental_score_grade: 'd',
  quantity: '400 g',
  link: 'https://maker.example/spread',
  images: { front_de: { rev: '9' }, front_fr: { rev: 4 }, 1: { rev: 1 } },
  data_quality_errors_tags: [],
  data_quality_warnings_tags: ['en:some-doubt'],
  created_t: 1_500_000_000,
  last_modified_t: 1_600_000_000,
  nutriments: {
    'energy-kcal_100g': 539,
    proteins_100g: 6,
    fat_100g: 31,
    carbohydrates_100g: 57,
    'vitamin-e_100g': 0.005,
    magnesium_100g: 0.06,
    'monounsaturated-fat_100g': 131,
    'grandmas-secret_100g': 1,
  },
};
const EXPECTED = {
  nutrients: { vitaminE: 5, magnesium: 60 },
  genericNames: { fr: 'Pâte à tartiner aux noisettes' },
  ingredients: { fr: 'Sucre, noisettes 13 %, & lait', de: 'Zucker, Haselnüsse 13 %, Milch' },
  allergens: ['en:nuts', 'en:milk'],
  traces: ['en:peanuts'],
  additives: ['en:e322'],
  labels: ['en:vegetarian'],
  categories: ['en:spreads', 'en:hazelnut-spreads'],
  countries: ['en:france', 'en:germany'],
  packaging: ['en:glass-jar'],
  vegan: 'no',
  vegetarian: 'yes',
  palmOil: 'yes',
  nutriScore: 'e',
  nova: 4,
  environmentalScore: 'd',
  quantity: '400 g',
  images: {
    front: 'https://images.openfoodfacts.org/images/products/301/762/042/2003/front_fr.4.400.jpg',
  },
  qualityNotes: ['en:some-doubt'],
  link: 'https://maker.example/spread',
  createdAt: 1_500_000_000,
  updatedAt: 1_600_000_000,
};
const PLAIN = {
  code: '4006381333931',
  product_name: 'Plain thing',
  nutriments: { 'energy-kcal_100g': 100, proteins_100g: 5, fat_100g: 5, carbohydrates_100g: 10 },
};

test('an import keeps what Open Food Facts says of a product, and counts what it leaves out', async () => {
  const { report } = await importLines([SPREAD, PLAIN]);
  const catalogue = await current();
  expect(await catalogue.factsOf('off:3017620422003')).toEqual({ ...EXPECTED, ids: ['off:3017620422003'] });
  expect(await catalogue.factsOf('off:4006381333931')).toBeUndefined();
  expect(await catalogue.factsOf('off:1')).toBeUndefined();
  expect(report.noticed.reasons.map(({ reason, count, example }) => [reason, count, example])).toEqual([
    ['a nutrient that is not kept', 1, 'grandmas-secret of 3017620422003 Pâte à tartiner'],
    ['an impossible amount of a nutrient left out', 1, 'monounsaturatedFat of 3017620422003 Pâte à tartiner'],
  ]);
});

test('the schema since 1003 has the same facts', async () => {
  const { nutriments: _, images: __, ...others } = SPREAD;
  const nutrients = {
    'energy-kcal': { value: 539, unit: 'kcal' },
    proteins: { value: 6, unit: 'g' },
    fat: { value: 31, unit: 'g' },
    carbohydrates: { value: 57, unit: 'g' },
    'vitamin-e': { value: 5, unit: 'mg' },
    magnesium: { value: 60_000, unit: 'mcg' },
  };
  await importLines([
    {
      ...others,
      schema_version: 1003,
      nutrition: { aggregated_set: { per: '100g', nutrients } },
      images: { selected: { front: { de: { rev: '9' }, fr: { rev: '4' } } } },
    },
  ]);
  expect(await (await current()).factsOf('off:3017620422003')).toEqual({
    ...EXPECTED,
    ids: ['off:3017620422003'],
  });
});

test('values of a serving count by its weight', async () => {
  const nutrients = {
    'energy-kcal': { value: 50, unit: 'kcal' },
    proteins: { value: 1, unit: 'g' },
    fat: { value: 1, unit: 'g' },
    carbohydrates: { value: 9, unit: 'g' },
    'vitamin-c': { value: 12, unit: 'mg' },
  };
  await importLines([
    {
      ...PLAIN,
      serving_size: '50 g',
      serving_quantity: 50,
      nutrition: { aggregated_set: { per: 'serving', nutrients } },
    },
  ]);
  expect(await (await current()).factsOf('off:4006381333931')).toEqual({
    ids: ['off:4006381333931'],
    nutrients: { vitaminC: 24 },
  });
});

test('a table has the same facts, as far as its columns go', async () => {
  const columns = {
    code: '3017620422003',
    lc: 'fr',
    product_name: 'Pâte à tartiner',
    generic_name: 'Pâte à tartiner aux noisettes',
    quantity: '400 g',
    ingredients_text: 'Sucre, _noisettes_',
    ingredients_analysis_tags: 'en:palm-oil,en:non-vegan',
    allergens: 'en:nuts,en:milk',
    traces_tags: 'en:peanuts',
    categories_tags: 'en:spreads',
    countries_tags: 'en:france',
    nutriscore_grade: 'unknown',
    nova_group: '4',
    image_url: 'https://images.openfoodfacts.org/images/products/301/762/042/2003/front_fr.4.400.jpg',
    'energy-kcal_100g': '539',
    proteins_100g: '6',
    fat_100g: '31',
    carbohydrates_100g: '57',
    'vitamin-e_100g': '0.005',
    cocoa_100g: '7',
  };
  const text = `${Object.keys(columns).join('\t')}\n${Object.values(columns).join('\t')}\n`;
  const { report } = await importFile('off', 'table.csv', text);
  expect(await (await current()).factsOf('off:3017620422003')).toEqual({
    ids: ['off:3017620422003'],
    nutrients: { vitaminE: 5 },
    genericNames: { fr: 'Pâte à tartiner aux noisettes' },
    ingredients: { fr: 'Sucre, noisettes' },
    allergens: ['en:nuts', 'en:milk'],
    traces: ['en:peanuts'],
    categories: ['en:spreads'],
    countries: ['en:france'],
    vegan: 'no',
    palmOil: 'yes',
    nova: 4,
    quantity: '400 g',
    images: EXPECTED.images,
  });
  expect(report.noticed.reasons.map(({ reason }) => reason)).toEqual(['a nutrient that is not kept']);
});

test('FoodData Central has data type, category, ingredients, portions and all nutrients', async () => {
  const food = {
    fdcId: 1234,
    dataType: 'Foundation',
    description: 'Hummus, commercial',
    publicationDate: '4/1/2019',
    foodCategory: { description: 'Legumes and Legume Products' },
    foodNutrients: [
      [1008, 229],
      [1003, 7.35],
      [1004, 17.1],
      [1005, 14.9],
      [1178, 0.07],
      [1177, 36],
      [1190, 40],
      [9999, 1],
    ].map(([id, amount]) => ({ nutrient: { id }, amount })),
    foodPortions: [
      { measureUnit: { id: 1001, name: 'tablespoon' }, amount: 2, modifier: '', gramWeight: 33.9 },
    ],
  };
  const { report } = await importFile('fdc', 'foods.json', JSON.stringify({ FoundationFoods: [food] }));
  expect(await (await current()).factsOf('fdc:1234')).toEqual({
    ids: ['fdc:1234'],
    dataType: 'Foundation',
    category: 'Legumes and Legume Products',
    nutrients: { vitaminB12: 0.07, folate: 40 },
    portions: [{ amount: 2, unit: 'tablespoon', grams: 33.9 }],
    createdAt: Date.UTC(2019, 3, 1) / 1000,
    updatedAt: Date.UTC(2019, 3, 1) / 1000,
  });
  expect(report.noticed.reasons).toEqual([
    { reason: 'a nutrient that is not kept', count: 1, example: 'nutrient 9999 of foods.json, food 1' },
  ]);
});

test('CSV bundles of FoodData Central have the same', async () => {
  const tables = {
    'food_category.csv': 'id,description\n16,Legumes and Legume Products\n',
    'food.csv':
      'fdc_id,data_type,description,food_category_id,publication_date\n' +
      '1,sr_legacy_food,"Hummus, commercial",16,2019-04-01\n2,branded_food,Hummus of Ann,,2020-01-01\n',
    'food_nutrient.csv': `fdc_id,nutrient_id,amount\n${[1, 2].flatMap((id) => [`${id},1008,229`, `${id},1003,7`, `${id},1004,17`, `${id},1005,15`, `${id},1178,0.07`, `${id},1018,0.5`]).join('\n')}\n1,4242,3\n`,
    'food_portion.csv':
      'fdc_id,seq_num,amount,measure_unit_id,portion_description,modifier,gram_weight\n1,2,1,9999,,cup,246\n1,1,2,9999,,tbsp,30\n',
    'branded_food.csv':
      'fdc_id,gtin_upc,ingredients,branded_food_category,market_country,package_weight,modified_date\n' +
      '2,00012345678905,"INGREDIENTS: CHICKPEAS, TAHINI.",Dips & Salsa,United States,10 oz/283 g,2020-02-01\n',
  };
  for (const [name, text] of Object.entries(tables)) await writeFile(join(folder, name), text);
  const { report } = await run('fdc', folder);
  const catalogue = await current();
  expect(await catalogue.factsOf('fdc:1')).toMatchObject({
    dataType: 'SR Legacy',
    category: 'Legumes and Legume Products',
    nutrients: { vitaminB12: 0.07, alcohol: 0.5 },
    portions: [
      { amount: 2, modifier: 'tbsp', grams: 30 },
      { amount: 1, modifier: 'cup', grams: 246 },
    ],
  });
  expect(await catalogue.factsOf('fdc:2')).toEqual({
    ids: ['fdc:2'],
    dataType: 'Branded',
    category: 'Dips & Salsa',
    countries: ['en:united-states'],
    ingredients: { en: 'CHICKPEAS, TAHINI.' },
    nutrients: { vitaminB12: 0.07, alcohol: 0.5 },
    quantity: '10 oz/283 g',
    createdAt: Date.UTC(2020, 0, 1) / 1000,
    updatedAt: Date.UTC(2020, 1, 1) / 1000,
  });
  expect(report.noticed.reasons).toContainEqual({
    reason: 'a nutrient that is not kept',
    count: 1,
    example: 'nutrient 4242 of food 1',
  });
});

describe('the facts of a catalogue', () => {
  test('are kept by later imports and by compiling again, and joined where foods are', async () => {
    await importLines([SPREAD]);
    const other = {
      fdcId: 77,
      dataType: 'Branded',
      description: 'Hazelnut spread',
      gtinUpc: '3017620422003',
      ingredients: 'SUGAR, HAZELNUTS',
      brandedFoodCategory: 'Sweet Spreads',
      foodNutrients: [
        [1008, 539],
        [1003, 6],
        [1004, 31],
        [1005, 57],
        [1178, 1],
        [1109, 3],
      ].map(([id, amount]) => ({ nutrient: { id }, amount })),
    };
    await importFile('fdc', 'foods.json', JSON.stringify({ BrandedFoods: [other] }));
    const joined = {
      ids: ['fdc:77', 'off:3017620422003'],
      category: 'Sweet Spreads',
      allergens: EXPECTED.allergens,
      nutrients: { vitaminB12: 1, magnesium: 60 },
      ingredients: { ...EXPECTED.ingredients, en: 'SUGAR, HAZELNUTS' },
    };
    expect(await (await current()).factsOf('off:3017620422003')).toMatchObject(joined);
    expect(await (await current()).factsOf('fdc:77')).toMatchObject(joined);
    await rebuildCatalogue({
      catalogueStore: store,
      progress: PROGRESS,
      nowMs: () => now++,
      signal: new AbortController().signal,
    });
    expect(await (await current()).factsOf('fdc:77')).toMatchObject(joined);
    expect((await readdir(join(folder, 'segments'))).filter((name) => !name.endsWith('.segment'))).toEqual(
      [],
    );
  });

  test('are of the newest import of a product', async () => {
    await importLines([SPREAD]);
    await importLines([{ ...SPREAD, quantity: '750 g', nova_group: undefined }]);
    const facts = await (await current()).factsOf('off:3017620422003');
    expect(facts).toMatchObject({ quantity: '750 g' });
    expect(facts).not.toHaveProperty('nova');
  });

  test('may be left out, and a catalogue without them serves', async () => {
    await importLines([SPREAD], { facts: false });
    const catalogue = await current();
    expect(await catalogue.factsOf('off:3017620422003')).toBeUndefined();
    expect(catalogue.search('tartiner', 1)[0]?.id).toBe('off:3017620422003');
    expect(
      (await readCatalogueSections(await file())).filter(({ name }) => name.startsWith('facts')),
    ).toEqual([]);
  });

  test('are checked when they are read, and by verifying', async () => {
    const many = Array.from({ length: 100 }, (_, at) => ({ ...SPREAD, code: String(20_000_000 + at) }));
    await importLines(many);
    const path = await file();
    await verifyFactsSections(path);
    const section = (await readCatalogueSections(path)).find(({ name }) => name.startsWith('facts.of.'))!;
    const bytes = await readFile(path);
    bytes[section.offset + 5]! ^= 1;
    await writeFile(path, bytes);
    const catalogue = Catalogue.open(await loadCatalogueImage(path), path);
    const read = await Promise.allSettled(many.map(({ code }) => catalogue.factsOf(`off:${code}`)));
    const failed = read.filter((one) => one.status === 'rejected');
    expect(failed.length).toBe(32);
    expect(failed[0]!.reason).toBeInstanceOf(DamagedFactsError);
    await expect(verifyFactsSections(path)).rejects.toThrow('facts.of.');
    const { report } = await importLines([PLAIN]);
    expect(report.noticed.reasons.map(({ reason }) => reason)).toEqual([
      'an earlier import whose facts are damaged: foods without facts until it is imported again',
    ]);
    await verifyFactsSections(await file());
  });
});

test.skipIf(!existsSync(REAL))('the real exports give facts to nearly every food', async () => {
  await run('off', join(REAL, 'off/off_official_head1000.parquet'));
  const catalogue = await current();
  let [foods, withFacts, read] = [0, 0, 0];
  for (const record of [...catalogue.records()]) {
    if (!('food' in record)) continue;
    foods++;
    const facts = await catalogue.factsOf(record.food.id);
    if (facts !== undefined) withFacts++;
    if (facts?.ingredients !== undefined) read++;
  }
  expect(withFacts / foods).toBeGreaterThan(0.99);
  expect(read / foods).toBeGreaterThan(0.6);
});

async function importLines(products: readonly object[], options?: { readonly facts: boolean }) {
  const lines = products.map((product) => JSON.stringify(product)).join('\n');
  return importFile('off', 'products.jsonl.gz', gzipSync(lines), options);
}

async function importFile(
  origin: 'off' | 'fdc',
  name: string,
  content: string | Uint8Array,
  options?: { readonly facts: boolean },
) {
  await writeFile(join(folder, name), content);
  return run(origin, join(folder, name), options);
}

async function run(origin: Origin & ('off' | 'fdc'), path: string, { facts = true } = {}) {
  return runImport({
    origin,
    sources: [await OPEN_SOURCE[origin](path)],
    catalogueStore: store,
    facts,
    replace: false,
    putInUse: true,
    progress: PROGRESS,
    nowMs: () => now++,
    signal: new AbortController().signal,
  });
}

async function file(): Promise<string> {
  return store.pathOf((await store.current())!);
}

async function current(): Promise<Catalogue> {
  const path = await file();
  return Catalogue.open(await loadCatalogueImage(path), path);
}
