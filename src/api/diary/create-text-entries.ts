import type { Diary } from '../../diary/diary.ts';
import { ownerOf, sharersOf } from '../acting-user.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { countAsSearches } from '../foods/text-json.ts';
import { operation } from '../operation.ts';
import { DIARY_TAG, diaryWrite, EXAMPLE_ENTRY, userParams } from './diary-docs.ts';
import { textEntriesInputSchema, textEntriesOutcome, textEntriesSchema } from './text-entries-json.ts';

export const createTextEntries = operation({
  method: 'POST',
  path: '/v1/users/:userId/diary/text',
  id: 'createDiaryEntriesFromText',
  tag: DIARY_TAG,
  summary: 'Add diary entries from a text',
  description:
    'An entry for each food that a text names, all of them or none: what cannot be resolved is named in `details.items`. Foods and recipes of the ' +
    'user are found, and what the user eats is preferred. Counts as searches, too.',
  access: diaryWrite,
  counts: 'diaryWrite',
  alsoCounts: ({ text }) => countAsSearches(text),
  params: userParams,
  body: {
    schema: textEntriesInputSchema,
    example: { date: '2026-01-31', mealType: 'lunch', text: '15 g banana' },
    limit: BODY_LIMITS.item,
  },
  answer: {
    status: 201,
    description: 'The entries, and how each was understood.',
    schema: textEntriesSchema,
    example: { entries: [EXAMPLE_ENTRY], understood: [], unresolvedItems: [], ignored: [] },
  },
  errors: ['unresolved_items', 'quota_exceeded'],
  handle: async (request, { diary }: { diary: Diary }) => {
    const owner = ownerOf(request);
    const { body, ids, caller } = request;
    const written = await diary.createFromText(owner, body, { ids, sharers: sharersOf(caller) });
    return textEntriesOutcome(written, owner);
  },
});
