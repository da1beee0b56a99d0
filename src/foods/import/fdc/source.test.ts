import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { zipOf } from '../../../../test/support/zip.ts';
import type { RawFood } from '../normalise/raw-food.ts';
import { openFdcSource } from './source.ts';

type Files = Record<string, string | Buffer>;

const BANANA = 101;
const MILK = 102;
const BUTTER = 103;
const SAMPLE = 104;

const BUNDLE: Files = {
  'food.csv': [
    '"fdc_id","data_type","description","food_category_id","publication_date"',
    `"${BANANA}","survey_fndds_food","Banana, raw","9","2024-10-31"`,
    `"${MILK}","branded_food","WHOLE MILK","","2019-04-01"`,
    `"${BUTTER}","sr_legacy_food","Butter, ""salted""","1","2019-04-01"`,
    `"${SAMPLE}","sub_sample_food","Milk, lot 3","1","2019-04-01"`,
  ].join('\n'),
  // The columns are in another order, and the ids are unsorted.
  'food_nutrient.csv': [
    'amount,nutrient_id,fdc_id,id',
    `97,1008,${BANANA},1`,
    `61,2047,${MILK},2`,
    `0.74,1003,${BANANA},3`,
    `60,2048,${MILK},4`,
    `717,208,${BUTTER},5`,
    `5,1003,${SAMPLE},6`,
    `5,1003,999999,7`,
    `,1004,${BUTTER},8`,
  ].join('\r\n'),
  'food_portion.csv': [
    'id,fdc_id,seq_num,amount,measure_unit_id,portion_description,modifier,gram_weight',
    `1,${BANANA},1,,9999,1 cup,10205,150`,
    `2,${BANANA},2,,9999,1 banana,60919,126`,
    `3,${BANANA},3,,9999,Quantity not specified,90000,126`,
    `4,${BUTTER},1,1,1001,,,14.2`,
  ].join('\n'),
  'measure_unit.csv': 'id,name\n1001,tablespoon\n9999,undetermined\n',
  'food_attribute.csv': [
    'id,fdc_id,seq_num,food_attribute_type_id,name,value',
    `1,${BANANA},1,1001,Additional Description,plantain; NS as to kind`,
    `2,${BANANA},1,999,WWEIA Category number,9602`,
  ].join('\n'),
  'survey_fndds_food.csv': `fdc_id,food_code\n${BANANA},63107010\n`,
  'branded_food.csv': [
    'fdc_id,brand_owner,brand_name,gtin_upc,serving_size,serving_size_unit,household_serving_fulltext,modified_date',
    `${MILK},Dairy Co,,012345678905,240,MLT,1 cup,2018-08-11`,
    '888888,Nobody,,1,1,g,,',
  ].join('\n'),
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-fdc-'));
});
afterEach(() => rm(folder, { recursive: true }));

interface Outcome {
  foods: Map<string, RawFood>;
  /** `skipped: …`, `broken: …`, `noticed: …` with their counts. */
  counts: Record<string, number>;
  total: number;
  lastBytes: number;
  sizeBytes: number;
}

async function read(path: string): Promise<Outcome> {
  const outcome: Outcome = { foods: new Map(), counts: {}, total: 0, lastBytes: 0, sizeBytes: 0 };
  const count = (kind: string, reason: string) => {
    const key = `${kind}: ${reason}`;
    outcome.counts[key] = (outcome.counts[key] ?? 0) + 1;
    if (kind !== 'noticed') outcome.total++;
  };
  const source = await openFdcSource(path);
  outcome.sizeBytes = source.sizeBytes;
  try {
    await source.read(
      {
        food: (food) => {
          outcome.total++;
          outcome.foods.set(food.key, food);
        },
        skipped: (reason) => count('skipped', reason),
        broken: (where, reason) => count('broken', `${where} ${reason}`),
        noticed: (reason) => count('noticed', reason),
      },
      { onBytesRead: (bytesRead) => (outcome.lastBytes = bytesRead) },
    );
  } finally {
    source.close();
  }
  return outcome;
}

async function writeBundle(files: Files): Promise<string> {
  const path = join(folder, 'bundle');
  await mkdir(path);
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content);
  return path;
}

async function writeOne(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

function without(...names: string[]): Files {
  return Object.fromEntries(Object.entries(BUNDLE).filter(([name]) => !names.includes(name)));
}

describe('the CSV bundle', () => {
  test('the parts of a food are joined from all tables', async () => {
    const { foods, total } = await read(await writeBundle(BUNDLE));
    expect(total).toBe(4);
    expect(foods.get(String(BANANA))).toEqual({
      origin: 'fdc',
      key: String(BANANA),
      name: 'Banana, raw',
      per100: { energy: 97, protein: 0.74 },
      aliases: ['Banana plantain'],
      isGeneric: true,
      diaryEntries: 5_822,
      servings: [
        { text: '1 banana', grams: 126 },
        { text: '1 cup', grams: 150 },
      ],
      createdAt: Date.UTC(2024, 9, 31) / 1000,
      updatedAt: Date.UTC(2024, 9, 31) / 1000,
    });
    expect(foods.get(String(MILK))).toMatchObject({
      name: 'WHOLE MILK',
      brand: 'Dairy Co',
      barcode: '012345678905',
      basis: 'ml',
      per100: { energy: 60 },
      servings: [{ text: '1 cup', quantity: 240, unit: 'ml' }],
      updatedAt: Date.UTC(2018, 7, 11) / 1000,
    });
    expect(foods.get(String(BUTTER))).toMatchObject({
      name: 'Butter, "salted"',
      per100: { energy: 717 },
      servings: [{ text: '1 tablespoon', grams: 14.2 }],
    });
  });

  test('other data types are skipped; rows without a food are noticed', async () => {
    const { counts } = await read(await writeBundle(BUNDLE));
    expect(counts).toEqual({
      'skipped: not a food to serve: sub_sample_food': 1,
      'noticed: a row of food_nutrient.csv of a food that food.csv does not have': 1,
      'noticed: a row of food_nutrient.csv without an amount': 1,
      'noticed: a row of branded_food.csv of a food that food.csv does not have': 1,
    });
  });

  test('a zip with one folder, compressed tables and an unpacked archive give the same foods', async () => {
    const { foods } = await read(await writeBundle(BUNDLE));
    const entries = Object.entries(BUNDLE);
    const inner = Object.fromEntries(entries.map(([name, text]) => [`FoodData_Central_csv/${name}`, text]));
    const zipped = await read(await writeOne('export.zip', zipOf(inner)));
    expect(zipped.foods).toEqual(foods);
    expect(zipped.lastBytes).toBe(zipped.sizeBytes);

    const packed = join(folder, 'packed');
    await mkdir(join(packed, 'inner'), { recursive: true });
    for (const [name, text] of entries) await writeFile(join(packed, 'inner', `${name}.gz`), gzipSync(text));
    expect((await read(packed)).foods).toEqual(foods);
  });

  test.each([
    ['food.csv', /lacks food\.csv/],
    ['food_nutrient.csv', /lacks food_nutrient\.csv/],
    ['branded_food.csv', /lacks branded_food\.csv/],
  ])('a bundle without %s is refused', async (name, message) => {
    await expect(writeBundle(without(name)).then(read)).rejects.toThrow(message);
  });

  test('a bundle without portions is read, and the report says so', async () => {
    const { counts, total } = await read(await writeBundle(without('food_portion.csv')));
    expect(total).toBe(4);
    expect(counts['noticed: food_portion.csv is missing']).toBe(1);
  });

  test('a table with other columns is refused, and the error names the missing one', async () => {
    const files = { ...BUNDLE, 'food_nutrient.csv': 'fdc_id,nutrient,amount\n1,2,3\n' };
    await expect(writeBundle(files).then(read)).rejects.toThrow(/no column nutrient_id/);
  });

  test('an unreadable food is broken; an unreadable row of another table is only noticed', async () => {
    const files = {
      ...BUNDLE,
      'food.csv': `${BUNDLE['food.csv']}\n"105","sr_legacy_food"\n"x","sr_legacy_food","Rye","",""\n"${BANANA}","sr_legacy_food","Banana","",""\n`,
      'food_portion.csv': `${BUNDLE['food_portion.csv']}\n7,8\n`,
    };
    const { counts, total, foods } = await read(await writeBundle(files));
    expect(total).toBe(7);
    expect(foods.size).toBe(3);
    expect(counts).toMatchObject({
      'broken: food.csv:6 too few columns': 1,
      'broken: food.csv:7 no fdc_id': 1,
      'skipped: stated twice in food.csv': 1,
      'noticed: a row of food_portion.csv cannot be read: too few columns': 1,
    });
  });

  test('a branded food without its row is kept, and noticed', async () => {
    const branded = (BUNDLE['branded_food.csv'] as string).split('\n')[0]!;
    const { counts, foods } = await read(await writeBundle({ ...BUNDLE, 'branded_food.csv': branded }));
    expect(foods.get(String(MILK))).toMatchObject({ name: 'WHOLE MILK', per100: { energy: 60 } });
    const [noticed] = Object.keys(counts).filter((reason) => reason.includes('without its row'));
    expect(noticed).toMatch(/no barcode/);
  });
});

describe('a path that is not a bundle', () => {
  test.each([
    ['a zip that is cut short', 'a.zip', zipOf(BUNDLE).subarray(0, 900), /cannot be read as a zip archive/],
    ['one table of many', 'food.csv', BUNDLE['food.csv']!, /Name the folder or the \.zip/],
    ['a picture', 'a.png', Buffer.of(0x89, 0x50, 0, 0, 1), /neither a \.zip, a JSON file nor a folder/],
    ['a zip of something else', 'b.zip', zipOf({ 'readme.txt': 'hello' }), /lacks food\.csv/],
  ])('%s', async (_, name, content, message) => {
    await expect(writeOne(name, content).then(read)).rejects.toThrow(message);
  });

  test('an empty folder', async () => {
    await expect(read(join(folder, 'gone'))).rejects.toThrow(/there is no such file/);
  });
});

describe('the JSON form', () => {
  const foods = [1, 2, 3].map((fdcId) => ({ fdcId, dataType: 'Foundation', description: `Food ${fdcId}` }));
  const text = JSON.stringify({ FoundationFoods: foods });

  test('plain, gzip and zip give the same foods', async () => {
    const plain = await read(await writeOne('foundation.json', text));
    expect([...plain.foods.keys()]).toEqual(['1', '2', '3']);
    expect((await read(await writeOne('foundation.json.gz', gzipSync(text)))).foods).toEqual(plain.foods);
    expect((await read(await writeOne('a.zip', zipOf({ 'foundation.json': text })))).foods).toEqual(
      plain.foods,
    );
  });

  test('an invalid JSON element affects no other', async () => {
    const damaged = text.replace('"Food 2"', 'Food 2');
    const { foods: kept, counts } = await read(await writeOne('a.json', damaged));
    expect([...kept.keys()]).toEqual(['1', '3']);
    expect(counts).toEqual({ 'broken: a.json, food 2 no valid JSON': 1 });
  });

  test('a truncated file, and one without foods, is refused', async () => {
    await expect(writeOne('a.json', text.slice(0, -30)).then(read)).rejects.toThrow(/ends in the middle/);
    await expect(writeOne('b.json', '{"a": [1]}').then(read)).rejects.toThrow(/holds no list of foods/);
  });
});

const FDC = join(import.meta.dirname, '../../../../../shared/data/fdc');

describe.skipIf(!existsSync(FDC))('the real files (skipped where ../shared/data is absent)', () => {
  test.each([
    ['sr_legacy', 7_793, 7_793],
    ['survey', 5_432, 5_432],
    ['branded', 39_088, 39_088],
    ['branded_official_sample', 4_999, 4_870],
    ['foundation_9.json', 9, 9],
  ])('of %s all %i foods are read, %i of them imported', async (name, rows, count) => {
    const { foods, total, lastBytes, sizeBytes } = await read(join(FDC, name));
    expect({ total, foods: foods.size }).toEqual({ total: rows, foods: count });
    expect(lastBytes).toBe(sizeBytes);
  });

  test('every survey food has a serving, the usual one first', async () => {
    const { foods } = await read(join(FDC, 'survey'));
    const banana = [...foods.values()].find(({ name }) => name === 'Banana, raw');
    expect(banana?.servings?.[0]).toEqual({ text: '1 banana', grams: 126 });
    const without = [...foods.values()].filter(({ servings }) => servings?.length === 0);
    expect(without.filter(({ name }) => !name.includes('ingredient'))).toEqual([]);
  });
});
