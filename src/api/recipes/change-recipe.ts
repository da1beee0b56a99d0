import type { RecipeBook } from '../../diary/recipe-book.ts';
import { ownerOf } from '../acting-user.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { DIARY_TAG, diaryWrite } from '../diary/diary-docs.ts';
import { applyChange, ifMatch } from '../etag.ts';
import { operation } from '../operation.ts';
import {
  EXAMPLE_RECIPE,
  READ_ONLY,
  recipeChangeSchema,
  recipeObject,
  recipeOutcome,
  recipeParams,
  recipeSchema,
  searchesIn,
} from './recipe-json.ts';

export const changeRecipe = operation({
  method: 'PATCH',
  path: '/v1/users/:userId/recipes/:recipeId',
  id: 'changeRecipe',
  tag: DIARY_TAG,
  summary: 'Change a recipe',
  description: 'Send only the fields that change. Entries that were made from the recipe do not change.',
  access: diaryWrite,
  counts: 'diaryWrite',
  alsoCounts: searchesIn,
  params: recipeParams,
  headers: ifMatch,
  body: { schema: recipeChangeSchema, example: { servings: 4 }, limit: BODY_LIMITS.recipe },
  answer: {
    description: 'The recipe as it is now, with its ETag.',
    headers: ['ETag'],
    schema: recipeSchema,
    example: EXAMPLE_RECIPE,
  },
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
