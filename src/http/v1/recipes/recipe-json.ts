import { z } from 'zod';
import { type DiaryOwner, MAX_NAME_CHARACTERS, REQUIRED_AMOUNTS } from '../../../diary/entry.ts';
import {
  type Ingredient,
  MAX_INGREDIENTS,
  MAX_SERVINGS,
  type Recipe,
  recipeTotals,
  servingAmounts,
} from '../../../diary/recipe.ts';
import { type Sums, toSumFields } from '../../../diary/totals.ts';
import type { RecipeChange, RecipeInput } from '../../../diary/user-recipes.ts';
import { visibleText } from '../../openapi/text-schemas.ts';
import type { Reply } from '../../server/operation.ts';
import { EXAMPLE_TOTALS, userParams } from '../diary/diary-docs.ts';
import { amountsJson, INGREDIENT_SOURCES, portionFields, sumsSchema } from '../diary/diary-json.ts';
import { isoTimeJson, withoutReadOnly } from '../fields.ts';

export const recipeParams = userParams.extend({ recipeId: z.string() });

const FROM_FOOD = ['foodId', 'barcode'].map((field) => ({ required: [field] }));
/** What the document says of an ingredient in the form of an answer; `ReadIngredients` is what reads it. */
const READ_INGREDIENT = {
  title: 'name',
  required: ['name'],
  not: { required: ['foodName'] },
  oneOf: [
    { required: ['quantity', 'unit'], anyOf: FROM_FOOD },
    { required: REQUIRED_AMOUNTS, not: { anyOf: FROM_FOOD } },
  ],
};

function withoutName({ not: { anyOf }, ...source }: (typeof INGREDIENT_SOURCES)[number]) {
  return { ...source, not: { anyOf: [...anyOf, { required: ['name'] }] } };
}

const name = visibleText(MAX_NAME_CHARACTERS);
const servings = z.number().positive().max(MAX_SERVINGS).describe('Into how many the whole is divided.');
const ingredients = z
  .array(
    z
      .strictObject({
        ...portionFields,
        name: name
          .optional()
          .describe('Instead of foodName, with the other fields of an ingredient that was read.'),
      })
      .meta({ oneOf: [...INGREDIENT_SOURCES.map(withoutName), READ_INGREDIENT] }),
  )
  .min(1)
  .max(MAX_INGREDIENTS);

/** What a recipe is answered with and nobody can write. */
const READ_ONLY = ['id', 'userId', 'total', 'perServing', 'createdAt', 'updatedAt'];
const SENT_BACK =
  'What was read can be sent back whole: `total`, `perServing` and the like are ignored. An ingredient that was read and ' +
  'not changed stays as it is. With another `quantity` or `unit` its amounts are computed from its food.';

export const newRecipeSchema = withoutReadOnly(
  z.strictObject({ name, servings, ingredients }).meta({ id: 'RecipeInput', description: SENT_BACK }),
  READ_ONLY,
) as z.ZodType<RecipeInput>;

export const recipeChangeSchema = withoutReadOnly(
  z
    .strictObject({
      name: name.optional(),
      servings: servings.optional(),
      ingredients: ingredients.optional(),
    })
    .meta({ id: 'RecipePatch', description: SENT_BACK }),
  READ_ONLY,
) as z.ZodType<RecipeChange>;

/** Describes what `recipeJson` writes. */
export const recipeSchema = z
  .object({
    id: z.string(),
    userId: z.string(),
    name,
    servings,
    ingredients: z.array(
      z.object({
        name,
        ...sumsSchema.partial().shape,
        foodId: z.string().optional(),
        barcode: z.string().optional(),
        quantity: z.number().optional(),
        unit: z.string().optional(),
      }),
    ),
    total: sumsSchema.describe('Of the whole recipe.'),
    perServing: sumsSchema.partial().describe('fiber and sodium only where every ingredient knows them.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Recipe', description: 'Values of the ingredients as they were when the recipe was written.' });

const EXAMPLE_INGREDIENT = { name: 'Lentils', calories: 922, protein: 49.6, carbs: 124, fat: 20.8 };
export const EXAMPLE_RECIPE = {
  id: '01KG9V4N00000000000000RECP',
  userId: 'user-1',
  name: 'Lentil soup',
  servings: 4,
  ingredients: [EXAMPLE_INGREDIENT],
  total: { ...EXAMPLE_TOTALS, calories: 922, protein: 49.6, carbs: 124, fat: 20.8 },
  perServing: { calories: 230.5, protein: 12.4, carbs: 31, fat: 5.2 },
  createdAt: '2026-01-31T12:30:00.000Z',
  updatedAt: '2026-01-31T12:30:00.000Z',
};
const { name: foodName, ...typed } = EXAMPLE_INGREDIENT;
export const EXAMPLE_NEW_RECIPE = { name: 'Lentil soup', servings: 4, ingredients: [{ foodName, ...typed }] };

/** The recipe, with the version that its ETag names. */
export function recipeReply(recipe: Recipe, { userId }: DiaryOwner): Reply {
  return { version: recipe.version, body: recipeJson(recipe, JSON.stringify(userId)) };
}

/** `userId` is JSON already. */
export function recipeJson(recipe: Recipe, userId: string): string {
  return (
    `{"id":"${recipe.id}","userId":${userId},"name":${JSON.stringify(recipe.name)},"servings":${recipe.servings},` +
    `"ingredients":[${recipe.ingredients.map(ingredientJson).join(',')}],` +
    `"total":${sumsJson(recipeTotals(recipe))},` +
    `"perServing":{${amountsJson(servingAmounts(recipe))}},` +
    `"createdAt":${isoTimeJson(recipe.createdAt)},"updatedAt":${isoTimeJson(recipe.updatedAt)}}`
  );
}

function sumsJson(sums: Sums): string {
  return JSON.stringify(toSumFields(sums));
}

function ingredientJson({ name: called, amounts, foodId, barcode, quantity, unit }: Ingredient): string {
  const rest = JSON.stringify({ foodId, barcode, quantity, unit }).slice(1, -1);
  return `{"name":${JSON.stringify(called)},${amountsJson(amounts)}${rest === '' ? '' : `,${rest}`}}`;
}
