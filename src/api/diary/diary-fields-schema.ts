import type { AnyNutrientKey } from '@larder/core/nutrients.ts';
import { z } from 'zod';
import {
  ADDED_METHODS,
  AMOUNT_KEYS,
  AMOUNT_LIMITS,
  AMOUNT_OF,
  MAX_CALORIES,
  MAX_NAME_CHARACTERS,
  MAX_NOTE_CHARACTERS,
} from '../../diary/records/entry.ts';
import { MAX_AMOUNT } from '../../diary/records/exact-amount.ts';
import { MAX_QUANTITY, MAX_UNIT_CHARACTERS } from '../../diary/records/unit-conversion.ts';
import { nutrientFields, nutrientsSchema } from '../nutrients.ts';
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

/** `nutrients` of a body; `fieldOf` makes a field of the schema of each amount. */
export function nutrientsInput<T extends z.ZodType>(
  id: string,
  fieldOf: (amount: z.ZodNumber, key: AnyNutrientKey) => T,
) {
  return z
    .strictObject(
      nutrientFields((amount, of, key) =>
        fieldOf(amount.min(0).max(AMOUNT_LIMITS[AMOUNT_OF[key]]).describe(of), key),
      ),
    )
    .meta({
      id,
      description:
        'With the names and units of foods. Those with a field of their own can be left out, or are the same amount as that field.',
    });
}

const nutrients = nutrientsInput('NutrientsInput', (amount) => amount.optional());

export const optionalAmounts = {
  calories: calories.optional(),
  protein: grams.optional(),
  carbs: grams.optional(),
  fat: grams.optional(),
  fiber: grams.optional(),
  sodium: sodium.optional(),
  nutrients: nutrients.optional(),
};

/** Sums of amounts, which may exceed the limit of a single amount. */
export const sumsSchema = z
  .object({
    calories: z.number().min(0).describe('kcal'),
    protein: z.number().min(0).describe('g'),
    carbs: z.number().min(0).describe('g'),
    fat: z.number().min(0).describe('g'),
    fiber: z.number().min(0).describe('g'),
    sodium: z.number().min(0).describe('mg'),
    nutrients: nutrientsSchema,
    unknown: z
      .array(z.enum(AMOUNT_KEYS))
      .optional()
      .describe('Amounts of these sums that are too low, because at least one part does not state them.'),
    statedBy: z
      .record(z.string(), z.int().min(0))
      .optional()
      .describe(
        'How many parts state each amount that `unknown` names, by these names. All parts state the others.',
      ),
  })
  .meta({
    id: 'Sums',
    description:
      'Exact sums. What a part does not state counts as 0, and is named in `unknown`; `nutrients` has the sums of what any part states.',
  });
