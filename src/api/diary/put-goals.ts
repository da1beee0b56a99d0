import type { GoalBook } from '../../diary/goal-book.ts';
import { ownerOf } from '../acting-user.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { DIARY_TAG, diaryWrite, userParams } from './diary-docs.ts';
import { EXAMPLE_GOALS, goalsOutcome, goalsSchema, newGoalsSchema } from './goals-json.ts';

export const putGoals = operation({
  method: 'PUT',
  path: '/v1/users/:userId/goals',
  id: 'putGoals',
  tag: DIARY_TAG,
  summary: 'Set goals from a date on',
  description:
    'The goals apply until the date of the next ones. Without `from` they apply from today on. Other goals do not change, unless `replaceHistory` removes them. ' +
    'They replace all goals of the same `from`, those of its weekdays included.',
  access: diaryWrite,
  counts: 'diaryWrite',
  params: userParams,
  body: { schema: newGoalsSchema, example: EXAMPLE_GOALS, limit: BODY_LIMITS.fields },
  answer: { description: 'The stored goals.', schema: goalsSchema, example: EXAMPLE_GOALS },
  handle: async (request, { goals }: { goals: GoalBook }) =>
    goalsOutcome(await goals.put(ownerOf(request), request.body)),
});
