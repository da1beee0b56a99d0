import { unresolvedItemsSchema } from '@larder/core/error-details.ts';
import { MAX_LINES_LENGTH } from '@larder/text/parse/read-text.ts';
import { z } from 'zod';
import type { RecipeChange, RecipeInput, WrittenRecipe } from '../../diary/recipe-book.ts';
import { toAmountFields } from '../../diary/records/amount-fields.ts';
import { type DiaryOwner, MAX_NAME_CHARACTERS } from '../../diary/records/entry.ts';
import {
  type Ingredient,
  MAX_INGREDIENTS,
  MAX_SERVINGS,
  MAX_YIELD_GRAMS,
  MIN_YIELD_GRAMS,
  recipeTotals,
  servingTotals,
} from '../../diary/records/recipe.ts';
import { toSumFields } from '../../diary/records/totals.ts';
import { EXAMPLE_TOTALS, userParams } from '../diary/diary-docs.ts';
import { sumsSchema } from '../diary/diary-fields-schema.ts';
import { portionFields } from '../diary/entry-input.ts';
import { interpretationFields, isoTime, recordVersion, withoutReadOnly } from '../fields.ts';
import { countAsSearches, language, lineText } from '../foods/text-json.ts';
import { nutrientsSchema } from '../nutrients.ts';
import type { AlsoCounted, Outcome } from '../operation.ts';
import { chosenId, visibleText } from '../text-schemas.ts';

export const recipeParams = userParams.extend({ recipeId: z.string() });

const name = visibleText(MAX_NAME_CHARACTERS);
export const servings = z
  .number()
  .positive()
  .max(MAX_SERVINGS)
  .describe('Number of servings of the whole recipe.');
export const yieldGrams = z
  .number()
  .min(MIN_YIELD_GRAMS)
  .max(MAX_YIELD_GRAMS)
  .describe('Weight of the whole cooked recipe, in g. With it, entries can also have a quantity in g.');

/** Read-only fields that state how a line was interpreted. */
const UNDERSTANDING = ['confidence', 'note', 'assumed'];
const ingredient = withoutReadOnly(
  z
    .strictObject({
      ...portionFields,
      name: name
        .optional()
        .describe('Instead of foodName, with the other fields of an ingredient that was read.'),
      text: lineText.optional().describe('The line that the ingredient stands for, for display.'),
    })
    .meta({
      id: 'IngredientInput',
      description:
        'Exactly one of foodName with amounts, foodId or barcode with quantity and unit; or an ingredient as it was read.',
      minProperties: 3,
    }),
  UNDERSTANDING,
);
const ingredients = z
  .array(z.union([lineText.meta({ id: 'IngredientLine' }), ingredient]))
  .min(1)
  .max(MAX_INGREDIENTS)
  .describe(
    'Ingredients, or lines of text such as "2 eggs": each becomes an ingredient for each food that it names, with its weight. ' +
      `Lines have at most ${MAX_LINES_LENGTH} characters together. Empty ones and headings ("For the sauce:") are left out.`,
  );
export const lineFields = {
  lang: language.optional().describe('The language of the lines; detected if absent.'),
  partial: z
    .boolean()
    .optional()
    .describe(
      'Leaves out lines that cannot be resolved, and names them in `unresolvedItems`, instead of responding with 422.',
    ),
};

/** Response fields that clients cannot write. */
export const READ_ONLY = [
  'id',
  'version',
  'userId',
  'total',
  'perServing',
  'unresolvedItems',
  'createdAt',
  'updatedAt',
];
const SENT_BACK =
  'A recipe can be sent back as it was read: `total`, `perServing` and the like are ignored, and so are `confidence`, `note` and ' +
  '`assumed` of an ingredient. An ingredient that was read and not changed stays as it is. With another `quantity` or `unit` ' +
  'its amounts are computed from its food.';

export const newRecipeSchema = withoutReadOnly(
  z
    .strictObject({
      id: chosenId.optional(),
      name,
      servings,
      yieldGrams: yieldGrams.optional(),
      ingredients,
      ...lineFields,
    })
    .meta({ id: 'RecipeInput', description: `${SENT_BACK} As another recipe without its \`id\`.` }),
  READ_ONLY.filter((field) => field !== 'id'),
) as z.ZodType<RecipeInput>;

export const recipeChangeSchema = withoutReadOnly(
  z
    .strictObject({
      name: name.optional(),
      servings: servings.optional(),
      yieldGrams: yieldGrams.nullable().optional().describe('g; null makes it unknown'),
      ingredients: ingredients.optional(),
      ...lineFields,
    })
    .meta({ id: 'RecipePatch', description: SENT_BACK }),
  READ_ONLY,
) as z.ZodType<RecipeChange>;

/** The number of searches that a body with lines counts as. */
export function searchesIn({ ingredients: given = [] }: RecipeChange): AlsoCounted | undefined {
  const lines = given.filter((each) => typeof each === 'string');
  return lines.length === 0 ? undefined : countAsSearches(lines);
}

/** Describes `recipeObject`. */
export const recipeSchema = z
  .object({
    id: z.string(),
    version: recordVersion,
    userId: z.string(),
    name,
    servings,
    yieldGrams: yieldGrams.optional(),
    ingredients: z.array(
      z
        .object({
          name,
          ...sumsSchema.omit({ unknown: true, statedBy: true }).partial().shape,
          nutrients: nutrientsSchema,
          foodId: z.string().optional(),
          barcode: z.string().optional(),
          quantity: z.number().optional(),
          unit: z.string().optional(),
          text: z.string().optional().describe('The line that it stands for.'),
          ...interpretationFields,
        })
        .meta({ id: 'Ingredient' }),
    ),
    unresolvedItems: unresolvedItemsSchema
      .optional()
      .describe('Parts that were left out, in the response to a request with `partial`.'),
    total: sumsSchema.describe('Sums of the whole recipe.'),
    perServing: sumsSchema
      .partial()
      .extend({ nutrients: nutrientsSchema })
      .meta({ id: 'RecipeServing', description: 'The amounts of one serving.' }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Recipe', description: 'Values of the ingredients as they were when the recipe was written.' });

const EXAMPLE_AMOUNTS = { calories: 922, protein: 49.6, carbs: 124, fat: 20.8 };
const EXAMPLE_NUTRIENTS = { energy: 922, protein: 49.6, fat: 20.8, carbohydrates: 124 };
export const EXAMPLE_RECIPE = {
  id: '01KG9V4N00000000000000RECP',
  version: 1,
  userId: 'user-1',
  name: 'Lentil soup',
  servings: 4,
  ingredients: [{ name: 'Lentils', ...EXAMPLE_AMOUNTS, nutrients: EXAMPLE_NUTRIENTS }],
  total: { ...EXAMPLE_TOTALS, ...EXAMPLE_AMOUNTS, nutrients: EXAMPLE_NUTRIENTS },
  perServing: EXAMPLE_TOTALS,
  createdAt: '2026-01-31T12:30:00.000Z',
  updatedAt: '2026-01-31T12:30:00.000Z',
};
export const EXAMPLE_NEW_RECIPE = {
  name: 'Lentil soup',
  servings: 4,
  ingredients: [{ foodName: 'Lentils', ...EXAMPLE_AMOUNTS }],
};

/** The recipe, with the version that its ETag names. */
export function recipeOutcome(recipe: WrittenRecipe, { userId }: DiaryOwner): Outcome {
  return { value: recipeObject(recipe, userId), version: recipe.version };
}

/** A recipe as in responses. Undefined fields are omitted. */
export function recipeObject(recipe: WrittenRecipe, userId: string) {
  return {
    id: recipe.id,
    version: recipe.version,
    userId,
    name: recipe.name,
    servings: recipe.servings,
    yieldGrams: recipe.yieldGrams,
    ingredients: recipe.ingredients.map(ingredientObject),
    unresolvedItems: recipe.unresolved,
    total: toSumFields(recipeTotals(recipe)),
    perServing: toSumFields(servingTotals(recipe)),
    createdAt: isoTime(recipe.createdAt),
    updatedAt: isoTime(recipe.updatedAt),
  };
}

function ingredientObject({ name: called, amounts, ...others }: Ingredient) {
  const { foodId, barcode, quantity, unit, text, confidence, note, assumed } = others;
  return {
    name: called,
    ...toAmountFields(amounts),
    ...{ foodId, barcode, quantity, unit, text, confidence, note, assumed },
  };
}
