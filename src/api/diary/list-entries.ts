import type { FoodLanguage } from '@larder/core/food-languages.ts';
import { z } from 'zod';
import { SLICE_ENTRIES } from '../../base/background-work.ts';
import { RECORD_ID_FORM } from '../../base/time-ordered-id.ts';
import type { Diary } from '../../diary/diary.ts';
import { type Day, type DayRange, oneDay, parseDay, parseDayRange } from '../../diary/records/day.ts';
import type { DiaryEntry, DiaryOwner } from '../../diary/records/entry.ts';
import type { EntryPosition } from '../../diary/store/diary-store.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { ownerOf } from '../acting-user.ts';
import { langQuery, langText } from '../foods/food-query.ts';
import { invalidCursor, pageQueryOf } from '../list-queries.ts';
import { listOutcome, pageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { dateText } from '../text-schemas.ts';
import { DIARY_TAG, diaryRead, EXAMPLE_ENTRY, rangeFields, userParams } from './diary-docs.ts';
import { entryObject, entrySchema, withLocalNames } from './entry-json.ts';

/** Size of each thread's response cache for lists. */
const MAX_CACHE_BYTES = 16 * 2 ** 20;
/** A range has many entries: a month some 300. */
const RANGE_LIMITS = { byDefault: 100, max: 500 };

interface Ports {
  readonly diary: Diary;
  readonly foods: FoodDirectory;
}

const shared = {
  method: 'GET',
  tag: DIARY_TAG,
  access: diaryRead,
  counts: 'diaryRead',
  params: userParams,
} as const;

/** Converts entries as the query asks for them. */
function presenterOf(
  lang: readonly FoodLanguage[],
  { userId }: DiaryOwner,
  foods: FoodDirectory,
): (entry: DiaryEntry) => object {
  const inLanguages = withLocalNames(foods, lang);
  return (entry) => inLanguages(entryObject(entry, userId));
}

export const listEntries = operation({
  ...shared,
  path: '/v1/users/:userId/diary',
  id: 'listDiaryEntries',
  summary: 'List the entries of a day',
  description: 'All of them. Days in pages: `…/diary/entries`.',
  query: z.object({ ...langQuery.shape, date: dateText.describe('The day.') }),
  answer: {
    description: 'In the order of writing.',
    schema: z.array(entrySchema),
    example: [EXAMPLE_ENTRY],
  },
  keeps: {
    maxBytes: MAX_CACHE_BYTES,
    placeOf(request, { diary }: Ports) {
      const { date, lang } = request.query;
      // Names follow the catalogue, which the revision does not cover.
      if (lang.length > 0) return undefined;
      const owner = ownerOf(request);
      const revision = diary.hint(owner);
      return revision === undefined
        ? undefined
        : { key: `${owner.tenant} ${owner.userId} ${date}`, revision };
    },
  },
  handle: async (request, { diary, foods }: Ports) => {
    const owner = ownerOf(request);
    const entries = await diary.list(owner, oneDay(parseDay(request.query.date)));
    return listOutcome(entries, SLICE_ENTRIES, presenterOf(request.query.lang, owner, foods));
  },
});

export const listEntriesOfRange = operation({
  ...shared,
  path: '/v1/users/:userId/diary/entries',
  id: 'listDiaryEntriesOfRange',
  summary: 'List the entries of a range of days',
  query: pageQueryOf(`\\d{4}-\\d{2}-\\d{2}\\.${RECORD_ID_FORM}`, RANGE_LIMITS).extend({
    ...langQuery.shape,
    ...rangeFields,
  }),
  answer: {
    description: 'By day, then in the order of writing, with the address of the next page in Link.',
    headers: ['Link'],
    schema: z.array(entrySchema),
    example: [EXAMPLE_ENTRY],
  },
  handle: async (request, { diary, foods }: Ports) => {
    const owner = ownerOf(request);
    const { lang, from, to, ...query } = request.query;
    const range = parseDayRange(from, to);
    return pageOf(
      { ...query, from, to, lang: langText(lang) },
      ({ after, limit }) => diary.listPage(owner, { range, limit, ...positionOf(after, range) }),
      presenterOf(request.query.lang, owner, foods),
      { cursorOf: ({ date, id }) => `${date}.${id}`, sliceSize: SLICE_ENTRIES },
    );
  },
});

/** Reads a cursor: the date and id of the last entry, which position the next page even if that entry is deleted. */
function positionOf(cursor: string, { from, to }: DayRange): { readonly after?: EntryPosition } {
  if (cursor === '') return {};
  const [date, id] = cursor.split('.') as [Day, string];
  if (date < from || date > to) throw invalidCursor();
  return { after: { date, id } };
}
