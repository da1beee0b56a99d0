import { Readable } from 'node:stream';
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
import { guardFormula } from '../../own-data/tables/formulas.ts';
import { ownerOf } from '../acting-user.ts';
import { operation } from '../operation.ts';
import {
  DIARY_TAG,
  EXAMPLE_ENTRY,
  optionalRangeFields,
  readRange,
  userParams,
  wholeDiaryRead,
} from './diary-docs.ts';
import { entrySchema, exportedEntry } from './entry-json.ts';

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
  method: 'GET',
  path: '/v1/users/:userId/diary/export',
  id: 'exportDiary',
  tag: DIARY_TAG,
  summary: 'Export the diary as CSV or JSON',
  description: 'Everything, or the days from `from` to `to`; streamed, so it has no limit.',
  access: wholeDiaryRead,
  counts: 'diaryRead',
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
    ].join(',') + LINE_END
  );
}

function textCell(text = ''): string {
  const safe = guardFormula(text);
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
