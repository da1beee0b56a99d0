import type { GoalBook } from '../../diary/goal-book.ts';
import { ownerOf } from '../acting-user.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { applyChange, ifMatch } from '../etag.ts';
import { operation } from '../operation.ts';
import { DIARY_TAG, diaryWrite, userParams } from './diary-docs.ts';
import {
  currentGoals,
  EXAMPLE_GOALS,
  goalsOutcome,
  goalsPatchSchema,
  goalsSchema,
  READ_ONLY,
} from './goals-json.ts';

export const changeGoals = operation({
  method: 'PATCH',
  path: '/v1/users/:userId/goals',
  id: 'changeGoals',
  tag: DIARY_TAG,
  summary: 'Change single goals from a date on',
  description:
    'Send only the goals that change; null removes one. All others stay as they are on `from`, where the changed goals begin; without ' +
    '`from` that is today. Earlier days keep theirs, and so do the goals of later dates.',
  access: diaryWrite,
  counts: 'diaryWrite',
  params: userParams,
  headers: ifMatch,
  body: {
    schema: goalsPatchSchema,
    example: { from: '2026-01-01', protein: 120, fiber: null },
    limit: BODY_LIMITS.fields,
  },
  answer: {
    description: 'The goals that hold from that date on, with the ETag of all goals.',
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
        change: () => goals.change(owner, body, headers['If-Match']),
      }),
    );
  },
});
