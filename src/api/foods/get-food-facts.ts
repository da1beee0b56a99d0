import { NOT_FOUND } from '@larder/core/error-details.ts';
import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import { viewerById } from '../acting-user.ts';
import { contentVersion, ifNoneMatch, NOT_MODIFIED_ANSWER } from '../etag.ts';
import { operation } from '../operation.ts';
import { EXAMPLE_FACTS, foodFactsObject, foodFactsSchema } from './food-facts-json.ts';
import type { FoodsPort } from './food-query.ts';

export const getFoodFacts = operation({
  method: 'GET',
  path: '/v1/foods/:id/facts',
  id: 'getFoodFacts',
  tag: 'Foods',
  summary: 'Get the facts of a food',
  description:
    'All nutrients, ingredients, allergens, labels, scores and portions that sources state. Foods that ship, custom foods and those of an ' +
    'import without facts have none.',
  access: { credential: 'bearer', scope: 'foods:read' },
  counts: 'other',
  params: z.object({
    id: z.string().describe('As found in an answer; the colon may be sent as it is or as %3A.').meta({
      example: 'off:3017620422003',
    }),
  }),
  headers: ifNoneMatch,
  answer: {
    description: 'The facts, with their ETag.',
    headers: ['ETag'],
    schema: foodFactsSchema,
    example: EXAMPLE_FACTS,
  },
  empty: NOT_MODIFIED_ANSWER,
  errors: ['food_not_found', 'facts_not_found'],
  handle: async ({ caller, params: { id } }, { foods }: FoodsPort) => {
    const food = await foods.getById(viewerById(caller), id);
    const facts = await foods.factsOf(food);
    if (facts === undefined) throw new AppError({ code: 'facts_not_found', message: NOT_FOUND.facts });
    const value = foodFactsObject(food, facts);
    return { value, version: contentVersion(value) };
  },
});
