import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../../bench/support/search-random.ts';
import { nested } from './bodies.ts';
import { parquetFile } from './parquet.ts';
import { pathologicalText, SCRIPT_NAMES } from './texts.ts';

/** A file or folder to be imported, and the words of the command that imports it. */
export interface BrokenExport {
  readonly name: string;
  readonly words: readonly string[];
}

/** Numbers that no nutrient is. */
const ODD_NUMBERS = [
  '-1',
  '1e308',
  'NaN',
  'Infinity',
  '0x10',
  '1,5',
  '١٢',
  '',
  '9'.repeat(400),
  '0.'.concat('0'.repeat(300), '1'),
  'null',
];
const NUTRIENTS = ['energy-kcal', 'proteins', 'fat', 'carbohydrates', 'salt', 'odd'];
const COLUMNS = [
  'code',
  'product_name',
  'brands',
  'serving_size',
  ...NUTRIENTS.map((name) => `${name}_100g`),
];

/** Rows that are looked at to tell what a file is. */
const FIRST_ROWS = 1_000;

/** One in ten lines is sound, so that there is something to import. */
function isSound(row: number): boolean {
  return row % 10 === 0;
}

/** Writes one export of each format, with so many lines of which nine in ten are broken. */
export function writeBrokenExports(folder: string, rows: number, random: Random): BrokenExport[] {
  const write = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const lines = (make: (row: number) => string) =>
    `${Array.from({ length: rows }, (_, row) => make(row)).join('\n')}\n`;
  const fdc = join(folder, 'FoodData_Central_csv');
  mkdirSync(fdc);
  writeFileSync(
    join(fdc, 'food.csv'),
    `"fdc_id","data_type","description","food_category_id","publication_date"\n${lines((row) => fdcFood(row, random))}`,
  );
  writeFileSync(
    join(fdc, 'food_nutrient.csv'),
    `"id","fdc_id","nutrient_id","amount"\n${lines((row) => fdcNutrient(row, random))}`,
  );
  const elements = Array.from({ length: rows }, (_, row) => jsonProduct(row, random))
    .filter(isJson)
    .join(',');
  return [
    {
      name: 'JSON lines',
      words: [
        'off',
        write(
          'off.jsonl',
          lines((row) => jsonProduct(row, random)),
        ),
      ],
    },
    {
      name: 'table',
      words: ['off', write('off.csv', `${COLUMNS.join('\t')}\n${lines((row) => tableRow(row, random))}`)],
    },
    { name: 'Parquet', words: ['off', write('off.parquet', brokenParquet(rows, random))] },
    { name: 'FDC tables', words: ['fdc', fdc] },
    { name: 'FDC JSON', words: ['fdc', write('foundation.json', `{"FoundationFoods":[${elements}]}`)] },
    {
      name: 'composition table',
      words: ['composition', write('composition.json', `[${elements}]`), '--origin', 'bls'],
    },
  ];
}

/** Without control characters near the beginning of a file, which would be taken for binary data as a whole. */
function oddText(row: number, random: Random): string {
  return row > FIRST_ROWS && random.below(20) === 0
    ? '\u0000\u202e\ufeff'.repeat(30)
    : pathologicalText(random.pick(SCRIPT_NAMES), random);
}

function jsonProduct(row: number, random: Random): string {
  const numbers = { 'energy-kcal_100g': 400, proteins_100g: 7, fat_100g: 12, carbohydrates_100g: 60 };
  const sound = {
    code: String(4_000_000_000_000 + row),
    product_name: `Product ${row}`,
    nutriments: numbers,
    ...{ fdcId: row + 1, dataType: 'Foundation', description: `Food ${row}`, foodNutrients: [] },
    ...{ food_code: `F${row}`, nome_en: `Food ${row}`, calorie: 400, proteine: 7, grassi: 12 },
    carboidrati_disponibili: 60,
  };
  if (isSound(row)) return JSON.stringify(sound);
  const odd = random.pick(ODD_NUMBERS);
  switch (random.below(8)) {
    case 0:
      return JSON.stringify(sound).slice(0, 5 + random.below(60));
    case 1:
      return nested(200, 'both');
    case 2:
      return JSON.stringify({ ...sound, product_name: oddText(row, random), code: oddText(row, random) });
    case 3:
      return JSON.stringify({
        ...sound,
        nutriments: { 'energy-kcal_100g': odd, fat_100g: [odd], proteins_100g: { odd } },
      });
    case 4:
      return JSON.stringify({
        ...sound,
        nutriments: [odd],
        foodNutrients: [odd, { nutrient: odd, amount: odd }],
        calorie: odd,
        product_name: { odd },
        serving_size: `${odd} ${odd} (${odd} g)`,
      });
    case 5:
      return `{"code":"${row}","code":null,"__proto__":{"a":1},"product_name":"${'\\ud800'.repeat(20)}"}`;
    case 6:
      return random.pick(['null', '[]', '{}', '0', '"', '}{', 'nul', row > FIRST_ROWS ? '\u0000' : '']);
    default:
      return JSON.stringify({
        ...sound,
        serving_quantity: odd,
        serving_size: oddText(row, random),
        brands: oddText(row, random),
      });
  }
}

function tableRow(row: number, random: Random): string {
  if (isSound(row))
    return [
      String(5_000_000_000_000 + row),
      `Product ${row}`,
      'Maker',
      '50 g',
      '400',
      '7',
      '12',
      '60',
      '1',
      '',
    ].join('\t');
  const fields = COLUMNS.map(() => (random.below(2) === 0 ? oddText(row, random) : random.pick(ODD_NUMBERS)));
  const text = fields.join(random.pick(['\t', '\t', '\t', ',', '\t"\t']));
  return random.below(5) === 0 ? text.slice(0, random.below(text.length)) : text;
}

function fdcFood(row: number, random: Random): string {
  if (isSound(row)) return `"${row}","foundation_food","Food ${row}","1","2026-01-01"`;
  const kind = random.pick(['foundation_food', 'branded_food', 'sr_legacy_food', 'none', '']);
  return random.pick([
    `"${row}","${kind}","${oddText(row, random).replaceAll('"', '""')}"`,
    `"${row},${kind},"never closed`,
    `${random.pick(ODD_NUMBERS)},${kind},x,,`,
    '"",""',
    '","',
  ]);
}

function fdcNutrient(row: number, random: Random): string {
  const nutrient = [1008, 1003, 1004, 1005][row % 4];
  return isSound(Math.floor(row / 4))
    ? `"${row}","${Math.floor(row / 4)}","${nutrient}","10"`
    : `"${row}","${random.below(row + 1)}","${nutrient}","${random.pick(ODD_NUMBERS)}"`;
}

function brokenParquet(rows: number, random: Random): Buffer {
  const texts = (make: (row: number) => string) => Array.from({ length: rows }, (_, row) => make(row));
  const odd = [Number.NaN, Number.POSITIVE_INFINITY, -1, 3e38, 1e-38, 42];
  return parquetFile([
    [
      {
        path: ['code'],
        texts: texts((row) => (isSound(row) ? String(6_000_000_000_000 + row) : oddText(row, random))),
      },
      {
        path: ['product_name', 'list', 'element', 'lang'],
        texts: texts(() => random.pick(['main', 'en', '', '??'])),
      },
      { path: ['product_name', 'list', 'element', 'text'], texts: texts((row) => oddText(row, random)) },
      { path: ['nutriments', 'list', 'element', 'name'], texts: texts(() => random.pick(NUTRIENTS)) },
      {
        path: ['nutriments', 'list', 'element', '100g'],
        numbers: Array.from({ length: rows }, () => random.pick(odd)),
      },
    ],
  ]);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
