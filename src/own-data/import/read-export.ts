import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import { isDay, WEEKDAYS } from '../../diary/records/day.ts';
import { ALWAYS, type Goals, parseWeekdays } from '../../diary/records/goals.ts';
import { KINDS } from '../../diary/records/record-kinds.ts';
import { JsonElements } from '../../foods/import/readers/json-elements.ts';
import { MAX_ROWS, tooManyRows } from '../../foods/import/table/table-limits.ts';
import { EXPORT_VERSION } from '../import-options.ts';
import { readDescribedRecord } from '../records/described-record.ts';
import { readEntryRecord } from '../records/entry-record.ts';
import { type ReadDraft, readFoodRecord } from '../records/food-record.ts';
import { readMeasurementRecord } from '../records/measurement-record.ts';
import { readRecipeRecord } from '../records/recipe-record.ts';
import { amountFields, readRecord, toAmounts } from '../records/record-fields.ts';
import type { Problem, Reading } from './reading.ts';

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

export interface ExportContext {
  readonly userId: string;
  readonly readDraft: ReadDraft;
}

/** Reads a complete export: a JSON object in each line. */
export function readExport(utf8: Buffer, reading: Reading, context: ExportContext): void {
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
  const { food, recipe, goals, measurement, entry, ...others } = records;
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
export function readEntryArray(utf8: Buffer, reading: Reading): void {
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
