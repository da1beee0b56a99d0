import type { Diary } from '../../../diary/diary.ts';
import { BODY_LIMITS } from '../../server/body/body-limits.ts';
import { ifMatch } from '../../server/caching/request-headers.ts';
import { operation } from '../../server/operation.ts';
import { ownerOf } from '../acting-user.ts';
import { DIARY_TAG, diaryWrite, EXAMPLE_ENTRY, entryParams } from './diary-docs.ts';
import { entryChangeSchema, entryReply, entrySchema } from './diary-json.ts';

export const changeEntry = operation({
  method: 'PATCH',
  path: '/v1/users/:userId/diary/:entryId',
  id: 'changeDiaryEntry',
  tag: DIARY_TAG,
  summary: 'Change an entry',
  description: 'Only the fields that change. With If-Match only when nobody else has changed it.',
  access: diaryWrite,
  counts: 'diaryWrite',
  params: entryParams,
  headers: ifMatch,
  body: { schema: entryChangeSchema, example: { mealType: 'dinner' }, limit: BODY_LIMITS.item },
  answer: {
    description: 'The entry as it is now, with its ETag.',
    headers: ['ETag'],
    schema: entrySchema,
    example: { ...EXAMPLE_ENTRY, mealType: 'dinner' },
  },
  errors: ['diary_entry_not_found', 'version_conflict'],
  handle:
    ({ diary }: { diary: Diary }) =>
    async (request) => {
      const owner = ownerOf(request);
      const { params, body, headers } = request;
      return entryReply(await diary.change(owner, params.entryId, body, headers['If-Match']), owner);
    },
});
