import { z } from 'zod';
import type { GoalBook } from '../../diary/goal-book.ts';
import { parseDay } from '../../diary/records/day.ts';
import { goalsOn } from '../../diary/records/goals.ts';
import { ownerOf } from '../acting-user.ts';
import { operation } from '../operation.ts';
import { dateText, flag } from '../text-schemas.ts';
import { DIARY_TAG, diaryRead, userParams } from './diary-docs.ts';
import { EXAMPLE_GOALS, goalsObject, goalsOnObject, goalsWithHistory } from './goals-json.ts';

export const getGoals = operation({
  method: 'GET',
  path: '/v1/users/:userId/goals',
  id: 'getGoals',
  tag: DIARY_TAG,
  summary: 'Read the goals of a day',
  description:
    'Without `date` the goals with the latest first day. Amounts are those of every day, beside those of `weekdays`, so that goals can ' +
    'be sent back as they were read; `onDate` has what holds on `date`.',
  access: diaryRead,
  counts: 'diaryRead',
  params: userParams,
  query: z.object({
    date: dateText
      .describe('One day.')
      .transform((date) => parseDay(date))
      .optional(),
    history: flag('"history" must be true or false.')
      .describe('Adds all goals that were stated, in `all`.')
      .optional(),
  }),
  answer: {
    description: 'The goals; empty when there are none.',
    schema: goalsWithHistory,
    example: EXAMPLE_GOALS,
  },
  handle: async (request, { goals }: { goals: GoalBook }) => {
    const { date, history } = request.query;
    const stated = await goals.list(ownerOf(request));
    const shown =
      date === undefined ? goalsObject(stated.at(-1)) : goalsOnObject(goalsOn(stated, date), date);
    return { value: history === true ? { ...shown, all: stated.map(goalsObject) } : shown };
  },
});
