import { NUTRIENT_UNITS } from '@larder/core/nutrients.ts';
import { z } from 'zod';
import {
  ADDED_METHODS,
  MAIN_AMOUNTS,
  MAX_CALORIES,
  MAX_NAME_CHARACTERS,
  MAX_NOTE_CHARACTERS,
  MAX_OTHER_AMOUNT,
  OTHER_AMOUNTS,
  type OtherAmount,
} from '../../diary/records/entry.ts';
import { MAX_AMOUNT } from '../../diary/records/exact-amount.ts';
import { MAX_QUANTITY, MAX_UNIT_CHARACTERS } from '../../diary/records/unit-conversion.ts';
import { dateText, momentText, visibleText } from '../text-schemas.ts';

export { mealType } from '../../diary/records/record-kinds.ts';

/** A date in a body; the diary checks that it exists. */
export const realDate = dateText.describe('A real calendar date of the user, YYYY-MM-DD.');
export const addedMethod = z.enum(ADDED_METHODS).meta({ id: 'AddedMethod' });
export const calories = z.number().min(0).max(MAX_CALORIES).describe('kcal');
export const grams = z.number().min(0).max(MAX_AMOUNT).describe('g');
export const sodium = z.number().min(0).max(MAX_AMOUNT).describe('mg');
export const quantity = z.number().positive().max(MAX_QUANTITY).describe('How many of `unit`.');
export const unit = visibleText(MAX_UNIT_CHARACTERS).describe(
  'g, mg, kg, oz, lb, ml, l, fl_oz, cup, tbsp, tsp, serving, or a serving of the food such as "slice" or "2 slices".',
);

export const foodName = visibleText(MAX_NAME_CHARACTERS);
export const eatenAt = momentText.describe(
  'When it was eaten, RFC 3339 with an offset; `date` alone says which day it counts for.',
);
export const note = visibleText(MAX_NOTE_CHARACTERS);

export function nutrientFields<T>(fieldOf: (amount: z.ZodNumber, unit: string) => T): Record<OtherAmount, T> {
  return Object.fromEntries(
    OTHER_AMOUNTS.map((key) => [key, fieldOf(z.number(), NUTRIENT_UNITS[key])]),
  ) as Record<OtherAmount, T>;
}

const nutrients = z
  .strictObject(nutrientFields((amount, of) => amount.min(0).max(MAX_OTHER_AMOUNT).describe(of).optional()))
  .meta({ id: 'NutrientsInput', description: 'Other nutrients, with the names and units of foods.' });

export const optionalAmounts = {
  calories: calories.optional(),
  protein: grams.optional(),
  carbs: grams.optional(),
  fat: grams.optional(),
  fiber: grams.optional(),
  sodium: sodium.optional(),
  nutrients: nutrients.optional(),
};

const withInclude = (of: string) =>
  z.number().min(0).optional().describe(`${of}. Only with \`include=nutrients\`.`);
export const nutrientSums = z
  .object({
    ...nutrientFields((amount, of) => amount.min(0).describe(of).optional()),
    energy: withInclude('kcal'),
    protein: withInclude('g'),
    carbohydrates: withInclude('g'),
    fat: withInclude('g'),
    fiber: withInclude('g'),
    sodium: withInclude('mg'),
  })
  .meta({
    id: 'OtherNutrients',
    description:
      'Known nutrients with the names and units of foods: those without a field of their own, with `include=nutrients` all.',
  });

/** Sums of amounts, which may exceed the limit of a single amount. */
export const sumsSchema = z
  .object({
    calories: z.number().min(0).describe('kcal'),
    protein: z.number().min(0).describe('g'),
    carbs: z.number().min(0).describe('g'),
    fat: z.number().min(0).describe('g'),
    fiber: z.number().min(0).describe('g'),
    sodium: z.number().min(0).describe('mg'),
    nutrients: nutrientSums.optional(),
    incomplete: z
      .array(z.enum([...MAIN_AMOUNTS, ...OTHER_AMOUNTS]))
      .optional()
      .describe('Amounts of these sums that are too low, because at least one entry does not state them.'),
  })
  .meta({ id: 'Sums', description: 'Exact sums; what is not known counts as 0.' });
