import { z } from 'zod';
import type { GoalBook, GoalsInput } from '../../../diary/user-goals.ts';
import { BODY_LIMITS } from '../../server/connection/limits.ts';
import { operation } from '../../server/operation.ts';
import { ownerOf } from '../acting-user.ts';
import { DIARY_TAG, diaryWrite, userParams } from './diary-docs.ts';
import { optionalAmounts, realDate } from './diary-fields-schema.ts';
import { EXAMPLE_GOALS, goalsJson, goalsSchema } from './goals-json.ts';

/** As `todayIn` reads it, which knows older and newer spellings of these names, too. */
const timeZone = z
  .string()
  .meta({ enum: ['UTC', ...Intl.supportedValuesOf('timeZone')], example: 'Europe/Berlin' });

const newGoalsSchema: z.ZodType<GoalsInput> = z
  .strictObject({
    from: realDate.optional().describe('First day on which they hold; today when absent.'),
    timeZone: timeZone.optional().describe('Without `from`: whose today it is; UTC when absent.'),
    replaceHistory: z
      .boolean()
      .optional()
      .describe('Drops all goals stated before. Without `from` these then hold for every day.'),
    ...optionalAmounts,
  })
  .meta({
    id: 'GoalsInput',
    description: 'At least one amount, or `replaceHistory`.',
    minProperties: 1,
  });

export const putGoals = operation({
  method: 'PUT',
  path: '/v1/users/:userId/goals',
  id: 'putGoals',
  tag: DIARY_TAG,
  summary: 'State the goals of a day and all after it',
  description:
    'They hold until the next ones; without `from` from today on. Goals of other days stay, unless `replaceHistory` drops them.',
  access: diaryWrite,
  counts: 'diaryWrite',
  params: userParams,
  body: { schema: newGoalsSchema, example: EXAMPLE_GOALS, limit: BODY_LIMITS.fields },
  answer: { description: 'The goals as they are kept.', schema: goalsSchema, example: EXAMPLE_GOALS },
  handle:
    ({ goals }: { goals: GoalBook }) =>
    async (request) =>
      goalsJson(await goals.put(ownerOf(request), request.body)),
});
