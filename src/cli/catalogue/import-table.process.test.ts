import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runLarder } from '../../../test/support/run-larder.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';

let env: Record<string, string>;
let folder: string;
beforeEach(() => {
  const temp = tempFolder();
  folder = temp.path;
  env = { LARDER_DATA_DIR: join(folder, 'data') };
  return () => temp[Symbol.dispose]();
});

const larder = (...words: string[]) => runLarder(env, ...words);
const found = async (query: string): Promise<string[]> => {
  const foods = JSON.parse(await larder('search', query, '--json')) as readonly {
    readonly name: string;
    readonly id: string;
  }[];
  return foods.map(({ name }) => name);
};

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const PANTRY = 'Food;Brand;Calories;Protein;Fat;Carbs;Shelf\nZwackel biscuits;Hof;450;7;18;64;2\n';

test('a table is previewed, its map kept, changed and used', async () => {
  const pantry = file('Pantry 2026.csv', PANTRY);
  const map = join(folder, 'pantry.yaml');
  const preview = await larder('import', 'table', pantry, '--preview', '--save-map', map, '--no-starter');
  expect(preview).toContain('Columns are read by the headings, amounts per 100g.\nNot read: Shelf.');
  expect(preview).toContain(
    'Zwackel biscuits, Hof; per 100: energy 450, protein 7, fat 18, carbohydrates 64',
  );
  expect(readFileSync(map, 'utf8')).toBe(
    'name: pantry-2026\ncolumns:\n  Food: name\n  Brand: brand\n  Calories: energy kcal\n  Protein: protein g\n  Fat: fat g\n  Carbs: carbohydrates g\n',
  );
  await expect(larder('import', 'table', pantry, '--save-map', map)).rejects.toThrow('exists already');
  writeFileSync(map, readFileSync(map, 'utf8').replace('pantry-2026', 'pantry'));
  const report = JSON.parse(await larder('import', 'table', pantry, '--map', map, '--no-starter', '--json'));
  expect(report).toMatchObject({ origin: 'table', kept: 1, catalogue: { foods: 1, inUse: true } });
  expect(await found('zwackel biscuits')).toEqual(['Zwackel biscuits']);
});

test('--replace drops the foods of the same table alone', async () => {
  const one = file('one.csv', PANTRY);
  const other = file('two.csv', PANTRY.replaceAll('Zwackel', 'Quorfel'));
  await larder('import', 'table', one, '--no-starter');
  await larder('import', 'table', other, '--no-starter');
  expect(await found('quorfel biscuits')).toContain('Quorfel biscuits');
  const newer = file('newer.csv', PANTRY.replaceAll('Zwackel', 'Brimmel'));
  await larder('import', 'table', newer, '--name', 'one', '--replace');
  expect(await found('brimmel biscuits')).toContain('Brimmel biscuits');
  expect(await found('quorfel biscuits')).toContain('Quorfel biscuits');
  expect(await found('zwackel biscuits')).not.toContain('Zwackel biscuits');
});
