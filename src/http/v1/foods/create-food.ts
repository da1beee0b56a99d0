import type { TenantFoodWriter } from '../../../foods/own/tenant-food-writer.ts';
import { BODY_LIMITS } from '../../server/connection/limits.ts';
import { operation } from '../../server/operation.ts';
import { EXAMPLE_NEW_FOOD, newFoodSchema } from './food-input.ts';
import { EXAMPLE_ENTERED_FOOD_JSON, foodSchema, tenantFoodReply } from './food-json.ts';

export const createFood = operation({
  method: 'POST',
  path: '/v1/foods',
  id: 'createFood',
  tag: 'Foods (v1)',
  summary: 'Enter a food',
  description:
    'Found by search and barcode from the next request on. Entered with a token it belongs to the user of that token, ' +
    'and nobody else sees it. Entered with a key all users of the tenant see it, unless `userId` says whose it is.',
  access: { credential: 'bearer', scope: 'foods:write' },
  counts: 'other',
  body: { schema: newFoodSchema, example: EXAMPLE_NEW_FOOD, limit: BODY_LIMITS.item },
  subjectField: 'userId',
  answer: {
    status: 201,
    description: 'The food, with Location and ETag.',
    headers: ['ETag', 'Location'],
    schema: foodSchema,
    example: EXAMPLE_ENTERED_FOOD_JSON,
  },
  errors: ['invalid_barcode', 'quota_exceeded'],
  handle:
    ({ ownFoods }: { ownFoods: TenantFoodWriter }) =>
    async ({ caller, body, ids }) => {
      const created = await ownFoods.create(caller, body, ids);
      return { ...tenantFoodReply(created), headers: { location: `/v1/foods/${created.food.id}` } };
    },
});
