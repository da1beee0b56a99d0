import type { FoodId } from '@larder/core/food.ts';
import { z } from 'zod';
import { toAmountFields } from '../../diary/records/amount-fields.ts';
import { parseFoodName, parseUnit } from '../../diary/records/entry.ts';
import {
  type Ingredient,
  MAX_INGREDIENTS,
  MAX_SERVINGS,
  MAX_YIELD_GRAMS,
  MIN_YIELD_GRAMS,
  type Recipe,
} from '../../diary/records/recipe.ts';
import { MAX_QUANTITY } from '../../diary/records/unit-conversion.ts';
import {
  amountFields,
  foodId,
  readRecord,
  recordId,
  restFields,
  time,
  toAmounts,
  version,
} from './record-fields.ts';

/** Longer than any recipe line, and than any note on one. */
const MAX_TEXT = 2_000;

const { unknown: _, ...knownAmounts } = amountFields;
const ingredientSchema = z.strictObject({
  name: z.string(),
  ...knownAmounts,
  foodId: foodId.optional(),
  barcode: z.string().max(100).optional(),
  quantity: z.number().positive().max(MAX_QUANTITY).optional(),
  unit: z.string().optional(),
  text: z.string().max(MAX_TEXT).optional(),
  confidence: z.number().min(0).max(1).optional(),
  note: z.string().max(MAX_TEXT).optional(),
  assumed: z.array(z.string().max(MAX_TEXT)).max(20).optional(),
  rests: restFields.optional(),
});

const recipeSchema = z.strictObject({
  id: recordId,
  version,
  name: z.string(),
  servings: z.number().positive().max(MAX_SERVINGS),
  yieldGrams: z.number().min(MIN_YIELD_GRAMS).max(MAX_YIELD_GRAMS).optional(),
  ingredients: z.array(ingredientSchema).min(1).max(MAX_INGREDIENTS),
  createdAt: time,
  updatedAt: time,
});

/** JSON omits undefined fields. */
export function toRecipeRecord(recipe: Recipe): object {
  return {
    id: recipe.id,
    version: recipe.version,
    name: recipe.name,
    servings: recipe.servings,
    yieldGrams: recipe.yieldGrams,
    ingredients: recipe.ingredients.map(({ name, amounts, ...others }) => {
      const { foodId: of, barcode, quantity, unit, text, confidence, note, assumed, rests } = others;
      return {
        name,
        ...toAmountFields(amounts),
        ...{ foodId: of, barcode, quantity, unit, text, confidence, note, assumed, rests },
      };
    }),
    createdAt: new Date(recipe.createdAt).toISOString(),
    updatedAt: new Date(recipe.updatedAt).toISOString(),
  };
}

/** Throws `invalid_request` that names the field. */
export function readRecipeRecord(value: unknown): Recipe {
  const { name, ingredients, yieldGrams, ...fields } = readRecord(recipeSchema, value);
  return {
    ...fields,
    name: parseFoodName(name, 'name'),
    ...(yieldGrams !== undefined && { yieldGrams }),
    ingredients: ingredients.map(toIngredient),
  };
}

function toIngredient(fields: z.output<typeof ingredientSchema>): Ingredient {
  const { name, foodId: of, barcode, quantity, unit, text, confidence, note, assumed, rests } = fields;
  const known = {
    foodId: of as FoodId | undefined,
    barcode,
    quantity,
    unit: unit === undefined ? undefined : parseUnit(unit),
    text,
    confidence,
    note,
    assumed,
    rests,
  };
  const stated = Object.entries(known).filter(([, field]) => field !== undefined);
  return { name: parseFoodName(name, 'name'), amounts: toAmounts(fields), ...Object.fromEntries(stated) };
}
