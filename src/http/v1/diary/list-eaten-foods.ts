import { z } from 'zod';
import type { Diary } from '../../../diary/diary.ts';
import type { EatenFood } from '../../../diary/eaten-foods.ts';
import { limitQuery } from '../../openapi/list-queries.ts';
import { jsonList } from '../../server/body/json-list.ts';
import { operation } from '../../server/operation.ts';
import { ownerOf } from '../acting-user.ts';
import { DIARY_TAG, diaryRead, userParams } from './diary-docs.ts';
import { eaten, eatenJson, mealType, realDate } from './diary-json.ts';

const eatenFoodSchema = z
  .object({
    ...eaten,
    mealType,
    lastDate: realDate,
    timesEaten: z.int().describe('In the latest 2,000 entries.'),
  })
  .meta({ id: 'EatenFood', description: 'A food of the diary, as it was last eaten.' });

/** What the two lists have in common. */
const shared = {
  method: 'GET',
  tag: DIARY_TAG,
  description: 'From the latest 2,000 entries, each food once, as it was last eaten.',
  access: diaryRead,
  counts: 'diaryRead',
  params: userParams,
  query: limitQuery,
  answer: { description: 'Best first.', schema: z.array(eatenFoodSchema), example: [] },
} as const;

export const listRecentFoods = operation({
  ...shared,
  path: '/v1/users/:userId/foods/recent',
  id: 'listRecentFoods',
  summary: 'Foods eaten last',
  handle:
    ({ diary }: { diary: Diary }) =>
    async (request) =>
      jsonList(await diary.recentFoods(ownerOf(request), request.query.limit), eatenFoodJson),
});

export const listFrequentFoods = operation({
  ...shared,
  path: '/v1/users/:userId/foods/frequent',
  id: 'listFrequentFoods',
  summary: 'Foods eaten most often',
  handle:
    ({ diary }: { diary: Diary }) =>
    async (request) =>
      jsonList(await diary.frequentFoods(ownerOf(request), request.query.limit), eatenFoodJson),
});

function eatenFoodJson({ last, timesEaten }: EatenFood): string {
  return `{${eatenJson(last)},"mealType":"${last.mealType}","lastDate":"${last.date}","timesEaten":${timesEaten}}`;
}
