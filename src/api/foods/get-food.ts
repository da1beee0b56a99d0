import { recipeIdOf } from '@larder/core/food.ts';
import { z } from 'zod';
import { type CustomFoodWriter, isCustomFood } from '../../foods/custom/custom-food-writer.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { viewerById } from '../acting-user.ts';
import { contentVersion, ifNoneMatch, NOT_MODIFIED_ANSWER } from '../etag.ts';
import { operation } from '../operation.ts';
import { customFoodObject, detailedFoodObject, EXAMPLE_DETAILED_FOOD_JSON, foodSchema } from './food-json.ts';
import { langQuery } from './food-query.ts';

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
      example: 'starter:banana',
    }),
  }),
  query: langQuery,
  headers: ifNoneMatch,
  answer: {
    description: 'The food, with its ETag.',
    headers: ['ETag'],
    schema: foodSchema,
    example: EXAMPLE_DETAILED_FOOD_JSON,
  },
  empty: NOT_MODIFIED_ANSWER,
  errors: ['food_not_found'],
  handle: async (
    { caller, params: { id }, query: { lang } },
    { foods, customFoods }: { foods: FoodDirectory; customFoods: CustomFoodWriter },
  ) => {
    if (!isCustomFood(id)) {
      const viewer = recipeIdOf(id) === undefined ? caller : viewerById(caller);
      const food = foods.inLanguages(await foods.getById(viewer, id), lang);
      const value = detailedFoodObject(food);
      return { value, version: contentVersion(value) };
    }
    const custom = await customFoods.get(viewerById(caller), id);
    return { value: customFoodObject(custom), version: custom.version };
  },
});
