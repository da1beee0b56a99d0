import { MAX_LINE_LENGTH } from '@larder/text/parse/read-text.ts';
import { z } from 'zod';
import { type recipeSchema, servings, yieldGrams } from '../../../api/recipes/recipe-json.ts';
import {
  changeRecipe,
  createRecipe,
  deleteRecipe,
  getRecipe,
  listRecipes,
} from '../../../api/recipes/recipes.ts';
import { invalidField } from '../../../diary/records/invalid-field.ts';
import { MAX_INGREDIENTS } from '../../../diary/records/recipe.ts';
import { nutrients, nutrientsInput, rounded } from '../amounts.ts';
import { answered, ask, changesDiary, ofUser, readsDiary, type ToolContext, tool } from '../tool.ts';
import { idempotencyKeyInput, onlyVersion, repeatedField, versionInput, writeOnce } from '../writes.ts';
import { langInput } from './read-meal.ts';

type Recipe = z.output<typeof recipeSchema>;

/** An answer lists as many; a user may have more. */
const MAX_LISTED = 100;

const recipeSummary = z.object({
  recipeId: z.string().describe('log_meal takes it, with a quantity and the unit "serving".'),
  version: z.int(),
  name: z.string(),
  servings: z.number(),
  yieldGrams: z.number().optional(),
  perServing: nutrients,
});
const recipeResult = recipeSummary.extend({
  ingredients: z.array(
    z.object({
      name: z.string(),
      foodId: z.string().optional(),
      quantity: z.number().optional(),
      unit: z.string().optional(),
      text: z.string().optional().describe('The line that it stands for.'),
      nutrients,
    }),
  ),
});

function summaryOf({ id, version, name, ...recipe }: Recipe): z.infer<typeof recipeSummary> {
  return {
    ...{ recipeId: id, version, name, servings: recipe.servings, yieldGrams: recipe.yieldGrams },
    perServing: rounded(recipe.perServing.nutrients),
  };
}

function recipeOf(recipe: Recipe): z.infer<typeof recipeResult> {
  return {
    ...summaryOf(recipe),
    ingredients: recipe.ingredients.map((ingredient) => {
      const { name, foodId, quantity, unit, text } = ingredient;
      return { name, foodId, quantity, unit, text, nutrients: rounded(ingredient.nutrients) };
    }),
  };
}

export const getRecipesTool = tool({
  name: 'get_recipes',
  title: 'Read recipes',
  description:
    'The recipes of the user with the amounts of one serving; with recipeId that recipe and its ingredients.',
  ...readsDiary,
  input: z.strictObject({ recipeId: z.string().optional() }),
  output: z.object({
    recipes: z.array(recipeSummary.extend({ ingredients: recipeResult.shape.ingredients.optional() })),
    hasMore: z.boolean().optional().describe(`True if there are more than ${MAX_LISTED}.`),
  }),
  async run({ recipeId }, context) {
    const params = ofUser(context);
    if (recipeId !== undefined) {
      const recipe = await ask<Recipe>(context, getRecipe, { params: { ...params, recipeId } });
      return { recipes: [recipeOf(recipe)] };
    }
    const page = await context.call(listRecipes, { params, query: { limit: MAX_LISTED } });
    const recipes = answered<Recipe[]>(page);
    return { recipes: recipes.map(summaryOf), ...(page.headers['link'] !== undefined && { hasMore: true }) };
  },
});

const ingredientInput = z.union([
  z.string().max(MAX_LINE_LENGTH).describe('A line, such as "200 g red lentils".'),
  z
    .strictObject({
      foodName: z.string().optional().describe('A food by its own values; needs energy in nutrients.'),
      foodId: z.string().optional(),
      barcode: z.string().optional(),
      quantity: z.number().positive().optional(),
      unit: z.string().optional(),
      nutrients: nutrientsInput.optional(),
    })
    .describe('One of foodId and barcode with quantity and unit, or foodName with nutrients.'),
]);

const saved = z.strictObject({
  recipeId: z.string().optional().describe('The recipe to change; a new one without it.'),
  version: versionInput,
  name: z.string().optional(),
  servings: servings.optional(),
  yieldGrams: yieldGrams.optional(),
  ingredients: z
    .array(ingredientInput)
    .min(1)
    .max(MAX_INGREDIENTS)
    .optional()
    .describe('All of them: those of before are replaced.'),
  lang: langInput,
  partial: z
    .boolean()
    .optional()
    .describe('Leaves out lines that are not understood, and lists them. Default: all or nothing.'),
  idempotencyKey: idempotencyKeyInput,
});

export const saveRecipeTool = tool({
  name: 'save_recipe',
  title: 'Save a recipe',
  description:
    'Saves a recipe, whose servings log_meal writes by the recipeId, or changes the given fields of one. Ingredients may be lines of text. ' +
    'Writes nothing to the diary.',
  ...changesDiary,
  input: saved,
  output: z.object({
    recipe: recipeResult,
    unresolvedItems: z
      .array(z.object({ text: z.string(), unresolved: z.string() }))
      .optional()
      .describe('Lines that were left out, with partial.'),
    repeated: repeatedField,
  }),
  async run(given, context) {
    const { value, repeated } = await write(given, context);
    return {
      recipe: recipeOf(value),
      unresolvedItems: value.unresolvedItems?.map(({ text, unresolved }) => ({ text, unresolved })),
      repeated,
    };
  },
});

async function write(
  { recipeId, version, idempotencyKey, ingredients, ...given }: z.output<typeof saved>,
  context: ToolContext,
): Promise<{ readonly value: Recipe; readonly repeated?: string | undefined }> {
  const named = ingredients?.map((each) =>
    typeof each === 'string' ? each : { ...each, calories: each.nutrients?.energy },
  );
  const body = { ...given, ingredients: named };
  const params = ofUser(context);
  if (recipeId !== undefined) {
    const parts = { params: { ...params, recipeId }, headers: onlyVersion(version), body };
    return { value: await ask<Recipe>(context, changeRecipe, parts) };
  }
  const missing = (['name', 'servings', 'ingredients'] as const).find((field) => body[field] === undefined);
  if (missing !== undefined)
    throw invalidField(missing, 'A new recipe needs "name", "servings" and "ingredients".');
  return writeOnce<Recipe>(context, createRecipe, { params, body, idempotencyKey });
}

export const deleteRecipeTool = tool({
  name: 'delete_recipe',
  title: 'Delete a recipe',
  description: 'Deletes a recipe of the user. Entries that were logged by it stay.',
  ...changesDiary,
  input: z.strictObject({ recipeId: z.string(), version: versionInput }),
  output: z.object({ deleted: z.string() }),
  async run({ recipeId, version }, context) {
    const params = { ...ofUser(context), recipeId };
    await ask(context, deleteRecipe, { params, headers: onlyVersion(version) });
    return { deleted: recipeId };
  },
});
