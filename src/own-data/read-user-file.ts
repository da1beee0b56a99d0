import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import { isDay, WEEKDAYS } from '../diary/records/day.ts';
import { AMOUNT_KEYS, type DiaryOwner, isMainAmount } from '../diary/records/entry.ts';
import { ALWAYS, type Goals, parseWeekdays } from '../diary/records/goals.ts';
import { invalidField } from '../diary/records/invalid-field.ts';
import { KINDS } from '../diary/records/record-kinds.ts';
import { JsonElements } from '../foods/import/readers/json-elements.ts';
import { headAsUtf8, wholeAsUtf8 } from '../foods/import/readers/utf8.ts';
import { readTable, type Table } from '../foods/import/table/delimited-table.ts';
import { openNutrientColumns } from '../foods/import/table/nutrient-columns.ts';
import { MAX_ROWS, tooManyRows } from '../foods/import/table/table-limits.ts';
import { DiaryColumns, headingKey, readDiaryTable } from './apps/diary-table.ts';
import { readFatSecret, SECTION } from './apps/fat-secret.ts';
import { EntryMaker, requireTimeZone } from './import/entry-maker.ts';
import type { Problem, Reading } from './import/reading.ts';
import { type DateOrder, EXPORT_VERSION, type ImportFormat } from './import-options.ts';
import { readDescribedRecord } from './records/described-record.ts';
import { readEntryRecord } from './records/entry-record.ts';
import { readRecipeRecord } from './records/recipe-record.ts';
import {
  amountFields,
  type ReadDraft,
  readFoodRecord,
  readMeasurementRecord,
  readRecord,
  toAmounts,
} from './records/record-fields.ts';
import { unguardFormula } from './tables/values.ts';

const { unknown: _, ...knownAmounts } = amountFields;
const ofWeekday = z.strictObject(knownAmounts).optional();
const goalsSchema = z.strictObject({
  from: z.string().refine(isDay, 'is no date of the form YYYY-MM-DD').optional(),
  ...knownAmounts,
  weekdays: z.strictObject(Object.fromEntries(WEEKDAYS.map((weekday) => [weekday, ofWeekday]))).optional(),
});

/** Reads what `toGoalFields` wrote. Throws `invalid_request` that names the field. */
function readGoalsRecord(value: unknown): Goals {
  const { from, weekdays: given, ...amounts } = readRecord(goalsSchema, value);
  const weekdays = parseWeekdays(given, toAmounts);
  return { from: from ?? ALWAYS, amounts: toAmounts(amounts), ...(weekdays && { weekdays }) };
}

/** A recipe of 100 ingredients has some 100 kB. */
const MAX_RECORD_BYTES = 1024 * 1024;
const LF = 0x0a;
const EMPTY_LIST = /^\s*\[\s*\]\s*$/;

interface ExportContext {
  readonly userId: string;
  readonly readDraft: ReadDraft;
}

/** Reads a complete export: a JSON object in each line. */
function readExport(utf8: Buffer, reading: Reading, context: ExportContext): void {
  let line = 0;
  for (let at = 0; at < utf8.length; ) {
    const found = utf8.indexOf(LF, at);
    const end = found === -1 ? utf8.length : found;
    line++;
    if (line > MAX_ROWS) throw tooManyRows();
    const text = utf8.toString('utf8', at, end).trim();
    if (text.length > MAX_RECORD_BYTES)
      reading.problem(line, `The line has more than ${MAX_RECORD_BYTES} bytes.`);
    else if (text !== '') readLine(text, line, reading, context);
    at = end + 1;
  }
  if (reading.problemCount === line) throw noExport(reading.problems[0]);
}

/** Error for a file without any readable record. */
function noExport(problem?: Problem): AppError {
  const why = problem === undefined ? '' : ` Line ${problem.line}: ${problem.message}`;
  return new AppError({
    code: 'invalid_request',
    message: `The file holds no record of an export of Larder.${why}`,
    details: { fields: ['format'] },
  });
}

function readLine(text: string, line: number, reading: Reading, { userId, readDraft }: ExportContext): void {
  const value = parse(text, line, reading);
  if (value === undefined) return;
  const { larderExport, userId: _, ...records } = value;
  if (larderExport !== undefined) checkVersion(larderExport);
  const { food, recipe, goals, measurement, entry, photo, ...others } = records;
  const count = Object.keys(records).length;
  const [other] = Object.keys(others);
  const kind = KINDS.find(({ name }) => name === other);
  const isUnknown = other !== undefined && kind === undefined;
  if (count > 1 || isUnknown || (count === 0 && larderExport === undefined))
    reading.problem(line, 'The line is no record of an export of Larder.');
  else if (food !== undefined) reading.add('foods', line, () => readFoodRecord(food, userId, readDraft));
  else if (recipe !== undefined) reading.add('recipes', line, () => readRecipeRecord(recipe));
  else if (goals !== undefined) reading.add('goals', line, () => readGoalsRecord(goals));
  else if (measurement !== undefined)
    reading.add('measurements', line, () => readMeasurementRecord(measurement));
  else if (entry !== undefined) reading.add('entries', line, () => readEntryRecord(entry));
  else if (photo !== undefined)
    reading.note(
      'Photos by which foods are recognized are not imported; they are kept anew when foods are confirmed.',
    );
  else if (kind !== undefined)
    reading.add('records', line, () => readDescribedRecord(kind, others[kind.name]));
}

function checkVersion(version: unknown): void {
  if (version === EXPORT_VERSION) return;
  throw new AppError({
    code: 'invalid_request',
    message: `The export has version ${JSON.stringify(version)}, and this service reads ${EXPORT_VERSION}; update the service.`,
  });
}

/** Reads the entries of a diary export as a JSON array. Elements count as lines, because the array is one line. */
function readEntryArray(utf8: Buffer, reading: Reading): void {
  let element = 0;
  const elements = new JsonElements({
    isWanted: () => false,
    maxElementBytes: MAX_RECORD_BYTES,
    onElement: (bytes) => {
      const line = ++element;
      if (line > MAX_ROWS) throw tooManyRows();
      const value = parse(bytes.toString('utf8'), line, reading);
      if (value !== undefined) reading.add('entries', line, () => readEntryRecord(value));
    },
    onTooLarge: () => reading.problem(++element, `The entry has more than ${MAX_RECORD_BYTES} bytes.`),
  });
  elements.push(utf8);
  if (element === 0 && !EMPTY_LIST.test(utf8.toString('latin1', 0, 100))) throw noExport();
  if (reading.problemCount > 0 && reading.records.entries.length === 0) throw noExport(reading.problems[0]);
  if (!elements.isWhole) reading.problem(element, 'The JSON ends too early; was the file cut off?');
}

function parse(text: string, line: number, reading: Reading): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
    reading.problem(line, 'The line is no JSON object.');
  } catch (error) {
    const [, column] = / column (\d+)\)/.exec(String(error)) ?? [];
    reading.problem(line, 'The line is not valid JSON.', column);
  }
  return undefined;
}

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
interface Repair {
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
