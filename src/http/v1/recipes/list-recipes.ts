import { z } from 'zod';
import { SLICE_RECIPES } from '../../../base/background-work.ts';
import { ID_FORM } from '../../../base/time-ordered-id.ts';
import type { RecipeBook } from '../../../diary/recipe-book.ts';
import { pageQueryOf } from '../../openapi/list-queries.ts';
import { longJsonList, pageReply } from '../../server/lists.ts';
import { operation } from '../../server/operation.ts';
import { ownerOf } from '../acting-user.ts';
import { DIARY_TAG, diaryRead, userParams } from '../diary/diary-docs.ts';
import { EXAMPLE_RECIPE, recipeJson, recipeSchema } from './recipe-json.ts';

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
  query: pageQueryOf(ID_FORM),
  answer: {
    description: 'The recipes, with the address of the next page in Link.',
    headers: ['Link'],
    schema: z.array(recipeSchema),
    example: [EXAMPLE_RECIPE],
  },
  handle:
    ({ recipes }: { recipes: RecipeBook }) =>
    (request) => {
      const owner = ownerOf(request);
      const userId = JSON.stringify(owner.userId);
      return pageReply(
        `/v1/users/${encodeURIComponent(owner.userId)}/recipes`,
        request.query,
        (page) => recipes.list(owner, page),
        (found) => longJsonList(found, SLICE_RECIPES, (recipe) => recipeJson(recipe, userId)),
      );
    },
});
