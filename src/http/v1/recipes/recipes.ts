import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Recipe } from '../../../diary/recipe.ts';
import type { RecipeBook } from '../../../diary/user-recipes.ts';
import { jsonList, noContent, readBody } from '../../server/bodies.ts';
import { expectedVersion, isKnownVersion, notModified, versionTag } from '../../server/etag.ts';
import { BODY_LIMITS } from '../../server/limits.ts';
import { ifMatch, ifNoneMatch, UNCHANGED } from '../../server/request-headers.ts';
import type { Route } from '../../server/route.ts';
import { ownerOf } from '../acting-user.ts';
import {
  DIARY_TAG,
  diaryRead,
  diaryWrite,
  EXAMPLE_TOTALS,
  recipeParams,
  userParams,
} from '../diary/diary-docs.ts';
import { pageQuery, readLimit, readText } from '../query.ts';
import { newRecipeSchema, recipeChangeSchema, recipeJson, recipeSchema } from './recipe-json.ts';

const EXAMPLE_INGREDIENT = { name: 'Lentils', calories: 922, protein: 49.6, carbs: 124, fat: 20.8 };
const EXAMPLE_RECIPE = {
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
const EXAMPLE_NEW_RECIPE = { name: 'Lentil soup', servings: 4, ingredients: [{ foodName, ...typed }] };

/** Recipes of a user; entries refer to them by `recipeId`. */
export function recipeRoutes({ recipes }: { recipes: () => RecipeBook }): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/users/:userId/recipes',
      access: diaryWrite,
      operation: 'diaryWrite',
      bodyLimit: BODY_LIMITS.recipe,
      docs: {
        tag: DIARY_TAG,
        operationId: 'createRecipe',
        summary: 'Write down a recipe',
        description:
          'An ingredient is given like an entry: foodName with amounts, or foodId or barcode with quantity and unit.',
        params: userParams,
        body: { schema: newRecipeSchema, example: EXAMPLE_NEW_RECIPE },
        answer: {
          status: 201,
          description: 'The recipe, with Location and ETag.',
          headers: ['ETag', 'Location'],
          schema: recipeSchema,
          example: EXAMPLE_RECIPE,
        },
        errors: ['food_not_found', 'barcode_not_found', 'invalid_barcode'],
      },
      handle: async (request, reply) => {
        const owner = ownerOf(request);
        const recipe = await recipes().create(owner, readBody(newRecipeSchema, request.body), request.ids);
        reply.code(201);
        reply.header('location', `/v1/users/${encodeURIComponent(owner.userId)}/recipes/${recipe.id}`);
        return answerRecipe(recipe, owner.userId, reply);
      },
    },
    {
      method: 'GET',
      path: '/v1/users/:userId/recipes',
      access: diaryRead,
      operation: 'diaryRead',
      docs: {
        tag: DIARY_TAG,
        operationId: 'listRecipes',
        summary: 'List recipes',
        description: 'In the order of writing, a page at a time.',
        params: userParams,
        query: pageQuery,
        answer: { description: 'The recipes.', schema: z.array(recipeSchema), example: [EXAMPLE_RECIPE] },
      },
      handle: async (request) => {
        const owner = ownerOf(request);
        const userId = JSON.stringify(owner.userId);
        const after = readText(request.query, 'after');
        const page = { limit: readLimit(request.query), ...(after !== undefined && { after }) };
        return jsonList(await recipes().list(owner, page), (recipe) => recipeJson(recipe, userId));
      },
    },
    {
      method: 'GET',
      path: '/v1/users/:userId/recipes/:recipeId',
      access: diaryRead,
      operation: 'diaryRead',
      docs: {
        tag: DIARY_TAG,
        operationId: 'getRecipe',
        summary: 'Read a recipe',
        params: recipeParams,
        headers: ifNoneMatch,
        empty: UNCHANGED,
        answer: {
          description: 'The recipe, with its ETag.',
          headers: ['ETag'],
          schema: recipeSchema,
          example: EXAMPLE_RECIPE,
        },
        errors: ['not_found'],
      },
      handle: async (request, reply) => {
        const owner = ownerOf(request);
        const recipe = await recipes().get(owner, request.params['recipeId']!);
        if (isKnownVersion(request.headers['if-none-match'], recipe.version))
          return notModified(recipe.version, reply);
        return answerRecipe(recipe, owner.userId, reply);
      },
    },
    {
      method: 'PATCH',
      path: '/v1/users/:userId/recipes/:recipeId',
      access: diaryWrite,
      operation: 'diaryWrite',
      bodyLimit: BODY_LIMITS.recipe,
      docs: {
        tag: DIARY_TAG,
        operationId: 'changeRecipe',
        summary: 'Change a recipe',
        description: 'Only the fields that change; entries made from it stay as they are.',
        params: recipeParams,
        headers: ifMatch,
        body: { schema: recipeChangeSchema, example: { servings: 4 } },
        answer: {
          description: 'The recipe as it is now, with its ETag.',
          headers: ['ETag'],
          schema: recipeSchema,
          example: EXAMPLE_RECIPE,
        },
        errors: ['not_found', 'food_not_found', 'barcode_not_found', 'invalid_barcode', 'version_conflict'],
      },
      handle: async (request, reply) => {
        const owner = ownerOf(request);
        const change = readBody(recipeChangeSchema, request.body);
        const version = expectedVersion(request.headers['if-match']);
        const recipe = await recipes().change(owner, request.params['recipeId']!, change, version);
        return answerRecipe(recipe, owner.userId, reply);
      },
    },
    {
      method: 'DELETE',
      path: '/v1/users/:userId/recipes/:recipeId',
      access: diaryWrite,
      operation: 'diaryWrite',
      docs: {
        tag: DIARY_TAG,
        operationId: 'deleteRecipe',
        summary: 'Delete a recipe',
        description: 'Entries made from it stay as they are.',
        params: recipeParams,
        headers: ifMatch,
        answer: { status: 204, description: 'It is gone.' },
        errors: ['not_found', 'version_conflict'],
      },
      handle: async (request, reply) => {
        const version = expectedVersion(request.headers['if-match']);
        await recipes().remove(ownerOf(request), request.params['recipeId']!, version);
        return noContent(reply);
      },
    },
  ];
}

function answerRecipe(recipe: Recipe, userId: string, reply: FastifyReply): string {
  reply.header('etag', versionTag(recipe.version));
  return recipeJson(recipe, JSON.stringify(userId));
}
