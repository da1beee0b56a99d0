import { AppError } from '@larder/core/errors.ts';
import type { DiaryOwner } from '../diary/records/entry.ts';
import { readTable, type Table } from '../foods/import/table/delimited-table.ts';
import { openNutrientColumns } from '../foods/import/table/nutrient-columns.ts';
import { DiaryColumns } from './apps/diary-columns.ts';
import { readDiaryTable } from './apps/diary-table.ts';
import { readFatSecret, SECTION } from './apps/fat-secret.ts';
import { headingKey } from './apps/headings.ts';
import { readOwnTable } from './apps/own-table.ts';
import { EntryMaker, requireTimeZone } from './import/entry-maker.ts';
import { type ExportContext, readEntryArray, readExport } from './import/read-export.ts';
import type { Reading } from './import/reading.ts';
import type { DateOrder, ImportFormat } from './import-options.ts';
import { toFileText } from './tables/file-text.ts';

/** How a file with the data of a user is read. */
export interface UserFileTask {
  readonly owner: DiaryOwner;
  /** The format of the file; detected by default. */
  readonly format?: ImportFormat | undefined;
  readonly dateOrder?: DateOrder | undefined;
  readonly timeZone?: string | undefined;
  readonly nowMs: number;
}

export type ReadOptions = UserFileTask & Omit<ExportContext, 'userId'>;

/** Titles may precede the headings. */
const MAX_TITLE_ROWS = 20;
/** MyFitnessPal states these as percentages of a daily value. */
const SHARES = ['vitamin a', 'vitamin c', 'calcium', 'iron'];

/** Reads a file into `reading`, and returns its format. Throws `invalid_request` for an unknown format. */
export async function readUserFile(
  bytes: Buffer,
  reading: Reading,
  options: ReadOptions,
): Promise<ImportFormat> {
  const { owner, format: stated, dateOrder, nowMs, timeZone } = options;
  requireTimeZone(timeZone);
  const utf8 = await toText(bytes, reading);
  const start = utf8.toString('utf8', 0, 1_000).trimStart();
  if (stated === 'larder' || (stated === undefined && start.startsWith('{'))) {
    readExport(utf8, reading, { ...options, userId: owner.userId });
    return 'larder';
  }
  if (stated === 'larder-json' || (stated === undefined && start.startsWith('['))) {
    readEntryArray(utf8, reading);
    return 'larder-json';
  }
  const table = readTable(utf8);
  const nutrientOf = await openNutrientColumns();
  const format = stated ?? formatOf(table);
  const maker = new EntryMaker({ source: format, owner, nowMs, timeZone, reading });
  if (format === 'larder-csv') readOwnTable(table, reading);
  else if (format === 'fatsecret') readFatSecret(reading, { table, nutrientOf, dateOrder, maker });
  else {
    const ignored = format === 'myfitnesspal' ? SHARES : [];
    const { headingAt, columns } = findHeadings(
      table,
      (cells) => new DiaryColumns(cells, { nutrientOf, ignored }),
    );
    readDiaryTable(reading, { table, columns, headingAt, dateOrder, maker });
  }
  return format;
}

/** Reads the rows of a table in any encoding. */
export async function readTableFile(bytes: Buffer, reading: Reading): Promise<Table> {
  return readTable(await toText(bytes, reading));
}

async function toText(bytes: Buffer, reading: Reading): Promise<Buffer> {
  const { utf8, repairs } = await toFileText(bytes);
  for (const { reason, count, line, column } of repairs)
    reading.note(`${reason}: ${count} times, first in line ${line} at byte ${column}.`);
  return utf8;
}

function formatOf({ rows }: Table): ImportFormat {
  const first = rows[0]?.cells ?? [];
  if (first[0]?.startsWith(SECTION)) return 'fatsecret';
  const names = new Set(first.map(headingKey));
  const has = (...wanted: readonly string[]) => wanted.every((name) => names.has(name));
  if (has('foodname', 'mealtype', 'addedmethod')) return 'larder-csv';
  if (has('date time', 'meal name', 'kcal per 100g')) return 'opennutritracker';
  if (has('food name', 'amount') && (has('day') || has('date'))) return 'cronometer';
  if (has('completed', 'energy (kcal)')) throw dailySums();
  if (has('date', 'meal', 'food', 'brand', 'quantity', 'unit')) return 'sparkyfitness';
  if (has('date', 'meal', 'calories', 'saturated fat')) return 'myfitnesspal';
  return 'table';
}

/** The first row with a date, energy, and a food or meal. */
function findHeadings(
  { rows }: Table,
  toColumns: (cells: readonly string[]) => DiaryColumns,
): { readonly headingAt: number; readonly columns: DiaryColumns } {
  for (const [headingAt, { cells }] of rows.slice(0, MAX_TITLE_ROWS).entries()) {
    const columns = toColumns(cells);
    const isDiary = columns.roles.has('date') && columns.has('energy');
    if (isDiary && (columns.roles.has('meal') || columns.roles.has('food'))) return { headingAt, columns };
  }
  const found = (rows[0]?.cells ?? []).slice(0, 20).join(', ').slice(0, 300);
  throw unknown(
    `The file is no export that can be imported: it needs columns for the date, the energy, and the food or the meal. It has: ${found}.`,
  );
}

function dailySums(): AppError {
  return unknown(
    'The file has the sums of days (dailysummary.csv); export "Food & Recipe Entries" (servings.csv) of Cronometer instead.',
  );
}

function unknown(message: string): AppError {
  return new AppError({ code: 'invalid_request', message, details: { fields: ['format'] } });
}
