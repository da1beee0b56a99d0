import type { RecipeBook } from '../../diary/recipe-book.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { ownerOf } from '../acting-user.ts';
import { DIARY_TAG, diaryRead } from '../diary/diary-docs.ts';
import { withLocalIngredients } from '../diary/entry-json.ts';
import { ifNoneMatch, NOT_MODIFIED_ANSWER } from '../etag.ts';
import { langQuery } from '../foods/food-query.ts';
import { operation } from '../operation.ts';
import { EXAMPLE_RECIPE, recipeObject, recipeParams, recipeSchema } from './recipe-json.ts';

export const getRecipe = operation({
  method: 'GET',
  path: '/v1/users/:userId/recipes/:recipeId',
  id: 'getRecipe',
  tag: DIARY_TAG,
  summary: 'Read a recipe',
  access: diaryRead,
  counts: 'diaryRead',
  params: recipeParams,
  query: langQuery,
  headers: ifNoneMatch,
  answer: {
    description: 'The recipe, with its ETag.',
    headers: ['ETag'],
    schema: recipeSchema,
    example: EXAMPLE_RECIPE,
  },
  empty: NOT_MODIFIED_ANSWER,
  errors: ['recipe_not_found'],
  handle: async (request, { recipes, foods }: { recipes: RecipeBook; foods: FoodDirectory }) => {
    const owner = ownerOf(request);
    const recipe = await recipes.get(owner, request.params.recipeId);
    const named = withLocalIngredients(foods, request.query.lang);
    return { value: named(recipeObject(recipe, owner.userId)), version: recipe.version };
  },
});
