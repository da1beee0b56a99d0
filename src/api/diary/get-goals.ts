import { z } from 'zod';
import type { GoalBook } from '../../diary/goal-book.ts';
import { parseDay } from '../../diary/records/day.ts';
import { ownerOf } from '../acting-user.ts';
import { ifNoneMatch, NOT_MODIFIED_ANSWER } from '../etag.ts';
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
  headers: ifNoneMatch,
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
    description: 'The goals, with their ETag; empty when there never were any.',
    headers: ['ETag'],
    schema: goalsWithHistory,
    example: EXAMPLE_GOALS,
  },
  empty: NOT_MODIFIED_ANSWER,
  handle: async (request, { goals }: { goals: GoalBook }) => {
    const { date, history } = request.query;
    const stated = await goals.read(ownerOf(request));
    const { all, version } = stated;
    const shown = date === undefined ? goalsObject(all.at(-1), version) : goalsOnObject(stated, date);
    return {
      value: history === true ? { ...shown, all: all.map((each) => goalsObject(each)) } : shown,
      ...(version > 0 && { version }),
    };
  },
});
