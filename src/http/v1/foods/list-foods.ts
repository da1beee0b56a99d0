import { z } from 'zod';
import type { CustomFoodWriter } from '../../../foods/custom/custom-food-writer.ts';
import { userIdText } from '../../openapi/text-schemas.ts';
import { operation } from '../../server/operation.ts';
import { detailedFoodObject } from '../../shared/food-parts.ts';
import { customFoodsQuery, listCustomFoods, viewerFor } from '../../shared/food-queries.ts';
import { EXAMPLE_CUSTOM_FOOD_JSON, foodSchema } from './food-json.ts';

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
    listCustomFoods(customFoods, viewerFor(caller, query.userId), query, detailedFoodObject),
});
