import { z } from 'zod';
import type { CustomFoodWriter } from '../../foods/custom/custom-food-writer.ts';
import { viewerFor } from '../acting-user.ts';
import { pageQueryOf } from '../list-queries.ts';
import { pageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { userIdText } from '../text-schemas.ts';
import { customFoodObject, EXAMPLE_CUSTOM_FOOD_JSON, foodSchema } from './food-json.ts';

export const customFoodsQuery = pageQueryOf('manual:[A-Za-z0-9._-]{1,60}');

export const listFoods = operation({
  method: 'GET',
  path: '/v1/foods',
  id: 'listFoodsV1',
  tag: 'Foods (v1)',
  summary: 'List custom foods',
  description:
    'In the order of creation, a page at a time. A token lists the shared foods and those of its user; a key all of its ' +
    'tenant, and with `userId` what this user sees.',
  access: { credential: 'bearer', scope: 'foods:read' },
  counts: 'other',
  query: customFoodsQuery.extend({
    userId: userIdText.optional().describe('Only foods that this user sees.'),
  }),
  answer: {
    description: 'The foods, with the address of the next page in Link.',
    headers: ['Link'],
    schema: z.array(foodSchema),
    example: [EXAMPLE_CUSTOM_FOOD_JSON],
  },
  handle: ({ caller, query }, { customFoods }: { customFoods: CustomFoodWriter }) =>
    pageOf(
      query,
      async (page) => (await customFoods.list(viewerFor(caller, query.userId), page)).map(customFoodObject),
      (food) => food,
    ),
});
