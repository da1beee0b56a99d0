import type { Diary } from '../../diary/diary.ts';
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
import { newEntrySchema, oneEntrySchema } from './entry-input.ts';
import { entryOutcome, entrySchema } from './entry-json.ts';

export const createEntry = operation({
  method: 'POST',
  path: '/v1/users/:userId/diary',
  id: 'createDiaryEntry',
  tag: DIARY_TAG,
  summary: 'Add a diary entry',
  description: 'Several at once: `…/diary/batch`; a text: `…/diary/text`; a scan: `…/diary/scan`.',
  access: diaryWrite,
  counts: 'diaryWrite',
  params: userParams,
  body: {
    schema: oneEntrySchema,
    described: newEntrySchema,
    example: EXAMPLE_NEW_ENTRY,
    limit: BODY_LIMITS.item,
  },
  answer: {
    status: 201,
    known: WHAT_KNOWN_IDS_ANSWER,
    description: 'The entry, with Location and ETag.',
    headers: ['ETag', 'Location'],
    schema: entrySchema,
    example: EXAMPLE_ENTRY,
  },
  errors: [...NEW_ENTRY_ERRORS, 'deleted'],
  handle: async (request, { diary }: { diary: Diary }) => {
    const { caller, body, ids } = request;
    const owner = ownerOf(request);
    const { entries, isNew } = await diary.write(owner, [body], { ids, sharers: sharersOf(caller) });
    const [entry] = entries;
    return { ...entryOutcome(entry!, owner), created: entry!.id, status: isNew ? undefined : 200 };
  },
});
