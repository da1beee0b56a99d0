import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { numberIn, readTable } from './starter-table.ts';

describe('a table that ships with the project', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'larder-table-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function table(text: string): URL {
    const path = join(folder, 'foods.tsv');
    writeFileSync(path, text);
    return pathToFileURL(path);
  }

  test('its rows have their line number and the text of each column', () => {
    const rows = readTable(table('key\tname\napple\tApple\npear\tPear\n'), ['key', 'name']);
    expect(rows).toEqual([
      { file: 'foods.tsv', line: 2, values: { key: 'apple', name: 'Apple' } },
      { file: 'foods.tsv', line: 3, values: { key: 'pear', name: 'Pear' } },
    ]);
  });

  test('empty columns at the end of the last row are kept', () => {
    const [row] = readTable(table('key\tname\napple\t\n'), ['key', 'name']);
    expect(row?.values).toEqual({ key: 'apple', name: '' });
  });

  test('a row with a missing column is an error with file and line', () => {
    expect(() => readTable(table('key\tname\napple\tApple\npear\n'), ['key', 'name'])).toThrow(
      'foods.tsv:3: 1 columns instead of 2.',
    );
  });

  test('unexpected columns are rejected', () => {
    expect(() => readTable(table('name\tkey\n'), ['key', 'name'])).toThrow('foods.tsv: the header must');
  });

  test('a number is read, an empty field is unknown, and any other text is an error with file and line', () => {
    const [row] = readTable(table('a\tb\tc\n1.5\t\tx\n'), ['a', 'b', 'c']);
    expect(numberIn(row!, 'a')).toBe(1.5);
    expect(numberIn(row!, 'b')).toBeUndefined();
    expect(() => numberIn(row!, 'c')).toThrow('foods.tsv:2: c is no number: x');
  });
});
