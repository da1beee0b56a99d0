import { z } from 'zod';
import type { Diary } from '../../diary/diary.ts';
import { type EatenFood, MAX_ENTRIES_LOOKED_AT } from '../../diary/eaten-foods.ts';
import { toEntryAmounts } from '../../diary/records/amount-fields.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { ownerOf } from '../acting-user.ts';
import { langQuery, langText } from '../foods/food-query.ts';
import { rankedQuery } from '../list-queries.ts';
import { rankedPageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { DIARY_TAG, diaryRead, userParams } from './diary-docs.ts';
import { mealType, realDate } from './diary-fields-schema.ts';
import { eaten, withLocalNames } from './entry-json.ts';

const eatenFoodSchema = z
  .object({
    ...eaten,
    mealType,
    lastDate: realDate,
    timesEaten: z.int().describe('In the latest 2,000 entries.'),
  })
  .meta({ id: 'EatenFood', description: 'A food of the diary, as it was last eaten.' });

interface EatenFoodsPorts {
  readonly diary: Diary;
  readonly foods: FoodDirectory;
}

/** Declarations that both lists share. */
const shared = {
  method: 'GET',
  tag: DIARY_TAG,
  description: 'From the latest 2,000 entries, each food once, as it was last eaten.',
  access: diaryRead,
  counts: 'diaryRead',
  params: userParams,
  query: rankedQuery(MAX_ENTRIES_LOOKED_AT).extend(langQuery.shape),
  answer: {
    description: 'Best first, with the address of the next page in Link.',
    headers: ['Link'],
    schema: z.array(eatenFoodSchema),
    example: [],
  },
} as const;

export const listRecentFoods = operation({
  ...shared,
  path: '/v1/users/:userId/foods/recent',
  id: 'listRecentFoods',
  summary: 'Foods eaten last',
  handle: async (request, ports: EatenFoodsPorts) =>
    eatenPage(request.query, await ports.diary.recentFoods(ownerOf(request)), ports),
});

export const listFrequentFoods = operation({
  ...shared,
  path: '/v1/users/:userId/foods/frequent',
  id: 'listFrequentFoods',
  summary: 'Foods eaten most often',
  handle: async (request, ports: EatenFoodsPorts) =>
    eatenPage(request.query, await ports.diary.frequentFoods(ownerOf(request)), ports),
});

function eatenPage(
  query: z.infer<(typeof shared)['query']>,
  found: readonly EatenFood[],
  { foods }: EatenFoodsPorts,
) {
  const inLanguages = withLocalNames(foods, query.lang);
  const toObject = (food: EatenFood) => inLanguages(eatenFoodObject(food));
  return rankedPageOf({ ...query, lang: langText(query.lang) }, found, toObject);
}

function eatenFoodObject({ last, timesEaten }: EatenFood) {
  const { foodName, amounts, foodId, barcode, recipeId, quantity, unit, mealType, date: lastDate } = last;
  const what = { foodName, ...toEntryAmounts(amounts), foodId, barcode, recipeId, quantity, unit };
  return { ...what, mealType, lastDate, timesEaten };
}
