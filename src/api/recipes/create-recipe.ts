import { recordIdsOf } from '../../base/time-ordered-id.ts';
import type { RecipeBook } from '../../diary/recipe-book.ts';
import { ownerOf } from '../acting-user.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { DIARY_TAG, diaryWrite, userParams } from '../diary/diary-docs.ts';
import { operation } from '../operation.ts';
import { WHAT_KNOWN_IDS_ANSWER } from '../text-schemas.ts';
import { EXAMPLE_JSON_LD, recipeNode, recipeOrJsonLdSchema } from './json-ld-schema.ts';
import {
  EXAMPLE_NEW_RECIPE,
  EXAMPLE_RECIPE,
  newRecipeSchema,
  recipeOutcome,
  recipeSchema,
  searchesIn,
} from './recipe-json.ts';

export const createRecipe = operation({
  method: 'POST',
  path: '/v1/users/:userId/recipes',
  id: 'createRecipe',
  tag: DIARY_TAG,
  summary: 'Create a recipe',
  description:
    'An ingredient is given like an entry: foodName with amounts, or foodId or barcode with quantity and unit. Or it is a line of ' +
    'text; if one cannot be resolved, nothing is written and `details.items` names it. ' +
    'The body may also be JSON-LD with a schema.org/Recipe: that object, or one that has it in `@graph` or in a list. It is taken as ' +
    '`application/json`, too.',
  access: diaryWrite,
  counts: 'diaryWrite',
  alsoCounts: searchesIn,
  params: userParams,
  body: {
    schema: recipeOrJsonLdSchema,
    described: newRecipeSchema,
    example: EXAMPLE_NEW_RECIPE,
    jsonLd: { schema: recipeNode, example: EXAMPLE_JSON_LD },
    limit: BODY_LIMITS.recipe,
  },
  answer: {
    status: 201,
    known: WHAT_KNOWN_IDS_ANSWER,
    description: 'The recipe, with Location and ETag.',
    headers: ['ETag', 'Location'],
    schema: recipeSchema,
    example: EXAMPLE_RECIPE,
  },
  errors: ['deleted', 'food_not_found', 'barcode_not_found', 'invalid_barcode', 'unresolved_items'],
  handle: async (request, { recipes }: { recipes: RecipeBook }) => {
    const owner = ownerOf(request);
    const { body, ids } = request;
    const id = body.id === undefined ? undefined : recordIdsOf(body.id)[0];
    const { recipe, isNew } =
      id === undefined
        ? { recipe: await recipes.create(owner, body, ids), isNew: true }
        : await recipes.createChosen(owner, body, id, ids);
    return { ...recipeOutcome(recipe, owner), created: recipe.id, status: isNew ? undefined : 200 };
  },
});
