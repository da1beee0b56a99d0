import { z } from 'zod';
import type { CustomFoodWriter } from '../../foods/custom/custom-food-writer.ts';
import { operation } from '../server/operation.ts';
import { customFoodsQuery, includeQuery, listCustomFoods } from '../shared/food-queries.ts';
import { EXAMPLE_FOOD_JSON, foodSchema, WORDS } from './food-json.ts';

export const listFoods = operation({
  method: 'GET',
  path: '/foods',
  id: 'listFoods',
  tag: 'Foods (unversioned)',
  summary: 'List custom foods',
  description: 'All of the tenant, in the order of creation, a page at a time.',
  access: { credential: 'x-api-key', scope: 'foods:read' },
  counts: 'other',
  query: customFoodsQuery.extend(includeQuery.shape),
  answer: {
    description: 'The foods, with the address of the next page in Link.',
    headers: ['Link'],
    schema: z.array(foodSchema),
    example: [EXAMPLE_FOOD_JSON],
  },
  handle: ({ caller, query }, { customFoods }: { customFoods: CustomFoodWriter }) => {
    const { plain, withServings } = WORDS;
    return listCustomFoods(customFoods, caller, query, query.include === undefined ? plain : withServings);
  },
});
