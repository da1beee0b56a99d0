import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { languageBit } from '@larder/core/name-languages.ts';
import { describe, expect, test } from 'vitest';
import writeWorkbook from 'write-excel-file/node';
import { tempFolder } from '../../../../test/support/temp-folder.ts';
import type { RawFood } from '../normalise/raw-food.ts';
import { knownMaps } from './propose-map.ts';
import { parseTableMap } from './table-map.ts';
import { openTable, previewTable, type TableRequest } from './table-source.ts';

type Content = string | Buffer | Readonly<Record<string, readonly (readonly (string | number | null)[])[]>>;

async function workbook(sheets: Exclude<Content, string | Buffer>): Promise<Buffer> {
  const cells = Object.values(sheets).map((rows) =>
    rows.map((row) =>
      row.map((value) =>
        value === null ? null : { value, type: typeof value === 'number' ? Number : String },
      ),
    ),
  );
  const written = cells.map((data, at) => ({ data, sheet: Object.keys(sheets)[at]! }));
  return writeWorkbook(written as never).toBuffer();
}

/** Reads a table from its files by name. */
async function read(files: Readonly<Record<string, Content>>, request: Partial<TableRequest> = {}) {
  using folder = tempFolder();
  const paths: string[] = [];
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder.path, name);
    const bytes = typeof content === 'string' || Buffer.isBuffer(content) ? content : await workbook(content);
    await writeFile(path, bytes);
    paths.push(path);
  }
  const table = await openTable(paths, { map: undefined, per: undefined, name: 'mine', ...request });
  const foods: RawFood[] = [];
  const others: string[] = [];
  await table.sources[0]!.read(
    {
      food: (food) => foods.push(food),
      skipped: (reason) => others.push(`skipped: ${reason}`),
      broken: (where, reason) => others.push(`${where}: ${reason}`),
      noticed: (reason, example) => others.push(`${reason}: ${example}`),
    },
    () => {},
    new AbortController().signal,
  );
  return { table, foods, others };
}

/** The name, key and amounts of each food. */
function amounts(foods: readonly RawFood[]) {
  return foods.map(({ origin, key, name, per100, perServing }) => ({
    id: `${origin}:${key}`,
    name,
    ...per100,
    ...perServing,
  }));
}

const APPLE = { energy: 52, protein: 0.3, fat: 0.2, carbohydrates: 11.4 };

describe('tables of countries, each in its published layout', () => {
  test.each([
    ['commas', ',', '.'],
    ['semicolons and decimal commas', ';', ','],
    ['tabs', '\t', '.'],
  ])('France in English, with %s', async (_how, delimiter, point) => {
    const rows = [
      [
        'alim_grp_code',
        'alim_code',
        'alim_nom_eng',
        'Energy, Regulation EU No 1169/2011 (kJ/100g)',
        'Energy,\nRegulation EU No 1169/2011\n(kcal/100g)',
      ],
      ['01', '9310', 'Carrot, raw', '-', '36.5'],
    ];
    rows[0]!.push(
      'Protein (g/100g)',
      'Protein, crude, N x 6.25 (g/100g)',
      'Carbohydrate (g/100g)',
      'Fat (g/100g)',
      'Fibres (g/100g)',
      'Sodium (mg/100g)',
      'Vitamin D (µg/100g)',
    );
    rows[1]!.push('0.63', '9', '6.6', 'traces', '2.7', '40', '< 0.25');
    const cell = (text: string) => `"${/^[<\d.]/.test(text) ? text.replace('.', point) : text}"`;
    const csv = rows.map((row) => `${row.map(cell).join(delimiter)}\r\n`).join('');
    const { foods, others, table } = await read({ 'table.csv': `\uFEFF${csv}` });
    expect(table.mapIs).toBe('known');
    expect(foods).toEqual([
      {
        origin: 'ciqual',
        key: '9310',
        name: 'Carrot, raw',
        aliases: [],
        nameLanguages: [languageBit('en')],
        isGeneric: true,
        basis: 'g',
        per100: {
          energy: 36.5,
          protein: 0.63,
          carbohydrates: 6.6,
          fat: 0,
          fiber: 2.7,
          sodium: 40,
          vitaminD: 0,
        },
      },
    ]);
    expect(others).toEqual([]);
  });

  test('Germany', async () => {
    const csv =
      'BLS Code;Lebensmittelbezeichnung;Food name;ENERCJ Energie (Kilojoule) [kJ/100g];ENERCC Energie (Kilokalorien) [kcal/100g];ENERCC Datenherkunft;' +
      'PROT625 Protein (Nx6,25) [g/100g];FAT Fett [g/100g];CHO Kohlenhydrate, verfügbar [g/100g]\n' +
      'F110100;Apfel roh;Apple raw;218;52;Analyse;0,3;0,2;11,4\n';
    const { foods, table } = await read({ 'bls.csv': csv });
    expect(amounts(foods)).toEqual([{ id: 'bls:F110100', name: 'Apple raw', energyKj: 218, ...APPLE }]);
    expect(foods[0]!.aliases).toEqual(['Apfel roh']);
    expect(table.unused).toEqual(['ENERCC Datenherkunft']);
  });

  test('United Kingdom: sheets are joined by their codes, "N" is unknown and "Tr" a trace', async () => {
    const { foods, others } = await read({
      'cofid.xlsx': {
        'Read me': [['Composition of foods']],
        '1.3 Proximates': [
          [
            'Food Code',
            'Food Name',
            'Description',
            'Protein (g)',
            'Fat (g)',
            'Carbohydrate (g)',
            'Energy (kcal) (kcal)',
            'Energy (kJ) (kJ)',
            'AOAC fibre (g)',
          ],
          ['', '', '', 'PROT', 'FAT', 'CHO', 'KCALS', 'KJ', 'AOACFIB'],
          ['14-319', 'Apples, eating, raw', 'Flesh', 0.3, 'Tr', 11.4, 52, 218, 'N'],
        ],
        '1.4 Inorganics': [
          ['Food Code', 'Food Name', 'Sodium (mg)', 'Iron (mg)'],
          ['', '', 'NA', 'FE'],
          ['14-319', 'Apples, eating, raw', 1, 0.12],
        ],
      },
    });
    expect(amounts(foods)).toEqual([
      {
        id: 'table:cofid.14-319',
        name: 'Apples, eating, raw',
        ...APPLE,
        fat: 0,
        energyKj: 218,
        sodium: 1,
        iron: 0.12,
      },
    ]);
    expect(others).toEqual([]);
  });

  test('Switzerland: headings below a title, amounts per 100 ml where the row says so', async () => {
    const heading = [
      'ID',
      'ID SwissFIR',
      'Name',
      'Synonyme',
      'Bezugseinheit',
      'Energie, Kilojoule (kJ)',
      'Energie, Kalorien (kcal)',
      'Quelle',
      'Fett, total (g)',
      'Kohlenhydrate, verfügbar (g)',
      'Protein (g)',
      'Salz (NaCl) (g)',
    ];
    const { foods } = await read({
      'swiss.xlsx': {
        Tabelle: [
          ['Schweizer Nährwertdatenbank', 'Version 7'],
          heading,
          [1, 'x', 'Apfel', 'Cox; Gala', 'pro 100g essbarer Anteil', 218, 52, 'CH', 0.2, 11.4, 0.3, 'k.A.'],
          [2, 'x', 'Apfelsaft', '', 'pro 100 ml', '190', '45', 'CH', 'Sp.', '10.6', '0.1', '<0.1'],
        ],
      },
    });
    expect(amounts(foods)).toEqual([
      { id: 'table:swiss.1', name: 'Apfel', energyKj: 218, ...APPLE },
      {
        id: 'table:swiss.2',
        name: 'Apfelsaft',
        energyKj: 190,
        energy: 45,
        fat: 0,
        carbohydrates: 10.6,
        protein: 0.1,
        saltG: 0,
      },
    ]);
    expect(foods.map(({ basis, aliases }) => [basis, aliases])).toEqual([
      ['g', ['Cox', 'Gala']],
      ['ml', []],
    ]);
  });

  test('Italy', async () => {
    const csv =
      'Codice Alimento;Nome Alimento ITA;Nome Alimento ENG;Energia, Ric con fibra (kcal);Proteine totali (g);Lipidi totali (g);Carboidrati disponibili (MSE) (g);Sodio (mg)\n' +
      '1001;Mela;Apple;52;0,3;0,2;11,4;tr\n';
    const { foods } = await read({ 'bda.csv': csv });
    expect(amounts(foods)).toEqual([{ id: 'table:bda.1001', name: 'Mela', ...APPLE, sodium: 0 }]);
    expect(foods[0]!.nameLanguages).toEqual([languageBit('it'), languageBit('en')]);
  });

  test('Netherlands: bars between columns', async () => {
    const csv =
      '"NEVO-versie/NEVO-version"|"Voedingsmiddelgroep"|"Food group"|"NEVO-code"|"Voedingsmiddelnaam/Dutch food name"|"Engelse naam/Food name"|"Hoeveelheid/Quantity"|"ENERCJ (kJ)"|"ENERCC (kcal)"|"PROT (g)"|"FAT (g)"|"CHO (g)"\n' +
      '"NEVO-Online 2025"|"Fruit"|"Fruits"|"104"|"Appel m schil"|"Apple w skin"|"per 100g"|"218"|"52"|"0,3"|"0,2"|"11,4"\n' +
      '"NEVO-Online 2025"|"Dranken"|"Beverages"|"400"|"Appelsap"|"Apple juice"|"per 100ml"|"190"|"45"|"0,1"|"sp"|"10,6"\n';
    const { foods } = await read({ 'nevo.csv': csv });
    expect(amounts(foods)[0]).toEqual({
      id: 'table:nevo.104',
      name: 'Appel m schil',
      energyKj: 218,
      ...APPLE,
    });
    expect(foods.map(({ basis }) => basis)).toEqual(['g', 'ml']);
  });

  test('Denmark: one amount a row', async () => {
    const heading = ['FoodName', 'FødevareNavn', 'FoodID', 'ParameterID', 'ParameterName', 'ResVal'];
    const row = (parameter: string, value: number) => ['Apple, raw', 'Æble, råt', 1, 1, parameter, value];
    const { foods } = await read({
      'frida.xlsx': {
        Food: [['FoodID', 'FødevareNavn']],
        Data_Normalised: [
          heading,
          row('Energy (kcal)', 52),
          row('Protein', 0.3),
          row('Fat', 0.2),
          row('Available carbohydrates', 11.4),
          row('Ash', 9),
        ],
      },
    });
    expect(amounts(foods)).toEqual([{ id: 'table:frida.1', name: 'Æble, råt', ...APPLE }]);
    expect(foods[0]!.aliases).toEqual(['Apple, raw']);
  });

  test('Norway: a reference beside each amount', async () => {
    const { foods } = await read({
      'norway.xlsx': {
        Foods: [
          ['Matvaretabellen'],
          [
            'MatvareID',
            'Matvare',
            'Ref',
            'Kilojoule (kJ)',
            'Ref',
            'Kilokalorier (kcal)',
            'Ref',
            'Fett (g)',
            'Ref',
            'Karbohydrat (g)',
            'Protein (g)',
            'Salt (g)',
          ],
          ['06.001', 'Frukt'],
          ['06.178', 'Eple, rått', '', 218, '30', 52, '30', 0.2, '', 11.4, 0.3, 0],
        ],
      },
    });
    expect(amounts(foods)).toEqual([
      { id: 'table:norway.06.178', name: 'Eple, rått', energyKj: 218, ...APPLE, saltG: 0 },
    ]);
  });

  test('Canada: foods and amounts are two files', async () => {
    const { foods } = await read({
      'FOOD NAME.csv':
        'FoodID,FoodCode,FoodGroupID,FoodDescription,FoodDescriptionF\n1696,1696,9,"Apple, raw, with skin","Pomme, crue, avec pelure"\n',
      'NUTRIENT AMOUNT.csv':
        'FoodID,NutrientID,NutrientValue,StandardError\n1696,208,52,0\n1696,203,.3,0\n1696,204,0.2,0\n1696,205,11.4,0\n1696,255,85,0\n',
    });
    expect(amounts(foods)).toEqual([{ id: 'table:cnf.1696', name: 'Apple, raw, with skin', ...APPLE }]);
    expect(foods[0]!.aliases).toEqual(['Pomme, crue, avec pelure']);
  });

  test('Australia: line breaks in headings, kilojoules alone', async () => {
    const { foods } = await read({
      'afcd.xlsx': {
        'All solids & liquids per 100g': [
          ['Release 2'],
          [
            'Public Food Key',
            'Classification',
            'Food Name',
            'Energy with dietary fibre, equated \n(kJ)',
            'Protein \n(g)',
            'Fat, total \n(g)',
            'Available carbohydrate, without sugar alcohols \n(g)',
            'Sodium (Na) \n(mg)',
          ],
          ['F000010', 1, 'Apple, raw', 218, 0.3, 0.2, 11.4, 1],
        ],
        'Liquids only per 100mL': [
          ['Public Food Key', 'Food Name', 'Protein \n(g)'],
          ['F000010', 'Apple, raw', 99],
        ],
      },
    });
    const { energy: _, ...others } = APPLE;
    expect(amounts(foods)).toEqual([
      { id: 'table:afcd.F000010', name: 'Apple, raw', energyKj: 218, ...others, sodium: 1 },
    ]);
  });

  test('every map has a test and names its source', async () => {
    const maps = await knownMaps();
    expect(maps.map(({ name }) => name)).toEqual([
      'afcd',
      'bda',
      'bls',
      'ciqual',
      'cnf',
      'cofid',
      'frida',
      'nevo',
      'norway',
      'swiss',
    ]);
    for (const { source, title } of maps)
      expect([source, title]).toEqual([expect.stringMatching(/^https:/), expect.any(String)]);
  });
});

describe('tables of a household', () => {
  test('a spreadsheet of another layout is read by its headings', async () => {
    const { foods, table } = await read({
      'pantry.xlsx': {
        Vorrat: [
          ['Unser Vorrat'],
          [
            'Produkt',
            'Marke',
            'EAN',
            'Brennwert (kJ)',
            'Kalorien',
            'Eiweiß [g]',
            'Fett',
            'Kohlenhydrate in g',
            'Salz (g)',
            'Regal',
          ],
          ['Müsli', 'Hof', '4000417025005', 1550, 370, 10.5, 6, 62, '0,05', 'oben'],
        ],
      },
    });
    expect(table.mapIs).toBe('proposed');
    expect(table.unused).toEqual(['Regal']);
    expect(foods).toMatchObject([
      {
        origin: 'table',
        key: expect.stringMatching(/^mine\.m-sli-hof-4000417025005-[0-9a-f]{8}$/),
        name: 'Müsli',
        brand: 'Hof',
        barcode: '4000417025005',
        per100: { energy: 370, energyKj: 1550, protein: 10.5, fat: 6, carbohydrates: 62, saltG: 0.05 },
      },
    ]);
  });

  test('the map that is written reads the same foods', async () => {
    const csv =
      'Food,Serving,Calories per serving,Protein (g) per serving,Fat (g) per serving,Carbs (g) per serving,Iron (µg) per serving\nBar,1 bar (40 g),160,4,6,22,800\n';
    const { foods, table } = await read({ 'bars.csv': csv });
    expect(amounts(foods)).toEqual([
      {
        id: expect.stringMatching(/^table:mine\.bar-/),
        name: 'Bar',
        energy: 160,
        protein: 4,
        fat: 6,
        carbohydrates: 22,
        iron: 0.8,
      },
    ]);
    expect(foods[0]).toMatchObject({ servings: [{ text: '1 bar (40 g)' }], isPerServing: true });
    using folder = tempFolder();
    const map = join(folder.path, 'map.yaml');
    await writeFile(map, table.map.text);
    expect((await read({ 'bars.csv': csv }, { map })).foods).toEqual(foods);
  });

  test.each([
    [
      'JSON lines',
      '{"name":"Apple","energy_kcal":52,"protein":0.3,"fat":0.2,"carbs":11.4}\n{"name":"Pear" "energy_kcal":1}\n',
    ],
    [
      'a JSON list',
      '[{"name":"Apple","energy_kcal":52,"protein":0.3,"fat":0.2,"carbs":11.4}, {"name":"Pear" "energy_kcal":1}]',
    ],
    [
      'a list in an object',
      '{"count":1,"foods":[{"name":"Apple","energy_kcal":52,"protein":0.3,"fat":0.2,"carbs":11.4},{"name":"Pear" "energy_kcal":1}]}',
    ],
  ])('%s, and an object that cannot be read', async (_kind, text) => {
    const { foods, others } = await read({ 'foods.json.gz': gzipSync(text) });
    expect(amounts(foods)).toMatchObject([{ name: 'Apple', ...APPLE }]);
    expect(others).toEqual(['foods.json.gz:2: no valid JSON']);
  });

  test('units in a row of their own, estimates and unknown amounts', async () => {
    const csv =
      'Name;Energie;Eiweiß;Fett;Kohlenhydrate;Natrium;Eisen\n;kcal;g;g;g;g;µg\nApfel;(52);~0,3;0,2;11,4;0,001;n.d.\nBirne;viel;0,4;0,1;12;-;120\n';
    const { foods, others } = await read({ 'units.csv': csv });
    expect(amounts(foods)).toMatchObject([
      { name: 'Apfel', ...APPLE, sodium: 1 },
      { name: 'Birne', protein: 0.4, iron: 0.12 },
    ]);
    expect(others).toEqual(['amount that is no number left out: units.csv:4 viel']);
  });

  test.each([
    [
      'servings without a basis',
      'Food,Serving,kcal\nBar,40 g,160\n',
      'does not say what its amounts are of. State it with --per',
    ],
    [
      'amounts of more than 100 g',
      'Food,kcal,Protein,Fat,Carbs\nPizza,1200,60,50,120\n',
      'does not say what its amounts are of. State it with --per',
    ],
    [
      'both decimal marks',
      'Food;kcal;Protein\nBar;160.5;1.25\nBun;1,25;0,5\n',
      'have a decimal point and others a decimal comma',
    ],
    ['no headings', '1,2,3\n4,5,6\n', 'has no headings for the name and the energy'],
    ['no content', '', 'is empty'],
    ['an object alone', '{"a": 1}', 'has no headings for the name and the energy'],
    ['a list that ends early', '[{"name":"Apple","kcal":52},{"name"', 'ends in the middle of the list'],
  ])('refused with a way out: %s', async (_what, text, message) => {
    await expect(read({ 'table.csv': text })).rejects.toThrow(message);
  });

  test('a file that only looks like a workbook is refused', async () => {
    await expect(read({ 'table.xlsx': Buffer.from('PK\u0003\u0004nothing') })).rejects.toThrow(
      /is a damaged ZIP archive/,
    );
  });

  test.each([
    ['name: A Table\ncolumns: {Food: name}', 'name: must be up to 20 characters'],
    [
      'name: x\ncolumns: {Food: name, Fat: fat in g}',
      'gives "Fat" the meaning "fat in g", which does not exist',
    ],
    ['name: x\ncolumns: {Fat: fat g}', 'names no column as "name"'],
    ['name: [', 'is no valid YAML'],
    ['name: x\ncolumns: {Dish: name, kcal: energy kcal}', 'has no column "Dish"'],
  ])('a wrong map says what is wrong', async (text, message) => {
    using folder = tempFolder();
    const map = join(folder.path, 'map.yaml');
    await writeFile(map, text);
    await expect(read({ 'table.csv': 'Food,kcal\nApple,52\n' }, { map })).rejects.toThrow(message);
  });

  test('the example of the documentation is a map', async () => {
    const docs = await readFile(join(import.meta.dirname, '../../../../docs/importing.md'), 'utf8');
    const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(docs) ?? [];
    const { columns, per } = parseTableMap(yaml, 'the example');
    expect([per, columns.size]).toEqual(['serving', 9]);
  });

  test('a preview reads the first foods only', async () => {
    const rows = Array.from({ length: 50 }, (_, at) => `Food ${at},${at}`);
    const { table, foods } = await read({ 'table.csv': `Food,kcal\n${rows.join('\n')}\n` });
    expect(foods).toHaveLength(50);
    expect(previewTable(table, 5).map(({ name }) => name)).toEqual([0, 1, 2, 3, 4].map((at) => `Food ${at}`));
    expect(table.notes).toEqual(['Amounts are read as those of 100 g; --per states another weight.']);
  });
});

const EU = join(import.meta.dirname, '../../../../../shared/data/eu');

describe.skipIf(!existsSync(EU))('the real tables (skipped where ../shared/data is absent)', () => {
  test.each([
    ['ciqual', 3_323],
    ['bls', 7_043],
  ] as const)('%s is read completely, every food with a unique key', async (map, count) => {
    const table = await openTable([join(EU, `${map}_2025.json.gz`)], { map, per: undefined, name: 'x' });
    const foods = previewTable(table, Number.MAX_SAFE_INTEGER);
    expect(foods).toHaveLength(count);
    expect(new Set(foods.map(({ key }) => key)).size).toBe(count);
    expect(foods.every(({ per100 }) => Object.keys(per100 ?? {}).length >= 5)).toBe(true);
  });
});
