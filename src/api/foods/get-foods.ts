import { recipeIdOf } from '@larder/core/food.ts';
import { z } from 'zod';
import { type CustomFoodWriter, isCustomFood } from '../../foods/custom/custom-food-writer.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { viewerById } from '../acting-user.ts';
import { operation } from '../operation.ts';
import {
  customFoodObject,
  detailedFoodObject,
  EXAMPLE_DETAILED_FOOD_JSON,
  type FoodObject,
  foodSchema,
} from './food-json.ts';
import { langQuery } from './food-query.ts';

const MAX_IDS = 100;
const WHAT_IDS_ARE = `"ids" must be 1 to ${MAX_IDS} ids of foods with commas between them.`;

export const getFoods = operation({
  method: 'GET',
  path: '/v1/foods/batch',
  id: 'getFoodsV1',
  tag: 'Foods (v1)',
  summary: 'Get foods by their ids',
  access: { credential: 'bearer', scope: 'foods:read' },
  counts: 'other',
  query: langQuery.extend({
    ids: z
      .string(WHAT_IDS_ARE)
      .regex(new RegExp(`^[^,]+(,[^,]+){0,${MAX_IDS - 1}}$`), WHAT_IDS_ARE)
      .describe(`1 to ${MAX_IDS} ids with commas between them; each counts once.`)
      .meta({ example: 'starter:banana,fdc:1' })
      .transform((ids) => [...new Set(ids.split(','))]),
  }),
  answer: {
    description: 'The foods in the order of `ids`, and the ids of those that do not exist.',
    schema: z.object({ foods: z.array(foodSchema), missing: z.array(z.string()) }).meta({ id: 'FoodBatch' }),
    example: { foods: [EXAMPLE_DETAILED_FOOD_JSON], missing: ['fdc:1'] },
  },
  handle: async (
    { caller, query: { ids, lang } },
    { foods, customFoods }: { foods: FoodDirectory; customFoods: CustomFoodWriter },
  ) => {
    const viewer = viewerById(caller);
    const custom = await customFoods.findAll(viewer, ids.filter(isCustomFood));
    const finder = await foods.of(ids.some((id) => recipeIdOf(id) !== undefined) ? viewer : caller);
    const found = new Map<string, FoodObject>();
    for (const id of ids) {
      const known = custom.get(id);
      const food = isCustomFood(id) ? undefined : finder.findById(id);
      if (known !== undefined) found.set(id, customFoodObject(known));
      else if (food !== undefined) found.set(id, detailedFoodObject(finder.inLanguages(food, lang)));
    }
    const missing = ids.filter((id) => !found.has(id));
    return { value: { foods: [...found.values()], missing } };
  },
});
