import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { APPLE, amounts, readTableFiles as read } from '../../../../test/support/read-table-files.ts';
import { tempFolder } from '../../../../test/support/temp-folder.ts';
import { parseTableMap } from './table-map.ts';
import { previewTable } from './table-source.ts';

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
