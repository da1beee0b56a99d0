import { z } from 'zod';
import { parseDay } from '../../../diary/day.ts';
import type { Diary } from '../../../diary/diary.ts';
import { ALWAYS, type Goals, goalsOn, toDecimalGoals } from '../../../diary/goals.ts';
import type { GoalBook } from '../../../diary/user-goals.ts';
import type { Scans } from '../../../scan/jobs/scans.ts';
import { jsonList, noContent, readBody } from '../../server/bodies.ts';
import { BODY_LIMITS } from '../../server/limits.ts';
import type { Route } from '../../server/route.ts';
import { ownerOf } from '../acting-user.ts';
import { limitQuery, readLimit, readText } from '../query.ts';
import { DIARY_TAG, dayQuery, diaryRead, diaryWrite, userParams } from './diary-docs.ts';
import { eatenFoodJson, eatenFoodSchema, goalsSchema, newGoalsSchema } from './diary-json.ts';

const EXAMPLE_GOALS = { from: '2026-01-01', calories: 2000, protein: 100 };

/** What concerns a user as a whole: goals, foods eaten before, and erasing everything. */
export function diaryUserRoutes({
  diary,
  goals,
  scans,
}: {
  diary: () => Diary;
  goals: () => GoalBook;
  scans: Scans;
}): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/users/:userId/goals',
      access: diaryRead,
      operation: 'diaryRead',
      docs: {
        tag: DIARY_TAG,
        operationId: 'getGoals',
        summary: 'Read the goals of a day',
        description: 'Without `date` those stated for the latest day.',
        params: userParams,
        query: dayQuery,
        answer: {
          description: 'The goals; empty when there are none.',
          schema: goalsSchema,
          example: EXAMPLE_GOALS,
        },
      },
      handle: async (request) => {
        const owner = ownerOf(request);
        const date = readText(request.query, 'date');
        const day = date === undefined ? undefined : parseDay(date);
        const stated = await goals().list(owner);
        return goalsJson(day === undefined ? stated.at(-1) : goalsOn(stated, day));
      },
    },
    {
      method: 'PUT',
      path: '/v1/users/:userId/goals',
      access: diaryWrite,
      operation: 'diaryWrite',
      bodyLimit: BODY_LIMITS.fields,
      docs: {
        tag: DIARY_TAG,
        operationId: 'putGoals',
        summary: 'State the goals of a day and all after it',
        description:
          'They hold until the next ones; without `from` from today on. Goals of other days stay, unless `replaceHistory` drops them.',
        params: userParams,
        body: { schema: newGoalsSchema, example: EXAMPLE_GOALS },
        answer: { description: 'The goals as they are kept.', schema: goalsSchema, example: EXAMPLE_GOALS },
      },
      handle: async (request) => {
        const owner = ownerOf(request);
        return goalsJson(await goals().put(owner, readBody(newGoalsSchema, request.body)));
      },
    },
    ...(['recent', 'frequent'] as const).map(
      (kind): Route => ({
        method: 'GET',
        path: `/v1/users/:userId/foods/${kind}`,
        access: diaryRead,
        operation: 'diaryRead',
        docs: {
          tag: DIARY_TAG,
          operationId: kind === 'recent' ? 'listRecentFoods' : 'listFrequentFoods',
          summary: kind === 'recent' ? 'Foods eaten last' : 'Foods eaten most often',
          description: 'From the latest 2,000 entries, each food once, as it was last eaten.',
          params: userParams,
          query: limitQuery,
          answer: { description: 'Best first.', schema: z.array(eatenFoodSchema), example: [] },
        },
        handle: async (request) => {
          const owner = ownerOf(request);
          const limit = readLimit(request.query);
          const foods = await (kind === 'recent'
            ? diary().recentFoods(owner, limit)
            : diary().frequentFoods(owner, limit));
          return jsonList(foods, eatenFoodJson);
        },
      }),
    ),
    {
      method: 'DELETE',
      path: '/v1/users/:userId',
      access: diaryWrite,
      operation: 'diaryWrite',
      docs: {
        tag: DIARY_TAG,
        operationId: 'eraseUser',
        summary: 'Erase everything of a user',
        description:
          'Entries, recipes, goals, the foods that belong to the user, and the scans that the user created, with their images, at ' +
          'once and for good. ' +
          'A user without any is no error.',
        params: userParams,
        answer: { status: 204, description: 'Nothing of the user is left.' },
      },
      handle: async (request, reply) => {
        const owner = ownerOf(request);
        await scans.removeAllOf(owner);
        await diary().eraseUser(owner);
        return noContent(reply);
      },
    },
  ];
}

function goalsJson(goals: Goals | undefined): string {
  if (goals === undefined) return '{}';
  return JSON.stringify({
    ...(goals.from !== ALWAYS && { from: goals.from }),
    ...toDecimalGoals(goals.amounts),
  });
}
