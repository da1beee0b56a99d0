import { z } from 'zod';
import type { TenantFoodWriter } from '../../../foods/own/tenant-food-writer.ts';
import { userIdText } from '../../openapi/text-schemas.ts';
import { operation } from '../../server/operation.ts';
import { listOwnFoods, ownFoodsQuery, viewerFor } from '../../shared/food-queries.ts';
import { detailedFoodJson, EXAMPLE_ENTERED_FOOD_JSON, foodSchema } from './food-json.ts';

const PATH = '/v1/foods';

export const listFoods = operation({
  method: 'GET',
  path: PATH,
  id: 'listFoodsV1',
  tag: 'Foods (v1)',
  summary: 'List the foods that were entered',
  description:
    'In the order of creation, a page at a time. A token lists the shared foods and those of its user; a key all of its ' +
    'tenant, and with `userId` what this user sees.',
  access: { credential: 'bearer', scope: 'foods:read' },
  counts: 'other',
  query: ownFoodsQuery.extend({ userId: userIdText.optional().describe('Only foods that this user sees.') }),
  answer: {
    description: 'The foods, with the address of the next page in Link.',
    headers: ['Link'],
    schema: z.array(foodSchema),
    example: [EXAMPLE_ENTERED_FOOD_JSON],
  },
  handle:
    ({ ownFoods }: { ownFoods: TenantFoodWriter }) =>
    ({ caller, query }) =>
      listOwnFoods(ownFoods, PATH, viewerFor(caller, query.userId), query, detailedFoodJson),
});
