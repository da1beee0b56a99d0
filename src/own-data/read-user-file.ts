import { AppError } from '@larder/core/errors.ts';
import { AMOUNT_KEYS, type DiaryOwner, isMainAmount } from '../diary/records/entry.ts';
import { invalidField } from '../diary/records/invalid-field.ts';
import { headAsUtf8, wholeAsUtf8 } from '../foods/import/readers/utf8.ts';
import { readTable, type Table } from '../foods/import/table/delimited-table.ts';
import { openNutrientColumns } from '../foods/import/table/nutrient-columns.ts';
import { MAX_ROWS } from '../foods/import/table/table-limits.ts';
import { DiaryColumns } from './apps/diary-columns.ts';
import { readDiaryTable } from './apps/diary-table.ts';
import { readFatSecret, SECTION } from './apps/fat-secret.ts';
import { headingKey } from './apps/headings.ts';
import { EntryMaker, requireTimeZone } from './import/entry-maker.ts';
import { type ExportContext, readEntryArray, readExport } from './import/read-export.ts';
import type { Reading } from './import/reading.ts';
import type { DateOrder, ImportFormat } from './import-options.ts';
import { readEntryRecord } from './records/entry-record.ts';
import { unguardFormula } from './tables/formulas.ts';

const NUMBERS: ReadonlySet<string> = new Set([...AMOUNT_KEYS, 'quantity']);
const OTHERS: ReadonlySet<string> = new Set(AMOUNT_KEYS.filter((key) => !isMainAmount(key)));
const NEEDED = ['id', 'date', 'mealType', 'foodName', 'createdAt'];

/** Reads the diary's own export as CSV. */
function readOwnTable({ rows }: Table, reading: Reading): void {
  const headings = (rows[0]?.cells ?? []).map((heading) => heading.trim());
  if (!NEEDED.every((heading) => headings.includes(heading)))
    throw invalidField(
      'format',
      `The file is no export of the diary: it needs the columns ${NEEDED.join(', ')}.`,
    );
  for (const { line, cells, problem } of rows.slice(1)) {
    if (problem !== undefined || cells.length !== headings.length) {
      const count = `The row has ${cells.length} cells, and the headings are ${headings.length}.`;
      reading.refuse('entries', line, invalidField('', problem ?? count));
      continue;
    }
    const record: Record<string, unknown> = {};
    const nutrients: Record<string, unknown> = {};
    for (const [at, heading] of headings.entries()) {
      const cell = cells[at]!;
      if (cell === '') continue;
      const value = NUMBERS.has(heading) ? Number(cell) : unguardFormula(cell);
      if (OTHERS.has(heading)) nutrients[heading] = value;
      else record[heading] = value;
    }
    if (Object.keys(nutrients).length > 0) record['nutrients'] = nutrients;
    reading.add('entries', line, () => readEntryRecord(record));
  }
}

/** Number of bytes in which NULs distinguish text from other files. */
const HEAD_BYTES = 4096;
/** Lines that are repaired, twice the rows that a table may have: each takes some microseconds. */
const MAX_REPAIRS = 2 * MAX_ROWS;
const ZIP_START = Buffer.from('PK\u0003\u0004');

/** A repair of the encoding, with the line and column of the first position. */
export interface Repair {
  readonly reason: string;
  readonly count: number;
  readonly line: number;
  readonly column: number;
}

/**
 * The file as UTF-8 without a byte order mark, whatever its encoding; see `utf8.ts`. Throws `invalid_request`
 * for a file that is not text.
 */
async function toFileText(
  bytes: Buffer,
): Promise<{ readonly utf8: Buffer; readonly repairs: readonly Repair[] }> {
  if (bytes.subarray(0, ZIP_START.length).equals(ZIP_START))
    throw noText('The file is a ZIP archive or a spreadsheet; unpack it, or save it as CSV.');
  if (bytes.length === 0) throw noText('The file is empty.');
  if (headAsUtf8(bytes.subarray(0, HEAD_BYTES)) === undefined)
    throw noText('The file is no text; send a CSV table or an export of Larder.');
  const repairs = new Map<string, Repair>();
  let total = 0;
  const noticed = (reason: string, example: string) => {
    if (++total > MAX_REPAIRS)
      throw noText(
        `The file has characters of another encoding in more than ${MAX_REPAIRS} places; save it as UTF-8.`,
      );
    const [line = 1, column = 1] = (/^:(\d+):(\d+)/.exec(example) ?? []).slice(1).map(Number);
    const known = repairs.get(reason);
    repairs.set(reason, known ? { ...known, count: known.count + 1 } : { reason, count: 1, line, column });
  };
  return { utf8: await wholeAsUtf8('', bytes, { noticed }), repairs: [...repairs.values()] };
}

function noText(message: string): AppError {
  return new AppError({ code: 'invalid_request', message });
}

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
