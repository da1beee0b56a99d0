import type { RecipeBook } from '../../diary/recipe-book.ts';
import { ownerOf } from '../acting-user.ts';
import { DIARY_TAG, diaryRead } from '../diary/diary-docs.ts';
import { ifNoneMatch, NOT_MODIFIED_ANSWER } from '../etag.ts';
import { operation } from '../operation.ts';
import { EXAMPLE_RECIPE, recipeOutcome, recipeParams, recipeSchema } from './recipe-json.ts';

export const getRecipe = operation({
  method: 'GET',
  path: '/v1/users/:userId/recipes/:recipeId',
  id: 'getRecipe',
  tag: DIARY_TAG,
  summary: 'Read a recipe',
  access: diaryRead,
  counts: 'diaryRead',
  params: recipeParams,
  headers: ifNoneMatch,
  answer: {
    description: 'The recipe, with its ETag.',
    headers: ['ETag'],
    schema: recipeSchema,
    example: EXAMPLE_RECIPE,
  },
  empty: NOT_MODIFIED_ANSWER,
  errors: ['recipe_not_found'],
  handle: async (request, { recipes }: { recipes: RecipeBook }) => {
    const owner = ownerOf(request);
    return recipeOutcome(await recipes.get(owner, request.params.recipeId), owner);
  },
});
