import { SLICE_RECIPES } from '../../base/background-work.ts';
import { RECORD_ID_FORM } from '../../base/time-ordered-id.ts';
import type { RecipeBook } from '../../diary/recipe-book.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { ownerOf } from '../acting-user.ts';
import { listAnswer, newRecordAnswer, recordAnswer } from '../answers.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { diaryReading, diaryWriting, userParams } from '../diary/diary-docs.ts';
import { withLocalIngredients } from '../diary/entry-json.ts';
import { applyChange, ifMatch, ifNoneMatch, NOT_MODIFIED_ANSWER, withConflictDetails } from '../etag.ts';
import { langQuery, langText } from '../foods/food-query.ts';
import { pageOf, pageQueryOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { EXAMPLE_JSON_LD, recipeNode, recipeOrJsonLdSchema } from './json-ld-schema.ts';
import {
  EXAMPLE_NEW_RECIPE,
  EXAMPLE_RECIPE,
  newRecipeSchema,
  READ_ONLY,
  recipeChangeSchema,
  recipeObject,
  recipeOutcome,
  recipeParams,
  recipeSchema,
  searchesIn,
} from './recipe-json.ts';

export const listRecipes = operation({
  ...diaryReading,
  method: 'GET',
  path: '/v1/users/:userId/recipes',
  id: 'listRecipes',
  summary: 'List recipes',
  description: 'In the order of writing, a page at a time.',
  params: userParams,
  query: pageQueryOf(RECORD_ID_FORM).extend(langQuery.shape),
  answer: listAnswer('The recipes, with the address of the next page in Link.', recipeSchema, EXAMPLE_RECIPE),
  handle: (request, { recipes, foods }: { recipes: RecipeBook; foods: FoodDirectory }) => {
    const owner = ownerOf(request);
    const { lang, ...query } = request.query;
    const named = withLocalIngredients(foods, lang);
    return pageOf(
      { ...query, lang: langText(lang) },
      (page) => recipes.list(owner, page),
      (recipe) => named(recipeObject(recipe, owner.userId)),
      { sliceSize: SLICE_RECIPES },
    );
  },
});

export const getRecipe = operation({
  ...diaryReading,
  method: 'GET',
  path: '/v1/users/:userId/recipes/:recipeId',
  id: 'getRecipe',
  summary: 'Read a recipe',
  params: recipeParams,
  query: langQuery,
  headers: ifNoneMatch,
  answer: recordAnswer('The recipe, with its ETag.', recipeSchema, EXAMPLE_RECIPE),
  empty: NOT_MODIFIED_ANSWER,
  errors: ['recipe_not_found'],
  handle: async (request, { recipes, foods }: { recipes: RecipeBook; foods: FoodDirectory }) => {
    const owner = ownerOf(request);
    const recipe = await recipes.get(owner, request.params.recipeId);
    const named = withLocalIngredients(foods, request.query.lang);
    return { value: named(recipeObject(recipe, owner.userId)), version: recipe.version };
  },
});

export const createRecipe = operation({
  ...diaryWriting,
  method: 'POST',
  path: '/v1/users/:userId/recipes',
  id: 'createRecipe',
  summary: 'Create a recipe',
  description:
    'An ingredient is given like an entry: foodName with amounts, or foodId or barcode with quantity and unit. Or it is a line of ' +
    'text; if one cannot be resolved, nothing is written and `details.items` names it. ' +
    'The body may also be JSON-LD with a schema.org/Recipe: that object, or one that has it in `@graph` or in a list. It is taken as ' +
    '`application/json`, too.',
  alsoCounts: searchesIn,
  params: userParams,
  body: {
    schema: recipeOrJsonLdSchema,
    described: newRecipeSchema,
    example: EXAMPLE_NEW_RECIPE,
    jsonLd: { schema: recipeNode, example: EXAMPLE_JSON_LD },
    limit: BODY_LIMITS.recipe,
  },
  answer: newRecordAnswer('The recipe, with Location and ETag.', recipeSchema, EXAMPLE_RECIPE),
  errors: ['deleted', 'food_not_found', 'barcode_not_found', 'invalid_barcode', 'unresolved_items'],
  handle: async (request, { recipes }: { recipes: RecipeBook }) => {
    const owner = ownerOf(request);
    const { body, ids } = request;
    const { recipe, isNew } = await recipes.create(owner, body, ids);
    return { ...recipeOutcome(recipe, owner), created: recipe.id, status: isNew ? undefined : 200 };
  },
});

export const changeRecipe = operation({
  ...diaryWriting,
  method: 'PATCH',
  path: '/v1/users/:userId/recipes/:recipeId',
  id: 'changeRecipe',
  summary: 'Change a recipe',
  description: 'Send only the fields that change. Entries that were made from the recipe do not change.',
  alsoCounts: searchesIn,
  params: recipeParams,
  headers: ifMatch,
  body: { schema: recipeChangeSchema, example: { servings: 4 }, limit: BODY_LIMITS.recipe },
  answer: recordAnswer('The recipe as it is now, with its ETag.', recipeSchema, EXAMPLE_RECIPE),
  errors: [
    'recipe_not_found',
    'food_not_found',
    'barcode_not_found',
    'invalid_barcode',
    'unresolved_items',
    'version_conflict',
  ],
  handle: async (request, { recipes }: { recipes: RecipeBook }) => {
    const owner = ownerOf(request);
    const { params, body, headers } = request;
    const changed = await applyChange(request, {
      readOnly: READ_ONLY,
      readCurrent: async () => recipeObject(await recipes.get(owner, params.recipeId), owner.userId),
      change: () => recipes.change(owner, params.recipeId, body, headers['If-Match']),
    });
    return recipeOutcome(changed, owner);
  },
});

export const deleteRecipe = operation({
  ...diaryWriting,
  method: 'DELETE',
  path: '/v1/users/:userId/recipes/:recipeId',
  id: 'deleteRecipe',
  summary: 'Delete a recipe',
  description: 'Entries that were made from the recipe do not change.',
  params: recipeParams,
  headers: ifMatch,
  answer: { status: 204, description: 'The recipe is deleted.' },
  errors: ['recipe_not_found', 'version_conflict'],
  handle: async (request, { recipes }: { recipes: RecipeBook }) => {
    const owner = ownerOf(request);
    const { recipeId } = request.params;
    await withConflictDetails(recipes.remove(owner, recipeId, request.headers['If-Match']), async () =>
      recipeObject(await recipes.get(owner, recipeId), owner.userId),
    );
  },
});
