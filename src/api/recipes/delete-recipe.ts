import type { RecipeBook } from '../../diary/recipe-book.ts';
import { ownerOf } from '../acting-user.ts';
import { DIARY_TAG, diaryWrite } from '../diary/diary-docs.ts';
import { ifMatch, withConflictDetails } from '../etag.ts';
import { operation } from '../operation.ts';
import { recipeObject, recipeParams } from './recipe-json.ts';

export const deleteRecipe = operation({
  method: 'DELETE',
  path: '/v1/users/:userId/recipes/:recipeId',
  id: 'deleteRecipe',
  tag: DIARY_TAG,
  summary: 'Delete a recipe',
  description: 'Entries that were made from the recipe do not change.',
  access: diaryWrite,
  counts: 'diaryWrite',
  params: recipeParams,
  headers: ifMatch,
  answer: { status: 204, description: 'The entry is deleted.' },
  errors: ['recipe_not_found', 'version_conflict'],
  handle: async (request, { recipes }: { recipes: RecipeBook }) => {
    const owner = ownerOf(request);
    const { recipeId } = request.params;
    await withConflictDetails(recipes.remove(owner, recipeId, request.headers['If-Match']), async () =>
      recipeObject(await recipes.get(owner, recipeId), owner.userId),
    );
  },
});
