import { z } from 'zod';
import type { Diary } from '../../diary/diary.ts';
import { MAX_BATCH_ENTRIES } from '../../diary/records/entry.ts';
import { ownerOf, sharersOf } from '../acting-user.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { WHAT_KNOWN_IDS_ANSWER } from '../text-schemas.ts';
import {
  DIARY_TAG,
  diaryWrite,
  EXAMPLE_ENTRY,
  EXAMPLE_NEW_ENTRY,
  NEW_ENTRY_ERRORS,
  userParams,
} from './diary-docs.ts';
import { newEntriesSchema } from './entry-input.ts';
import { entriesOutcome, entrySchema } from './entry-json.ts';

export const createEntries = operation({
  method: 'POST',
  path: '/v1/users/:userId/diary/batch',
  id: 'createDiaryEntries',
  tag: DIARY_TAG,
  summary: 'Add several diary entries',
  description: `Up to ${MAX_BATCH_ENTRIES} entries, 1 MiB together: all of them or none.`,
  access: diaryWrite,
  counts: 'diaryWrite',
  params: userParams,
  body: { schema: newEntriesSchema, example: [EXAMPLE_NEW_ENTRY], limit: BODY_LIMITS.batch },
  answer: {
    status: 201,
    known: WHAT_KNOWN_IDS_ANSWER,
    description: 'The entries.',
    schema: z.array(entrySchema),
    example: [EXAMPLE_ENTRY],
  },
  errors: [...NEW_ENTRY_ERRORS, 'deleted'],
  handle: async (request, { diary }: { diary: Diary }) => {
    const { caller, body, ids } = request;
    const owner = ownerOf(request);
    const { entries, isNew } = await diary.write(owner, body, {
      ids,
      sharers: sharersOf(caller),
      isList: true,
    });
    return { ...entriesOutcome(entries, owner), status: isNew ? undefined : 200 };
  },
});
