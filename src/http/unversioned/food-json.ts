import { z } from 'zod';
import {
  detailedFoodObject,
  EXAMPLE_FOOD,
  type FoodObject,
  foodObject,
  servingsSchema,
} from '../shared/food-parts.ts';
import type { FoodWords } from '../shared/food-queries.ts';

export const macrosSchema = z
  .object({
    calories: z.number().min(0).describe('kcal'),
    protein: z.number().min(0).describe('g'),
    carbs: z.number().min(0).describe('g'),
    fat: z.number().min(0).describe('g'),
  })
  .meta({ id: 'UnversionedMacros' });

export const servingSchema = z
  .object({
    amount: z.number().positive(),
    unit: z.string().describe('`g`, `ml`, `oz`, `fl_oz` or a household unit such as `cup`.'),
  })
  .meta({ id: 'UnversionedServingSize' });

export const foodSchema = z
  .object({
    id: z.string().describe('Stable across imports: the origin and its own key.'),
    name: z.string(),
    brand: z.string().nullable(),
    serving: servingSchema,
    macros: macrosSchema.describe('Amounts in one serving.'),
    servings: servingsSchema.unversioned
      .optional()
      .describe('All of them, first `serving`. With `include=servings`.'),
    per100: macrosSchema
      .optional()
      .describe(
        'Amounts in 100 g or, where `servings` are in milliliters, in 100 ml. Comes with `servings`.',
      ),
  })
  .meta({ id: 'UnversionedFood', description: 'A food, its nutrients scaled to `serving`.' });

/** The unversioned words for a food of `/v1`. */
export function unversioned(food: FoodObject): z.infer<typeof foodSchema> {
  const { id, name, brand = null, servingSize, macros, servings, per100 } = food;
  return {
    id,
    name,
    brand,
    serving: { amount: servingSize.value, unit: servingSize.unit },
    macros: macrosOf(macros),
    servings: servings?.map(({ value, ...others }) => ({ amount: value, ...others })),
    per100: per100 && macrosOf(per100),
  };
}

function macrosOf({
  energy,
  protein,
  carbohydrates,
  fat,
}: FoodObject['macros']): z.infer<typeof macrosSchema> {
  return { calories: energy, protein, carbs: carbohydrates, fat };
}

export const WORDS: FoodWords = {
  plain: (food) => unversioned(foodObject(food)),
  withServings: (food) => unversioned(detailedFoodObject(food)),
};

export const EXAMPLE_FOOD_JSON = JSON.parse(JSON.stringify(WORDS.plain(EXAMPLE_FOOD)));
