import { z } from 'zod';
import type { Diary } from '../../diary/diary.ts';
import { logMeal } from '../../diary/log-meal.ts';
import type { RecordBook } from '../../diary/record-book.ts';
import { MEAL } from '../../diary/records/record-kinds.ts';
import { ownerOf, sharersOf } from '../acting-user.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { DIARY_TAG, diaryWrite, EXAMPLE_ENTRY, NEW_ENTRY_ERRORS, userParams } from '../diary/diary-docs.ts';
import { eatenAt, mealType, realDate } from '../diary/diary-fields-schema.ts';
import { entriesOutcome, entrySchema } from '../diary/entry-json.ts';
import { operation } from '../operation.ts';

export const logSavedMeal = operation({
  method: 'POST',
  path: '/v1/users/:userId/meals/:mealId/log',
  id: 'logSavedMeal',
  tag: DIARY_TAG,
  summary: 'Log a saved meal',
  description:
    'Writes an entry for each item: all of them or none. Amounts of foods and recipes are computed anew; where one no longer exists, those of the time of saving count.',
  access: diaryWrite,
  counts: 'diaryWrite',
  params: userParams.extend({ mealId: z.string() }),
  body: {
    schema: z
      .strictObject({ date: realDate, mealType, eatenAt: eatenAt.optional() })
      .meta({ id: 'SavedMealLog' }),
    example: { date: '2026-01-31', mealType: 'lunch' },
    limit: BODY_LIMITS.fields,
  },
  answer: {
    status: 201,
    description: 'The entries.',
    schema: z.array(entrySchema),
    example: [EXAMPLE_ENTRY],
  },
  errors: NEW_ENTRY_ERRORS,
  handle: async (request, { diary, records }: { diary: Diary; records: RecordBook }) => {
    const { caller, params, body: place, ids } = request;
    const owner = ownerOf(request);
    const { body } = await records.get(owner, MEAL, params.mealId);
    const entries = await logMeal(owner, body, place, diary, { ids, sharers: sharersOf(caller) });
    return entriesOutcome(entries, owner);
  },
});
