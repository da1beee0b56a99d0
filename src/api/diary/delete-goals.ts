import { z } from 'zod';
import type { GoalBook } from '../../diary/goal-book.ts';
import { parseDay } from '../../diary/records/day.ts';
import { invalidField } from '../../diary/records/invalid-field.ts';
import { ownerOf } from '../acting-user.ts';
import { ifMatch, withConflictDetails } from '../etag.ts';
import { operation } from '../operation.ts';
import { dateText, flag } from '../text-schemas.ts';
import { DIARY_TAG, diaryWrite, userParams } from './diary-docs.ts';
import { currentGoals } from './goals-json.ts';

export const deleteGoals = operation({
  method: 'DELETE',
  path: '/v1/users/:userId/goals',
  id: 'deleteGoals',
  tag: DIARY_TAG,
  summary: 'Delete goals',
  description:
    'Deletes the goals that begin on `from`, those of its weekdays included; earlier ones then hold on its days, too. Without `from` ' +
    'those that apply to every day. `all` deletes all goals.',
  access: diaryWrite,
  counts: 'diaryWrite',
  params: userParams,
  query: z.object({
    from: dateText
      .describe('First day of the goals.')
      .transform((date) => parseDay(date, 'from'))
      .optional(),
    all: flag('"all" must be true or false.').describe('Deletes all goals.').optional(),
  }),
  headers: ifMatch,
  answer: { status: 204, description: 'The goals are deleted.' },
  errors: ['goals_not_found', 'version_conflict'],
  handle: async (request, { goals }: { goals: GoalBook }) => {
    const owner = ownerOf(request);
    const { query, headers } = request;
    if (query.all === true && query.from !== undefined)
      throw invalidField('all', 'Give either "from" or "all".');
    await withConflictDetails(goals.remove(owner, query, headers['If-Match']), () =>
      currentGoals(owner, goals, query.from),
    );
  },
});
