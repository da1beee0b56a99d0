import { FOOD_SOURCES } from '@larder/core/food.ts';
import { NUTRIENT_KEYS, NUTRIENT_UNITS, REQUIRED_NUTRIENTS } from '@larder/core/nutrients.ts';
import { z } from 'zod';
import type { CustomFood } from '../../../foods/custom/custom-food-store.ts';
import { FOOD_WARNINGS } from '../../../foods/custom/food-warnings.ts';
import type { Outcome } from '../../server/operation.ts';
import { detailedFoodObject, EXAMPLE_FOOD, foodObject, servingsSchema } from '../../shared/food-parts.ts';
import type { FoodWords } from '../../shared/food-queries.ts';

const nutrientsSchema = z
  .object(
    Object.fromEntries(
      NUTRIENT_KEYS.map((key) => [key, z.number().min(0).describe(NUTRIENT_UNITS[key])]),
    ) as Record<(typeof NUTRIENT_KEYS)[number], z.ZodNumber>,
  )
  .partial()
  .required(Object.fromEntries(REQUIRED_NUTRIENTS.map((key) => [key, true as const])) as RequiredMask);

export const macrosSchema = nutrientsSchema.meta({
  id: 'Macros',
  description: 'Amounts in one serving. What is not known is absent, never 0.',
});

type RequiredMask = Record<(typeof REQUIRED_NUTRIENTS)[number], true>;

const warningSchema = z
  .object({
    code: z.enum(FOOD_WARNINGS),
    field: z.string().describe('The field of the food that looks wrong.'),
    message: z.string().describe('For a person; may change.'),
  })
  .meta({ id: 'FoodWarning' });

/** Describes `FoodObject`. */
export const foodSchema = z
  .object({
    id: z.string().describe('Stable across imports: the origin and its own key.'),
    name: z.string(),
    brand: z.string().optional(),
    barcode: z.string().optional().describe('As the origin states it.'),
    aliases: z
      .array(z.string())
      .optional()
      .describe('Of a custom food: other names that search finds it by. Only with `servings`.'),
    servingSize: z
      .object({
        value: z.number().positive(),
        unit: z.string().describe('`g`, `ml`, `oz`, `fl_oz` or a household unit such as `cup`.'),
        label: z.string().optional().describe('The household text.'),
        grams: z
          .number()
          .positive()
          .optional()
          .describe('What it weighs, where the unit does not say so. Only with `servings`.'),
      })
      .meta({ id: 'ServingSize' }),
    macros: macrosSchema,
    source: z.enum(FOOD_SOURCES).meta({ id: 'FoodSource' }),
    shared: z.boolean().optional().describe('Of a custom food: whether all users of the tenant see it.'),
    userId: z.string().optional().describe('The user to whom a food belongs that is not shared.'),
    // Generators of clients make one name of both, so the document has one of them.
    createdAt: z.iso
      .datetime()
      .meta({ description: 'Answered as `created_at` too.', 'x-alias': 'created_at' }),
    updatedAt: z.iso.datetime(),
    servings: servingsSchema.v1
      .optional()
      .describe(
        'All of them, first that of `servingSize`. With `include=servings`, and by id, in lists and changes.',
      ),
    per100: nutrientsSchema
      .meta({ id: 'NutrientsPer100' })
      .optional()
      .describe(
        'Amounts in 100 g or, where `servings` are in milliliters, in 100 ml. Comes with `servings`.',
      ),
    warnings: z
      .array(warningSchema)
      .optional()
      .describe('What looks wrong in a custom food; it was saved all the same. Comes with `servings`.'),
  })
  .meta({ id: 'Food', description: 'A food, its nutrients scaled to `servingSize`.' });

/** With the fields that the document names: without the second name of `createdAt`. */
export function exampleOf(answered: unknown): unknown {
  return JSON.parse(JSON.stringify(answered), (key, value) => (key === 'created_at' ? undefined : value));
}

export const WORDS: FoodWords = { plain: (food) => foodObject(food), withServings: detailedFoodObject };

export const EXAMPLE_FOOD_JSON = exampleOf(foodObject(EXAMPLE_FOOD));
export const EXAMPLE_DETAILED_FOOD_JSON = exampleOf(detailedFoodObject(EXAMPLE_FOOD));
export const EXAMPLE_CUSTOM_FOOD_JSON = exampleOf(
  detailedFoodObject({ ...EXAMPLE_FOOD, source: 'manual_entry' }),
);

/** A custom food, with the version that its ETag names. */
export function customFoodOutcome({ food, revision }: CustomFood): Outcome {
  return { value: detailedFoodObject(food), version: revision };
}
