import type { Diary } from '../../diary/diary.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { ownerOf } from '../acting-user.ts';
import { ifNoneMatch, NOT_MODIFIED_ANSWER } from '../etag.ts';
import { langQuery } from '../foods/food-query.ts';
import { operation } from '../operation.ts';
import { DIARY_TAG, diaryRead, EXAMPLE_ENTRY, entryParams } from './diary-docs.ts';
import { entryObject, entrySchema, withLocalNames } from './entry-json.ts';

export const getEntry = operation({
  method: 'GET',
  path: '/v1/users/:userId/diary/:entryId',
  id: 'getDiaryEntry',
  tag: DIARY_TAG,
  summary: 'Read an entry',
  access: diaryRead,
  counts: 'diaryRead',
  params: entryParams,
  query: langQuery,
  headers: ifNoneMatch,
  answer: {
    description: 'The entry, with its ETag.',
    headers: ['ETag'],
    schema: entrySchema,
    example: EXAMPLE_ENTRY,
  },
  empty: NOT_MODIFIED_ANSWER,
  errors: ['diary_entry_not_found'],
  handle: async (request, { diary, foods }: { diary: Diary; foods: FoodDirectory }) => {
    const owner = ownerOf(request);
    const entry = await diary.get(owner, request.params.entryId);
    const value = withLocalNames(foods, request.query.lang)(entryObject(entry, owner.userId));
    return { value, version: entry.version };
  },
});
