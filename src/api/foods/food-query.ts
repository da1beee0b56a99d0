import type { Food } from '@larder/core/food.ts';
import { z } from 'zod';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { NUTRIENTS_MEANING } from '../nutrients.ts';
import { detailedFoodObject, type FoodObject, foodObject, foodWithNutrients } from './food-json.ts';

// Parameters that several operations on foods read.

export interface FoodsPort {
  readonly foods: FoodDirectory;
}

/** Size of each thread's response cache for foods: room for tens of thousands of look-ups. */
export const MAX_CACHE_BYTES = 8 * 2 ** 20;

const INCLUDED = ['servings', 'nutrients', 'servings,nutrients', 'nutrients,servings'] as const;
export type IncludedOfFoods = (typeof INCLUDED)[number] | undefined;

/** Requests fields that responses usually omit. */
export const includeQuery = z.object({
  include: z
    .enum(INCLUDED, '"include" can only be "servings", "nutrients", or both with a comma between them.')
    .optional()
    .describe(
      `\`servings\`: each food with all its servings and its nutrients per 100 g or ml. ${NUTRIENTS_MEANING} Or both.`,
    ),
});

/** Makes the requested objects. */
export function foodObjects(include: IncludedOfFoods): (food: Food) => FoodObject {
  const toObject = include?.includes('servings') ? detailedFoodObject : foodObject;
  return include?.includes('nutrients') ? (food) => foodWithNutrients(toObject(food)) : toObject;
}
