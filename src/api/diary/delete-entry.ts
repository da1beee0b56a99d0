import type { Diary } from '../../diary/diary.ts';
import { ownerOf } from '../acting-user.ts';
import { ifMatch } from '../etag.ts';
import { operation } from '../operation.ts';
import { DIARY_TAG, diaryWrite, entryParams } from './diary-docs.ts';

export const deleteEntry = operation({
  method: 'DELETE',
  path: '/v1/users/:userId/diary/:entryId',
  id: 'deleteDiaryEntry',
  tag: DIARY_TAG,
  summary: 'Delete an entry',
  description: 'With If-Match only when nobody else has changed it.',
  access: diaryWrite,
  counts: 'diaryWrite',
  params: entryParams,
  headers: ifMatch,
  answer: { status: 204, description: 'It is gone.' },
  errors: ['diary_entry_not_found', 'version_conflict'],
  handle: async (request, { diary }: { diary: Diary }) => {
    await diary.remove(ownerOf(request), request.params.entryId, request.headers['If-Match']);
  },
});
