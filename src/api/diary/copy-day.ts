import { z } from 'zod';
import type { Diary } from '../../diary/diary.ts';
import { MAX_COPIED_ENTRIES } from '../../diary/diary-errors.ts';
import { ownerOf } from '../acting-user.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { DIARY_TAG, diaryWrite, EXAMPLE_ENTRY, userParams } from './diary-docs.ts';
import { mealType, realDate } from './diary-fields-schema.ts';
import { entriesOutcome, entrySchema } from './entry-json.ts';

const copySchema = z
  .strictObject({
    from: realDate,
    to: realDate,
    mealType: mealType.optional().describe('Only this meal.'),
    toMealType: mealType.optional().describe('The meal of the copies.'),
  })
  .meta({ id: 'DiaryCopy' });

export const copyDay = operation({
  method: 'POST',
  path: '/v1/users/:userId/diary/copy',
  id: 'copyDiaryDay',
  tag: DIARY_TAG,
  summary: 'Copy a day or a meal to another day',
  description: `At most ${MAX_COPIED_ENTRIES} entries.`,
  access: diaryWrite,
  counts: 'diaryWrite',
  params: userParams,
  body: {
    schema: copySchema,
    example: { from: '2026-01-30', to: '2026-01-31', mealType: 'lunch' },
    limit: BODY_LIMITS.fields,
  },
  answer: {
    status: 201,
    description: 'The new entries; none when there was nothing to copy.',
    schema: z.array(entrySchema),
    example: [EXAMPLE_ENTRY],
  },
  errors: ['quota_exceeded'],
  handle: async (request, { diary }: { diary: Diary }) => {
    const owner = ownerOf(request);
    const entries = await diary.copy(owner, request.body, request.ids);
    return entriesOutcome(entries, owner);
  },
});
