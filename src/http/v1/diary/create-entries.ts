import { z } from 'zod';
import type { Diary } from '../../../diary/diary.ts';
import { BODY_LIMITS } from '../../server/body/body-limits.ts';
import { jsonList } from '../../server/body/json-list.ts';
import { operation } from '../../server/operation.ts';
import { ownerOf, viewerOf } from '../acting-user.ts';
import { DIARY_TAG, diaryWrite, EXAMPLE_ENTRY, EXAMPLE_NEW_ENTRY, userParams } from './diary-docs.ts';
import { entryJson, entryReply, entrySchema, newEntriesSchema, newEntrySchema } from './diary-json.ts';

export const createEntries = operation({
  method: 'POST',
  path: '/v1/users/:userId/diary',
  id: 'createDiaryEntries',
  tag: DIARY_TAG,
  summary: 'Write down what was eaten',
  description:
    'One entry of at most 64 KiB, or up to 100 in an array, 1 MiB together: all of them or none. A scan becomes an entry ' +
    'for each of its items, or of those in `items`, with their changes. One with `unsure` items needs `items` or `saveUnsure`.',
  access: diaryWrite,
  counts: 'diaryWrite',
  params: userParams,
  body: {
    schema: z.union([newEntrySchema, newEntriesSchema]),
    example: EXAMPLE_NEW_ENTRY,
    limit: { one: BODY_LIMITS.item, many: BODY_LIMITS.batch },
  },
  answer: {
    status: 201,
    description: 'The entry, with Location and ETag; for an array or a scan the entries.',
    headers: ['ETag', 'Location'],
    schema: z.union([entrySchema, z.array(entrySchema)]),
    example: EXAMPLE_ENTRY,
  },
  errors: ['food_not_found', 'barcode_not_found', 'invalid_barcode', 'not_found', 'scan_job_not_found'],
  handle:
    ({ diary }: { diary: Diary }) =>
    async (request) => {
      const { caller, body, ids } = request;
      const owner = ownerOf(request);
      const inputs = Array.isArray(body) ? body : [body];
      const entries = await diary.create(owner, inputs, { ids, viewer: viewerOf(caller) });
      if (Array.isArray(body) || body.scanJobId !== undefined) {
        const userId = JSON.stringify(owner.userId);
        return jsonList(entries, (entry) => entryJson(entry, userId));
      }
      const [entry] = entries;
      const location = `/v1/users/${encodeURIComponent(owner.userId)}/diary/${entry!.id}`;
      return { ...entryReply(entry!, owner), headers: { location } };
    },
});
