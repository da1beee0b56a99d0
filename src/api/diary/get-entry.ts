import type { Diary } from '../../diary/diary.ts';
import { ownerOf } from '../acting-user.ts';
import { ifNoneMatch, NOT_MODIFIED_ANSWER } from '../etag.ts';
import { includeNutrients, withNutrients } from '../nutrients.ts';
import { operation } from '../operation.ts';
import { DIARY_TAG, diaryRead, EXAMPLE_ENTRY, entryParams } from './diary-docs.ts';
import { entryOutcome, entrySchema } from './entry-json.ts';

export const getEntry = operation({
  method: 'GET',
  path: '/v1/users/:userId/diary/:entryId',
  id: 'getDiaryEntry',
  tag: DIARY_TAG,
  summary: 'Read an entry',
  access: diaryRead,
  counts: 'diaryRead',
  params: entryParams,
  query: includeNutrients,
  headers: ifNoneMatch,
  answer: {
    description: 'The entry, with its ETag.',
    headers: ['ETag'],
    schema: entrySchema,
    example: EXAMPLE_ENTRY,
  },
  empty: NOT_MODIFIED_ANSWER,
  errors: ['diary_entry_not_found'],
  handle: async (request, { diary }: { diary: Diary }) => {
    const owner = ownerOf(request);
    const { value, ...facts } = entryOutcome(await diary.get(owner, request.params.entryId), owner);
    const { include } = request.query;
    return { ...facts, value: include === undefined ? value : withNutrients(value as object) };
  },
});
