import { z } from 'zod';
import { andThen } from '../../../base/maybe-promise.ts';
import { isEnteredFood, type TenantFoodWriter } from '../../../foods/own/tenant-food-writer.ts';
import type { FoodDirectory } from '../../../foods/visible-foods.ts';
import { ifNoneMatch, UNCHANGED } from '../../server/etag.ts';
import { operation } from '../../server/operation.ts';
import { EXAMPLE_FOOD } from '../../shared/food-parts.ts';
import { detailedFoodJson, EXAMPLE_DETAILED_FOOD_JSON, foodSchema, tenantFoodReply } from './food-json.ts';

export const getFood = operation({
  method: 'GET',
  path: '/v1/foods/:id',
  id: 'getFoodV1',
  tag: 'Foods (v1)',
  summary: 'Get a food by id',
  access: { credential: 'bearer', scope: 'foods:read' },
  counts: 'other',
  params: z.object({
    id: z.string().describe('As found in an answer; the colon may be sent as it is or as %3A.').meta({
      example: EXAMPLE_FOOD.id,
    }),
  }),
  headers: ifNoneMatch,
  answer: {
    description: 'The food; with its ETag where it was entered by the tenant or a user.',
    headers: ['ETag'],
    schema: foodSchema,
    example: EXAMPLE_DETAILED_FOOD_JSON,
  },
  empty: UNCHANGED,
  errors: ['food_not_found'],
  handle:
    ({ foods, ownFoods }: { foods: FoodDirectory; ownFoods: TenantFoodWriter }) =>
    ({ caller, params: { id } }) =>
      // It can be changed, so it has a version.
      isEnteredFood(id)
        ? ownFoods.get(caller, id).then(tenantFoodReply)
        : andThen(foods.getById(caller, id), detailedFoodJson),
});
