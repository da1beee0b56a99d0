import type { GoalBook } from '../../diary/goal-book.ts';
import { ownerOf } from '../acting-user.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { applyChange, ifMatch } from '../etag.ts';
import { operation } from '../operation.ts';
import { DIARY_TAG, diaryWrite, userParams } from './diary-docs.ts';
import {
  currentGoals,
  EXAMPLE_GOALS,
  EXAMPLE_NEW_GOALS,
  goalsOutcome,
  goalsSchema,
  newGoalsSchema,
  READ_ONLY,
} from './goals-json.ts';

export const putGoals = operation({
  method: 'PUT',
  path: '/v1/users/:userId/goals',
  id: 'putGoals',
  tag: DIARY_TAG,
  summary: 'Set goals from a date on',
  description:
    'The goals apply until the date of the next ones. Without `from` they apply from today on. Other goals do not change, unless `replaceHistory` removes them. ' +
    'They replace all goals of the same `from`, those of its weekdays included; to keep the others, change them with `PATCH`.',
  access: diaryWrite,
  counts: 'diaryWrite',
  params: userParams,
  headers: ifMatch,
  body: { schema: newGoalsSchema, example: EXAMPLE_NEW_GOALS, limit: BODY_LIMITS.fields },
  answer: {
    description: 'The stored goals, with the ETag of all goals.',
    headers: ['ETag'],
    schema: goalsSchema,
    example: EXAMPLE_GOALS,
  },
  errors: ['version_conflict'],
  handle: async (request, { goals }: { goals: GoalBook }) => {
    const owner = ownerOf(request);
    const { body, headers } = request;
    return goalsOutcome(
      await applyChange(request, {
        readOnly: READ_ONLY,
        readCurrent: () => currentGoals(owner, goals, body.from),
        change: () => goals.put(owner, body, headers['If-Match']),
      }),
    );
  },
});
