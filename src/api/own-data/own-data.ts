import { Readable } from 'node:stream';
import { FURTHER_KEYS } from '@larder/core/nutrients.ts';
import { z } from 'zod';
import type { Diary } from '../../diary/diary.ts';
import type { DayRange } from '../../diary/records/day.ts';
import {
  type AmountKey,
  type DiaryEntry,
  type DiaryOwner,
  MAIN_AMOUNTS,
  OTHER_AMOUNTS,
} from '../../diary/records/entry.ts';
import { toDecimal } from '../../diary/records/exact-amount.ts';
import { toOwner } from '../../foods/custom/food-owner.ts';
import { MAX_FILE_BYTES, MAX_ROWS } from '../../foods/import/table/table-limits.ts';
import { type ExportPorts, exportLines } from '../../own-data/export.ts';
import { DATE_ORDERS, FOOD_BASES, IMPORT_FORMATS } from '../../own-data/import-options.ts';
import { guardFormula } from '../../own-data/tables/values.ts';
import type { UserImports } from '../../own-data/user-imports.ts';
import type { Scans } from '../../scan/jobs/scans.ts';
import { ownerOf, requireScope } from '../acting-user.ts';
import {
  diaryReading,
  diaryWriting,
  EXAMPLE_ENTRY,
  optionalRangeFields,
  readRange,
  userParams,
  wholeDiaryRead,
  wholeDiaryWrite,
} from '../diary/diary-docs.ts';
import { entrySchema, exportedEntry } from '../diary/entry-json.ts';
import { foodWriting } from '../foods/food-query.ts';
import { operation } from '../operation.ts';
import { flag, userIdText } from '../text-schemas.ts';
import { EXAMPLE_IMPORT, importOutcome, importSchema } from './import-json.ts';

export const exportUser = operation({
  ...diaryReading,
  method: 'GET',
  path: '/v1/users/:userId/export',
  id: 'exportUser',
  summary: 'Export everything of a user',
  description:
    'Custom foods, recipes, goals, measurements, notes on days, favourites, saved meals, settings and entries with their ids, as `…/import` takes them, and what is kept of photos: a JSON object in each line; streamed, ' +
    'so it has no limit. Also needs the scope `foods:read`.',
  access: wholeDiaryRead,
  params: userParams,
  answer: {
    description: 'JSON lines.',
    contentType: 'application/x-ndjson',
    schema: z.string(),
    example: '{"larderExport":1,"userId":"user-1"}\n',
  },
  handle: async (request, ports: ExportPorts) => {
    requireScope(request.caller, 'foods:read');
    return {
      headers: { 'content-disposition': 'attachment; filename="larder-export.jsonl"' },
      body: Readable.from(exportLines(ports, ownerOf(request)), { objectMode: false }),
    };
  },
});

const FILE_TYPES = [
  'text/csv',
  'application/x-ndjson',
  'application/jsonl',
  'application/json',
  'text/tab-separated-values',
  'text/plain',
  'application/octet-stream',
] as const;

const importQuery = z.object({
  format: z.enum(IMPORT_FORMATS).optional().describe('Recognized when absent.'),
  preview: flag('"preview" must be true or false.')
    .optional()
    .describe('Write nothing, and answer what would be written.'),
  dateOrder: z
    .enum(DATE_ORDERS)
    .optional()
    .describe('Order of day and month in dates, if the file leaves it open.'),
  timeZone: z
    .string()
    .max(64)
    .optional()
    .describe('An IANA name, such as Europe/Berlin: whose clock the times of a file are read on.'),
});

export const importUser = operation({
  ...diaryWriting,
  method: 'POST',
  path: '/v1/users/:userId/import',
  id: 'importUser',
  summary: 'Import what a user has elsewhere',
  description:
    'An export of Larder (`…/export`, or `…/diary/export`), the CSV of MyFitnessPal, Cronometer, FatSecret, SparkyFitness or ' +
    `OpenNutriTracker, or a table with dates; at most ${MAX_ROWS} rows. What is there already stays as it is, so that a file may ` +
    'be sent again. Custom foods also need the scope `foods:write`.',
  access: wholeDiaryWrite,
  counts: 'import',
  params: userParams,
  query: importQuery,
  body: {
    file: FILE_TYPES,
    sample: '{"entry":{"id":"01KG9V4N00000000000000EXMP","version":1,"date":"2026-01-31"}}\n',
    limit: MAX_FILE_BYTES,
  },
  answer: {
    description: 'Outcome of the import, record by record.',
    schema: importSchema,
    example: EXAMPLE_IMPORT,
  },
  handle: async (request, { imports }: { imports: UserImports }) => {
    const { caller, body, query } = request;
    const { preview = false, ...options } = query;
    const outcome = await imports.run(body, {
      ...options,
      owner: ownerOf(request),
      isPreview: preview,
      admitFoods: () => requireScope(caller, 'foods:write'),
    });
    return importOutcome(outcome, preview);
  },
});

const foodsQuery = z.object({
  userId: userIdText.optional().describe('Whose foods they become; of a key without it, shared ones.'),
  per: z.enum(FOOD_BASES).optional().describe('Basis of the amounts, if the headings do not state it.'),
  preview: flag('"preview" must be true or false.')
    .optional()
    .describe('Write nothing, and answer what would be written.'),
});

export const importFoods = operation({
  ...foodWriting,
  method: 'POST',
  path: '/v1/foods/import',
  id: 'importFoods',
  summary: 'Import a table of custom foods',
  description:
    'CSV with commas, semicolons or tabs: a food in each row, with headings for its name, energy and what else there is, in English, ' +
    `German, French, Spanish, Italian or Portuguese; at most ${MAX_ROWS} rows. Sent again it writes nothing twice.`,
  counts: 'import',
  query: foodsQuery,
  body: {
    file: ['text/csv', 'text/tab-separated-values', 'text/plain', 'application/octet-stream'],
    sample: 'Name,kcal,Protein (g)\nPlum jam,240,0.5\n',
    limit: MAX_FILE_BYTES,
  },
  answer: {
    description: 'Outcome of the import, food by food.',
    schema: importSchema,
    example: { ...EXAMPLE_IMPORT, format: 'foods' },
  },
  handle: async ({ caller, body, query }, { imports }: { imports: UserImports }) => {
    const { userId, per, preview = false } = query;
    const owner = { tenant: caller.tenant, userId: toOwner({ userId }, caller) };
    return importOutcome(await imports.runFoods(body, { owner, per, isPreview: preview }), preview);
  },
});

const COLUMNS = [
  'date',
  'mealType',
  'foodName',
  ...MAIN_AMOUNTS,
  'quantity',
  'unit',
  'addedMethod',
  'foodId',
  'barcode',
  'recipeId',
  'id',
  'createdAt',
  'updatedAt',
  'eatenAt',
  'note',
  ...OTHER_AMOUNTS,
  ...FURTHER_KEYS,
] as const;

/** RFC 4180, section 2. */
const LINE_END = '\r\n';
const NEEDS_QUOTES = /[",\r\n]/;

export const CSV_HEADER = COLUMNS.join(',') + LINE_END;

const exportQuery = z
  .object({
    format: z.enum(['csv', 'json'], '"format" must be csv or json.').optional(),
    ...optionalRangeFields,
  })
  .transform(({ format = 'json', ...days }) => ({ format, range: readRange(days) }));

export const exportDiary = operation({
  ...diaryReading,
  method: 'GET',
  path: '/v1/users/:userId/diary/export',
  id: 'exportDiary',
  summary: 'Export the diary as CSV or JSON',
  description: 'Everything, or the days from `from` to `to`; streamed, so it has no limit.',
  access: wholeDiaryRead,
  params: userParams,
  query: exportQuery,
  answer: {
    description: 'A JSON array of entries, or with `format=csv` a table (RFC 4180).',
    schema: z.array(entrySchema),
    example: [EXAMPLE_ENTRY],
    alsoAs: { 'text/csv': CSV_HEADER },
  },
  handle: async (request, { diary }: { diary: Diary }) => {
    const owner = ownerOf(request);
    const { format, range } = request.query;
    const disposition = { 'content-disposition': `attachment; filename="diary.${format}"` };
    if (format === 'json') return { headers: disposition, body: toStream(jsonChunks(diary, owner, range)) };
    return {
      headers: { ...disposition, 'content-type': 'text/csv; charset=utf-8; header=present' },
      body: toStream(csvChunks(diary, owner, range)),
    };
  },
});

function toStream(chunks: AsyncIterable<string>): Readable {
  return Readable.from(chunks, { objectMode: false });
}

async function* csvChunks(
  diary: Diary,
  owner: DiaryOwner,
  range: DayRange | undefined,
): AsyncGenerator<string> {
  yield CSV_HEADER;
  for await (const page of diary.export(owner, range)) yield page.map(toCsvLine).join('');
}

async function* jsonChunks(
  diary: Diary,
  owner: DiaryOwner,
  range: DayRange | undefined,
): AsyncGenerator<string> {
  let before = '[';
  for await (const page of diary.export(owner, range)) {
    yield before + page.map((entry) => JSON.stringify(exportedEntry(entry, owner.userId))).join(',');
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

export function toCsvLine(entry: DiaryEntry): string {
  const amountCell = (key: AmountKey) => {
    const amount = entry.amounts[key];
    return amount === undefined ? '' : String(toDecimal(amount));
  };
  return (
    [
      entry.date,
      entry.mealType,
      textCell(entry.foodName),
      ...MAIN_AMOUNTS.map(amountCell),
      entry.quantity ?? '',
      textCell(entry.unit),
      entry.addedMethod,
      textCell(entry.foodId),
      textCell(entry.barcode),
      entry.recipeId ?? '',
      entry.id,
      new Date(entry.createdAt).toISOString(),
      new Date(entry.updatedAt).toISOString(),
      entry.eatenAt ?? '',
      textCell(entry.note),
      ...OTHER_AMOUNTS.map(amountCell),
      ...FURTHER_KEYS.map(amountCell),
    ].join(',') + LINE_END
  );
}

function textCell(text = ''): string {
  const safe = guardFormula(text);
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const eraseUser = operation({
  ...diaryWriting,
  method: 'DELETE',
  path: '/v1/users/:userId',
  id: 'eraseUser',
  summary: 'Erase all data of a user',
  description:
    'Entries, recipes, goals, measurements, notes on days, favourites, saved meals, settings, the foods that belong to the user, and the scans that the user created, with their images, at ' +
    'once and for good. ' +
    'A user without any is no error.',
  access: { credential: 'bearer', scope: 'diary:erase', alone: true, confirmed: true },
  params: userParams,
  answer: { status: 204, description: 'All data of the user is erased.' },
  errors: ['confirmation_required'],
  handle: async (request, { diary, scans }: { diary: Diary; scans: Scans }) => {
    const owner = ownerOf(request);
    await scans.removeAllOf(owner);
    await diary.eraseUser(owner);
  },
});
