import { z } from 'zod';
import type { Diary } from '../../diary/diary.ts';
import { MAX_COPIED_ENTRIES } from '../../diary/diary-errors.ts';
import { ownerOf, requireScope, requireUser } from '../acting-user.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { userIdText } from '../text-schemas.ts';
import { DIARY_TAG, diaryWrite, EXAMPLE_ENTRY, userParams } from './diary-docs.ts';
import { mealType, realDate } from './diary-fields-schema.ts';
import { entriesOutcome, entrySchema } from './entry-json.ts';

const MIN_PORTION = 0.001;
const MAX_PORTION = 100;

const copySchema = z
  .strictObject({
    from: realDate,
    to: realDate,
    mealType: mealType.optional().describe('Only this meal.'),
    toMealType: mealType.optional().describe('The meal of the copies.'),
    userId: userIdText
      .optional()
      .describe('Whose day it is, where it is that of another user; needs the right to read it.'),
    portion: z
      .number()
      .min(MIN_PORTION)
      .max(MAX_PORTION)
      .optional()
      .describe('The share of each entry, such as 0.5 for half; by default all of it.'),
  })
  .meta({ id: 'DiaryCopy' });

export const copyDay = operation({
  method: 'POST',
  path: '/v1/users/:userId/diary/copy',
  id: 'copyDiaryDay',
  tag: DIARY_TAG,
  summary: 'Copy a day or a meal to another day',
  description: `At most ${MAX_COPIED_ENTRIES} entries. With \`userId\` those of another user, without their notes.`,
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
    const { caller, body, ids } = request;
    const { userId = owner.userId } = body;
    if (userId !== owner.userId) requireScope(caller, 'diary:read');
    requireUser(caller, userId, 'read');
    const entries = await diary.copy(owner, body, ids, { ...owner, userId });
    return entriesOutcome(entries, owner);
  },
});
