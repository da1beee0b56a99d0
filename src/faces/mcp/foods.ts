import { z } from 'zod';
import type { FoodObject, ServingObject } from '../../api/foods/food-json.ts';
import { nutrients, rounded } from './amounts.ts';

const serving = z.object({
  quantity: z.number(),
  unit: z.string(),
  label: z.string().optional(),
  grams: z.number().optional(),
  milliliters: z.number().optional(),
});

/** Input of tools that answer foods. */
export const namesLang = z
  .string()
  .optional()
  .describe('Language of the names of foods, such as "de" or "pl,en"; without it they are in English.');

export const foodResult = z.object({
  foodId: z.string().describe('log_meal takes it, also that of a recipe.'),
  name: z.string(),
  brand: z.string().optional(),
  barcode: z.string().optional(),
  serving: z.string().describe('The amount that `nutrients` are of.'),
  nutrients,
  servings: z
    .array(serving)
    .optional()
    .describe('Quantities and units that log_meal takes, besides g, ml, oz.'),
  per100: nutrients.optional(),
  per100Unit: z.enum(['g', 'ml']).optional().describe('Unit of per100.'),
  notes: z.array(z.string()).optional().describe('Notes on repaired values of the source.'),
});

export function foodOf(food: FoodObject): z.infer<typeof foodResult> {
  const { id, name, brand, barcode, servingSize, servings, per100, notes } = food;
  const { value, unit, label } = servingSize;
  return {
    foodId: id,
    name,
    brand,
    barcode,
    serving: label ?? `${value} ${unit}`,
    nutrients: rounded(food.nutrients),
    servings: servings?.map(servingOf),
    per100: per100 && rounded(per100),
    per100Unit: per100 && servings && (servings[0]?.milliliters === undefined ? 'g' : 'ml'),
    notes: notes?.map(({ message }) => message),
  };
}

function servingOf({ value, unit, label, grams, milliliters }: ServingObject) {
  return { quantity: value, unit, label, grams, milliliters };
}
