import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { expect, test } from 'vitest';
import { type Column, parquetFile } from '../../../../test/abuse/generators/parquet.ts';
import { tempFolder } from '../../../../test/support/temp-folder.ts';
import type { RawFood, RawFoodSink } from '../normalise/raw-food.ts';
import { inspectSourceFile } from '../readers/source-file.ts';
import { readOffParquet } from './parquet-file.ts';

const ROWS = 10_000;

function products(rows: number, more: readonly Column[] = []): Column[] {
  const texts = (prefix: string) => Array.from({ length: rows }, (_, row) => `${prefix}${row}`);
  const same = (text: string) => Array.from({ length: rows }, () => text);
  return [
    { path: ['code'], texts: texts('40000') },
    { path: ['product_name', 'list', 'element', 'lang'], texts: same('main') },
    { path: ['product_name', 'list', 'element', 'text'], texts: texts('Jam ') },
    { path: ['nutriments', 'list', 'element', 'name'], texts: same('fat') },
    {
      path: ['nutriments', 'list', 'element', '100g'],
      numbers: Array.from({ length: rows }, (_, row) => row),
    },
    ...more,
  ];
}

async function read(content: Buffer) {
  using folder = tempFolder();
  writeFileSync(join(folder.path, 'off.parquet'), content);
  const foods: RawFood[] = [];
  const broken: string[] = [];
  const source = await inspectSourceFile(join(folder.path, 'off.parquet'));
  const sink: RawFoodSink = {
    food: (food) => void foods.push(food),
    broken: (where) => void broken.push(where),
    skipped: () => {},
    noticed: () => {},
  };
  await readOffParquet(source, sink, {});
  return { foods, broken };
}

test('all rows of all row groups are read in order, with the members of their lists', async () => {
  const { foods, broken } = await read(parquetFile([products(ROWS), products(3)]));
  expect(broken).toEqual([]);
  expect(foods).toHaveLength(ROWS + 3);
  for (const [at, row] of [
    [0, 0],
    [ROWS - 1, ROWS - 1],
    [ROWS + 2, 2],
  ] as const)
    expect(foods[at]).toMatchObject({ key: `40000${row}`, name: `Jam ${row}`, per100: { fat: row } });
});

test.each([
  ['that claims billions of values', 2 ** 31 - 1],
  ['that would take gigabytes to decode', 30_000_000],
])('a page %s is rejected before it is decoded', async (_, values) => {
  const failure = await read(parquetFile([products(10)], { values })).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(OperatorError);
  expect((failure as Error).message).toMatch(/off\.parquet.*too large.*rows in a group/);
});

test('a column with fewer rows than its row group states is a damaged file', async () => {
  await expect(read(parquetFile([products(100)], { rows: 101 }))).rejects.toThrow(
    /damaged.*code has fewer rows/,
  );
});
