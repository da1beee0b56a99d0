import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { languageBit } from '@larder/core/name-languages.ts';
import { describe, expect, test } from 'vitest';
import { APPLE, amounts, readTableFiles as read } from '../../../../test/support/read-table-files.ts';
import { knownMaps } from './propose-map.ts';
import { openTable, previewTable } from './table-source.ts';

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
