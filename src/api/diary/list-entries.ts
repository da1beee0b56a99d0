import { z } from 'zod';
import { SLICE_ENTRIES } from '../../base/background-work.ts';
import { DEFAULT_LIMIT } from '../../base/list-request.ts';
import { RECORD_ID_FORM } from '../../base/time-ordered-id.ts';
import type { Diary } from '../../diary/diary.ts';
import type { Day, DayRange } from '../../diary/records/day.ts';
import type { DiaryEntry } from '../../diary/records/entry.ts';
import type { EntryPosition } from '../../diary/store/diary-store.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { ownerOf } from '../acting-user.ts';
import { langQuery, langText } from '../foods/food-query.ts';
import { invalidCursor, optionalPages } from '../list-queries.ts';
import { listOutcome, pageOf } from '../lists.ts';
import { includeNutrients, withNutrients } from '../nutrients.ts';
import { operation } from '../operation.ts';
import { DIARY_TAG, daysFields, diaryRead, EXAMPLE_ENTRY, readDays, userParams } from './diary-docs.ts';
import { entryObject, entrySchema, withLocalNames } from './entry-json.ts';

/** Size of each thread's response cache for lists. */
const MAX_CACHE_BYTES = 16 * 2 ** 20;

const entriesQuery = z
  .object({
    ...daysFields,
    ...includeNutrients.shape,
    ...langQuery.shape,
    ...optionalPages(`\\d{4}-\\d{2}-\\d{2}\\.${RECORD_ID_FORM}`),
  })
  .transform(({ limit, after, include, lang, ...days }) => ({
    include,
    lang,
    range: readDays(days).range,
    page:
      limit === undefined && after === undefined
        ? undefined
        : { ...days, lang: langText(lang), limit: limit ?? DEFAULT_LIMIT, after: after ?? '' },
  }));

export const listEntries = operation({
  method: 'GET',
  path: '/v1/users/:userId/diary',
  id: 'listDiaryEntries',
  tag: DIARY_TAG,
  summary: 'List the entries of a day or a range',
  description: 'All of them; with `limit` or `after` a page at a time.',
  access: diaryRead,
  counts: 'diaryRead',
  params: userParams,
  query: entriesQuery,
  answer: {
    description: 'By day, then in the order of writing, with the address of the next page in Link.',
    headers: ['Link'],
    schema: z.array(entrySchema),
    example: [EXAMPLE_ENTRY],
  },
  keeps: {
    maxBytes: MAX_CACHE_BYTES,
    placeOf(request, { diary }: { diary: Diary }) {
      const { range, page, include = '', lang } = request.query;
      // Names follow the catalogue, which the revision does not cover.
      if (lang.length > 0) return undefined;
      const owner = ownerOf(request);
      const revision = page === undefined ? diary.hint(owner) : undefined;
      if (revision === undefined) return undefined;
      return { key: `${owner.tenant} ${owner.userId} ${range.from} ${range.to} ${include}`, revision };
    },
  },
  handle: async (request, { diary, foods }: { diary: Diary; foods: FoodDirectory }) => {
    const owner = ownerOf(request);
    const { range, page, include, lang } = request.query;
    const inLanguages = withLocalNames(foods, lang);
    const plain = (entry: DiaryEntry) => inLanguages(entryObject(entry, owner.userId));
    const toObject = include === undefined ? plain : (entry: DiaryEntry) => withNutrients(plain(entry));
    if (page === undefined) return listOutcome(await diary.list(owner, range), SLICE_ENTRIES, toObject);
    return pageOf(
      page,
      ({ after, limit }) => diary.listPage(owner, { range, limit, ...positionOf(after, range) }),
      toObject,
      { cursorOf: ({ date, id }) => `${date}.${id}` },
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
