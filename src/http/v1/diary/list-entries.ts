import { z } from 'zod';
import type { Diary } from '../../../diary/diary.ts';
import { SLICE_ENTRIES } from '../../../slices.ts';
import { longJsonList } from '../../server/body/json-list.ts';
import { ResponseCache } from '../../server/caching/response-cache.ts';
import { operation } from '../../server/operation.ts';
import { ownerOf } from '../acting-user.ts';
import { DIARY_TAG, diaryRead, EXAMPLE_ENTRY, userParams } from './diary-docs.ts';
import { entryJson, entrySchema } from './diary-json.ts';
import { daysFields, readDays } from './diary-query.ts';

/** Size of the response cache for lists on each thread. */
const MAX_CACHE_BYTES = 16 * 2 ** 20;

export const listEntries = operation({
  method: 'GET',
  path: '/v1/users/:userId/diary',
  id: 'listDiaryEntries',
  tag: DIARY_TAG,
  summary: 'List the entries of a day or a range',
  access: diaryRead,
  counts: 'diaryRead',
  params: userParams,
  query: z.object(daysFields).transform(readDays),
  answer: {
    description: 'By day, then in the order of writing.',
    schema: z.array(entrySchema),
    example: [EXAMPLE_ENTRY],
  },
  handle: ({ diary }: { diary: Diary }) => {
    const lists = new ResponseCache<string | Buffer>({ maxBytes: MAX_CACHE_BYTES });
    return (request) => {
      const owner = ownerOf(request);
      const { range } = request.query;
      const key = `${owner.tenant} ${owner.userId} ${range.from} ${range.to}`;
      return lists.get(key, diary.revision(owner), async () => {
        const userId = JSON.stringify(owner.userId);
        const entries = await diary.list(owner, range);
        return longJsonList(entries, SLICE_ENTRIES, (entry) => entryJson(entry, userId));
      });
    };
  },
});
