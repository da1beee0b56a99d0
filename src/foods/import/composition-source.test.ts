import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ENGLISH, languageBit } from '@larder/core/name-languages.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CompositionOrigin } from './composition-food.ts';
import { readCompositionFile } from './composition-source.ts';
import type { RawFood } from './normalise/raw-food.ts';
import { inspectSourceFile } from './readers/source-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-composition-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function read(path: string, origin: CompositionOrigin) {
  const foods: RawFood[] = [];
  const others: string[] = [];
  await readCompositionFile(await inspectSourceFile(path), origin, {
    food: (food) => foods.push(food),
    skipped: (reason) => others.push(`skipped: ${reason}`),
    broken: (where, reason) => others.push(`${where}: ${reason}`),
    noticed: (reason) => others.push(`noticed: ${reason}`),
  });
  return { foods, others };
}

async function readTable(text: string) {
  const path = join(folder, 'table.json.gz');
  await writeFile(path, gzipSync(text));
  return read(path, 'bls');
}

const OATS = {
  nome: 'Hafer',
  nome_en: 'Oats',
  nome_fr: 'avoine',
  food_code: 'X1',
  calorie: 343,
  proteine: 11.4,
  grassi: 7.1,
  carboidrati_disponibili: 53.7,
  fibre: 9.3,
};

test('a food shows its English name and is found by the others', async () => {
  const { foods } = await readTable(JSON.stringify([OATS]));
  expect(foods).toEqual([
    {
      origin: 'bls',
      key: 'X1',
      name: 'Oats',
      aliases: ['Hafer', 'avoine'],
      nameLanguages: ['en', 'de', 'fr'].map(languageBit),
      isGeneric: true,
      basis: 'g',
      per100: { energy: 343, protein: 11.4, fat: 7.1, carbohydrates: 53.7, fiber: 9.3 },
    },
  ]);
});

test('foods without a code get a stable and unique key', async () => {
  const long = 'Soft cake filled with fruits, mini sponge roll type, prepacked, ';
  const names = [`${long}apple`, `${long}pear`];
  const text = JSON.stringify(names.map((name) => ({ ...OATS, nome_en: name, food_code: undefined })));
  const keys = (await readTable(text)).foods.map(({ key }) => key);
  expect(new Set(keys).size).toBe(2);
  expect(keys.every((key) => /^[a-z0-9-]{1,60}$/.test(key))).toBe(true);
  expect((await readTable(text)).foods.map(({ key }) => key)).toEqual(keys);
});

test('unreadable rows are counted and named', async () => {
  const text = `[${JSON.stringify(OATS)}, {"nome_en": "Rye" "calorie": 1}, {"calorie": 5}]`;
  const { foods, others } = await readTable(text);
  expect(foods).toHaveLength(1);
  expect(others).toEqual(['table.json.gz, food 2: no valid JSON', 'skipped: no name']);
});

test('a file that is not a table, or an incomplete one, is rejected', async () => {
  await expect(readTable('')).rejects.toThrow(/is empty/);
  await expect(readTable('{"foods": 1}')).rejects.toThrow(/not a composition table/);
  await expect(readTable(JSON.stringify([OATS, OATS]).slice(0, -20))).rejects.toThrow(/ends in the middle/);
});

const EU = join(import.meta.dirname, '../../../../shared/data/eu');

describe.skipIf(!existsSync(EU))('the real tables (skipped where ../shared/data is absent)', () => {
  test.each([
    ['ciqual', 3_323],
    ['bls', 7_043],
  ] as const)('%s is read completely, every food with a unique key', async (origin, count) => {
    const { foods, others } = await read(join(EU, `${origin}_2025.json.gz`), origin);
    expect(foods).toHaveLength(count);
    expect(others).toEqual([]);
    expect(new Set(foods.map(({ key }) => key)).size).toBe(count);
  });
});

describe('a published table saved as CSV', () => {
  const oats = { origin: 'ciqual', key: '9310', isGeneric: true, basis: 'g' };
  const amounts = { energy: 36.5, protein: 0.63, carbohydrates: 6.6, fat: 0, fiber: 2.7, sodium: 40 };

  async function readCsv(text: string, origin: CompositionOrigin) {
    const path = join(folder, 'table.csv');
    await writeFile(path, text);
    return read(path, origin);
  }

  test.each([
    ['commas', ',', '.'],
    ['semicolons and decimal commas', ';', ','],
    ['tabs', '\t', '.'],
  ])('Ciqual in English, with %s', async (_how, delimiter, point) => {
    const rows = [
      [
        'alim_grp_code',
        'alim_code',
        'alim_nom_eng',
        'Energy, Regulation EU No 1169/2011 (kJ/100g)',
        // Spreadsheets wrap the header like this.
        'Energy,\nRegulation EU No 1169/2011\n(kcal/100g)',
        'Protein (g/100g)',
        'Protein, crude, N x 6.25 (g/100g)',
        'Carbohydrate (g/100g)',
        'Fat (g/100g)',
        'Fibres (g/100g)',
        'Sodium (mg/100g)',
        'Vitamin D (µg/100g)',
      ],
      ['01', '9310', 'Carrot, raw', '-', '36.5', '0.63', '9', '6.6', 'traces', '2.7', '40', '< 0.25'],
      ['01', '9311', '', '-', '1', '1', '1', '1', '1', '1', '1', '-'],
    ];
    const cell = (text: string) => `"${/^[<\d.]/.test(text) ? text.replace('.', point) : text}"`;
    const csv = rows.map((row) => `${row.map(cell).join(delimiter)}\r\n`).join('');
    const { foods, others } = await readCsv(`\uFEFF${csv}`, 'ciqual');
    expect(foods).toEqual([
      {
        ...oats,
        name: 'Carrot, raw',
        aliases: [],
        nameLanguages: [ENGLISH],
        per100: { ...amounts, vitaminD: 0 },
      },
    ]);
    expect(others).toEqual(['skipped: no name']);
  });

  test('BLS shows the English name and is found by the German one', async () => {
    const header =
      'BLS Code;Lebensmittelbezeichnung;Food name;ENERCJ Energie (Kilojoule) [kJ/100g];ENERCC Energie (Kilokalorien) [kcal/100g];ENERCC Datenherkunft;' +
      'PROT625 Protein (Nx6,25) [g/100g];FAT Fett [g/100g];CHO Kohlenhydrate, verfügbar [g/100g];FIBT Ballaststoffe, gesamt [g/100g];NA Natrium [mg/100g]';
    const row = 'G620100;Karotte roh;Carrot raw;153;36,5;Analyse;0,63;0;6,6;2,7;40';
    const { foods } = await readCsv(`${header}\n${row}\n`, 'bls');
    expect(foods).toEqual([
      {
        ...oats,
        origin: 'bls',
        key: 'G620100',
        name: 'Carrot raw',
        aliases: ['Karotte roh'],
        nameLanguages: ['en', 'de'].map(languageBit),
        per100: { ...amounts, energyKj: 153 },
      },
    ]);
  });

  test('for another table or an Excel file, the error says what to do', async () => {
    await expect(readCsv('a;b\n1;2\n', 'bls')).rejects.toThrow(/its first line must be that of Ciqual/);
    await expect(readCsv('PK\x03\x04', 'bls')).rejects.toThrow(/Save its sheet as CSV/);
  });
});
