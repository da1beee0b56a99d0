import { z } from 'zod';
import type { GoalBook } from '../../../diary/goal-book.ts';
import { parseDay } from '../../../diary/records/day.ts';
import { goalsOn } from '../../../diary/records/goals.ts';
import { dateText } from '../../openapi/text-schemas.ts';
import { operation } from '../../server/operation.ts';
import { ownerOf } from '../acting-user.ts';
import { DIARY_TAG, diaryRead, userParams } from './diary-docs.ts';
import { EXAMPLE_GOALS, goalsJson, goalsSchema } from './goals-json.ts';

export const getGoals = operation({
  method: 'GET',
  path: '/v1/users/:userId/goals',
  id: 'getGoals',
  tag: DIARY_TAG,
  summary: 'Read the goals of a day',
  description: 'Without `date` those stated for the latest day.',
  access: diaryRead,
  counts: 'diaryRead',
  params: userParams,
  query: z.object({
    date: dateText
      .describe('One day.')
      .transform((date) => parseDay(date))
      .optional(),
  }),
  answer: {
    description: 'The goals; empty when there are none.',
    schema: goalsSchema,
    example: EXAMPLE_GOALS,
  },
  handle:
    ({ goals }: { goals: GoalBook }) =>
    async (request) => {
      const { date } = request.query;
      const stated = await goals.list(ownerOf(request));
      return goalsJson(date === undefined ? stated.at(-1) : goalsOn(stated, date));
    },
});
