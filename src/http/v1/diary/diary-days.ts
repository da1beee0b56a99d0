import { Readable } from 'node:stream';
import { z } from 'zod';
import type { DayRange } from '../../../diary/day.ts';
import { type Diary, MAX_COPIED_ENTRIES } from '../../../diary/diary.ts';
import type { DiaryOwner } from '../../../diary/entry.ts';
import { type Goals, goalsOn, remainingOf, toDecimalGoals } from '../../../diary/goals.ts';
import { invalidField } from '../../../diary/invalid-field.ts';
import { type DayTotals, toDecimalTotals } from '../../../diary/totals.ts';
import type { GoalBook } from '../../../diary/user-goals.ts';
import { SLICE_ENTRIES } from '../../../slices.ts';
import { jsonList, longJsonList, readBody } from '../../server/bodies.ts';
import { BODY_LIMITS } from '../../server/limits.ts';
import { ResponseCache } from '../../server/response-cache.ts';
import type { Route } from '../../server/route.ts';
import { ownerOf } from '../acting-user.ts';
import { readDays, readFlag, readOptionalRange, readText } from '../query.ts';
import {
  DIARY_TAG,
  daysQuery,
  diaryRead,
  diaryWrite,
  EXAMPLE_ENTRY,
  EXAMPLE_TOTALS,
  exportQuery,
  totalsQuery,
  userParams,
} from './diary-docs.ts';
import { copySchema, entryJson, entrySchema, totalsSchema } from './diary-json.ts';
import { CSV_HEADER, toCsvLine } from './export-diary.ts';

/** Size of the answer cache for lists on each thread. */
const MAX_KEPT_BYTES = 16 * 2 ** 20;

/** Days and ranges of days: lists, sums, copies, exports. */
export function diaryDayRoutes({
  diary,
  goals,
}: {
  diary: () => Diary;
  goals: () => GoalBook;
}): readonly Route[] {
  const lists = new ResponseCache<string | Buffer>({ maxBytes: MAX_KEPT_BYTES });
  return [
    {
      method: 'GET',
      path: '/v1/users/:userId/diary',
      access: diaryRead,
      plain: true,
      operation: 'diaryRead',
      docs: {
        tag: DIARY_TAG,
        operationId: 'listDiaryEntries',
        summary: 'List the entries of a day or a range',
        params: userParams,
        query: daysQuery,
        answer: {
          description: 'By day, then in the order of writing.',
          schema: z.array(entrySchema),
          example: [EXAMPLE_ENTRY],
        },
      },
      handle: (request) => {
        const owner = ownerOf(request);
        const { range } = readDays(request.query);
        const key = `${owner.tenant} ${owner.userId} ${range.from} ${range.to}`;
        return lists.get(key, diary().revision(owner), async () => {
          const userId = JSON.stringify(owner.userId);
          const entries = await diary().list(owner, range);
          return longJsonList(entries, SLICE_ENTRIES, (entry) => entryJson(entry, userId));
        });
      },
    },
    {
      method: 'GET',
      path: '/v1/users/:userId/diary/totals',
      access: diaryRead,
      plain: true,
      operation: 'diaryRead',
      docs: {
        tag: DIARY_TAG,
        operationId: 'getDiaryTotals',
        summary: 'Sum up a day, or each day of a range',
        description: 'For `from` and `to` an array with one object a day, each with its `date`.',
        params: userParams,
        query: totalsQuery,
        answer: {
          description: 'Exact sums.',
          schema: z.union([totalsSchema, z.array(totalsSchema)]),
          example: EXAMPLE_TOTALS,
        },
      },
      handle: async (request) => {
        const owner = ownerOf(request);
        const { range, single } = readDays(request.query);
        const withGoals = readFlag(request.query, 'remaining');
        const stated = withGoals ? await goals().list(owner) : undefined;
        const days = (await diary().totals(owner, range)).map((day) => toAnswer(day, stated));
        return JSON.stringify(single ? days[0]!.sums : days.map(({ date, sums }) => ({ date, ...sums })));
      },
    },
    {
      method: 'POST',
      path: '/v1/users/:userId/diary/copy',
      access: diaryWrite,
      operation: 'diaryWrite',
      bodyLimit: BODY_LIMITS.fields,
      docs: {
        tag: DIARY_TAG,
        operationId: 'copyDiaryDay',
        summary: 'Copy a day or a meal to another day',
        description: `At most ${MAX_COPIED_ENTRIES} entries.`,
        params: userParams,
        body: { schema: copySchema, example: { from: '2026-01-30', to: '2026-01-31', mealType: 'lunch' } },
        answer: {
          status: 201,
          description: 'The new entries; none when there was nothing to copy.',
          schema: z.array(entrySchema),
          example: [EXAMPLE_ENTRY],
        },
      },
      handle: async (request, reply) => {
        const owner = ownerOf(request);
        const userId = JSON.stringify(owner.userId);
        const entries = await diary().copy(owner, readBody(copySchema, request.body), request.ids);
        reply.code(201);
        return jsonList(entries, (entry) => entryJson(entry, userId));
      },
    },
    {
      method: 'GET',
      path: '/v1/users/:userId/diary/export',
      access: diaryRead,
      operation: 'diaryRead',
      docs: {
        tag: DIARY_TAG,
        operationId: 'exportDiary',
        summary: 'Export the diary as CSV or JSON',
        description: 'Everything, or the days from `from` to `to`; streamed, so it has no limit.',
        params: userParams,
        query: exportQuery,
        answer: {
          description: 'A JSON array of entries, or with `format=csv` a table (RFC 4180).',
          schema: z.array(entrySchema),
          example: [EXAMPLE_ENTRY],
          alsoAs: { 'text/csv': CSV_HEADER },
        },
      },
      handle: (request, reply) => {
        const owner = ownerOf(request);
        const format = readText(request.query, 'format') ?? 'json';
        const range = readOptionalRange(request.query);
        if (format !== 'csv' && format !== 'json')
          throw invalidField('format', '"format" must be csv or json.');
        if (format === 'csv') reply.header('content-type', 'text/csv; charset=utf-8; header=present');
        reply.header('content-disposition', `attachment; filename="diary.${format}"`);
        return Readable.from(
          format === 'csv' ? csvChunks(diary(), owner, range) : jsonChunks(diary(), owner, range),
          {
            objectMode: false,
          },
        );
      },
    },
  ];
}

/** Goals are those of the day; a day without goals has empty objects. */
function toAnswer({ date, totals }: DayTotals, stated: readonly Goals[] | undefined) {
  const sums = toDecimalTotals(totals);
  if (stated === undefined) return { date, sums };
  const amounts = goalsOn(stated, date)?.amounts ?? {};
  return { date, sums: { ...sums, goals: toDecimalGoals(amounts), remaining: remainingOf(amounts, totals) } };
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
  const userId = JSON.stringify(owner.userId);
  let before = '[';
  for await (const page of diary.export(owner, range)) {
    yield before + page.map((entry) => entryJson(entry, userId)).join(',');
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
