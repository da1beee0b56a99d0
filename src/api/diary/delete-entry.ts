import type { Diary } from '../../diary/diary.ts';
import { ownerOf } from '../acting-user.ts';
import { ifMatch, withConflictDetails } from '../etag.ts';
import { operation } from '../operation.ts';
import { DIARY_TAG, diaryWrite, entryParams } from './diary-docs.ts';
import { entryObject } from './entry-json.ts';

export const deleteEntry = operation({
  method: 'DELETE',
  path: '/v1/users/:userId/diary/:entryId',
  id: 'deleteDiaryEntry',
  tag: DIARY_TAG,
  summary: 'Delete an entry',
  description: 'With If-Match the deletion succeeds only if nobody else has changed the entry.',
  access: diaryWrite,
  counts: 'diaryWrite',
  params: entryParams,
  headers: ifMatch,
  answer: { status: 204, description: 'The entry is deleted.' },
  errors: ['diary_entry_not_found', 'version_conflict'],
  handle: async (request, { diary }: { diary: Diary }) => {
    const owner = ownerOf(request);
    const { entryId } = request.params;
    await withConflictDetails(diary.remove(owner, entryId, request.headers['If-Match']), async () =>
      entryObject(await diary.get(owner, entryId), owner.userId),
    );
  },
});
