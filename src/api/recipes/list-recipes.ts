import { z } from 'zod';
import { SLICE_RECIPES } from '../../base/background-work.ts';
import { RECORD_ID_FORM } from '../../base/time-ordered-id.ts';
import type { RecipeBook } from '../../diary/recipe-book.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { ownerOf } from '../acting-user.ts';
import { DIARY_TAG, diaryRead, userParams } from '../diary/diary-docs.ts';
import { withLocalIngredients } from '../diary/entry-json.ts';
import { langQuery, langText } from '../foods/food-query.ts';
import { pageQueryOf } from '../list-queries.ts';
import { pageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { EXAMPLE_RECIPE, recipeObject, recipeSchema } from './recipe-json.ts';

export const listRecipes = operation({
  method: 'GET',
  path: '/v1/users/:userId/recipes',
  id: 'listRecipes',
  tag: DIARY_TAG,
  summary: 'List recipes',
  description: 'In the order of writing, a page at a time.',
  access: diaryRead,
  counts: 'diaryRead',
  params: userParams,
  query: pageQueryOf(RECORD_ID_FORM).extend(langQuery.shape),
  answer: {
    description: 'The recipes, with the address of the next page in Link.',
    headers: ['Link'],
    schema: z.array(recipeSchema),
    example: [EXAMPLE_RECIPE],
  },
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
