import { join } from 'node:path';
import { eachRow } from './usda-foods.ts';

/** Numbers of diary entries of survey foods, for imports. */
export const DIARY_ENTRIES = join(import.meta.dirname, '../../src/foods/import/fdc/diary-entries.json');
/** Minimum entries; fewer are not informative. */
const MIN_ENTRIES = 4;

/** The individual food files of two survey rounds; the column of the food code in each. */
const DIARY_FILES = [
  { file: 'Day1_07.csv.gz', column: 'DR1IFDCD' },
  { file: 'Day2_07.csv.gz', column: 'DR2IFDCD' },
  { file: 'Day1_09.csv.gz', column: 'DR1IFDCD' },
  { file: 'Day2_09.csv.gz', column: 'DR2IFDCD' },
];

/** Number of entries of each food code in the NHANES diaries below `nhanesDir`. */
export async function countDiaryLines(nhanesDir: string): Promise<ReadonlyMap<string, number>> {
  const lines = new Map<string, number>();
  for (const { file, column } of DIARY_FILES) {
    await eachRow(join(nhanesDir, file), [column], (code) => lines.set(code, (lines.get(code) ?? 0) + 1));
  }
  return lines;
}

/** The entries of all codes that equal or begin with one of `codes`, separated by spaces. */
export function linesOf(codes: string, lines: ReadonlyMap<string, number>): number {
  let sum = 0;
  const starts = codes.split(' ').filter((code) => code !== '');
  for (const [code, count] of lines) {
    if (starts.some((start) => code.startsWith(start))) sum += count;
  }
  return sum;
}

/** The text of `diary-entries.json`. */
export function diaryEntriesJson(lines: ReadonlyMap<string, number>): string {
  const counted = [...lines].filter(([, count]) => count >= MIN_ENTRIES).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(counted), undefined, 2)}\n`;
}
