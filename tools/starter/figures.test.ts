import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  BRANDED_TABLE,
  FILLED_COLUMNS,
  GENERIC_TABLE,
  readTable,
  STARTER_COLUMNS,
} from '../../src/foods/starter/starter-table.ts';
import { countDiaryLines, DIARY_ENTRIES, diaryEntriesJson } from './diary-lines.ts';
import { type FillSources, filledValues } from './fill-table.ts';
import { readUsdaFoods } from './usda-foods.ts';

const DATA = join(import.meta.dirname, '../../../shared/data');

describe.skipIf(!existsSync(DATA))('the starter figures (skipped where ../shared/data is absent)', () => {
  let sources: FillSources;
  beforeAll(async () => {
    sources = {
      foods: await readUsdaFoods(join(DATA, 'fdc')),
      diaryLines: await countDiaryLines(join(DATA, 'nhanes')),
    };
  });

  test('the diary entries of survey foods equal those in the diaries', () => {
    expect(readFileSync(DIARY_ENTRIES, 'utf8')).toBe(diaryEntriesJson(sources.diaryLines));
  });

  test.each([
    ['generic', GENERIC_TABLE, 'weighed'],
    ['branded', BRANDED_TABLE, 'labelled'],
  ] as const)('the values of %s foods are those of their USDA foods', (_, table, kind) => {
    for (const row of readTable(table, STARTER_COLUMNS)) {
      const stated = FILLED_COLUMNS.map((column) => row.values[column]);
      expect(stated, `${row.file}:${row.line}`).toEqual(filledValues(row, kind, sources));
    }
  });
});
