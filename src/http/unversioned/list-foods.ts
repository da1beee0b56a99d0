import { z } from 'zod';
import type { TenantFoodWriter } from '../../foods/own/tenant-food-writer.ts';
import { operation } from '../server/operation.ts';
import { includeQuery, listOwnFoods, ownFoodsQuery } from '../shared/food-queries.ts';
import { EXAMPLE_FOOD_JSON, FOOD_WRITER, foodSchema } from './food-json.ts';

const PATH = '/foods';

export const listFoods = operation({
  method: 'GET',
  path: PATH,
  id: 'listFoods',
  tag: 'Foods (unversioned)',
  summary: 'List the foods that were entered',
  description: 'All of the tenant, in the order of creation, a page at a time.',
  access: { credential: 'x-api-key', scope: 'foods:read' },
  counts: 'other',
  query: ownFoodsQuery.extend(includeQuery.shape),
  answer: {
    description: 'The foods, with the address of the next page in Link.',
    headers: ['Link'],
    schema: z.array(foodSchema),
    example: [EXAMPLE_FOOD_JSON],
  },
  handle:
    ({ ownFoods }: { ownFoods: TenantFoodWriter }) =>
    ({ caller, query }) => {
      const { plain, withServings } = FOOD_WRITER;
      return listOwnFoods(ownFoods, PATH, caller, query, query.include === undefined ? plain : withServings);
    },
});
