import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { TenantFood } from '../../../catalogue/tenant-foods/tenant-food-store.ts';
import type { TenantFoodWriter } from '../../../catalogue/tenant-foods/tenant-food-writer.ts';
import { EXAMPLE_FOOD } from '../../foods/example-food.ts';
import { noContent, readBody } from '../../server/bodies.ts';
import { expectedVersion, versionTag } from '../../server/etag.ts';
import { BODY_LIMITS } from '../../server/limits.ts';
import { ifMatch } from '../../server/request-headers.ts';
import type { Route } from '../../server/route.ts';
import { EXAMPLE_NEW_FOOD, foodChangeSchema, newFoodSchema } from './food-input.ts';
import { foodJson, foodSchema } from './food-json.ts';

const access = { credential: 'bearer', scope: 'foods:write' } as const;
const tag = 'Foods (v1)';
const params = z.object({
  id: z
    .string()
    .describe('Of a food that was entered.')
    .meta({ example: 'manual:01JZ8Q6T3V0000XW5M8KQ2NCE7' }),
});
const example = JSON.parse(foodJson({ ...EXAMPLE_FOOD, source: 'manual_entry' }));
const WHO =
  'A token changes foods of its own user alone; a key all of its tenant, and it decides whose they are.';

/** Whether the food has a revision, and so an ETag. */
export function isOwnFood(id: string): boolean {
  return id.startsWith('manual:');
}

export interface OwnFoodRoutesPorts {
  readonly ownFoods: () => TenantFoodWriter;
}

/** Foods that a tenant or one of its users enters; nobody else sees them. */
export function ownFoodRoutes({ ownFoods }: OwnFoodRoutesPorts): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/foods',
      access,
      operation: 'other',
      bodyLimit: BODY_LIMITS.item,
      docs: {
        tag,
        operationId: 'createFood',
        summary: 'Enter a food',
        description:
          'Found by search and barcode from the next request on. Entered with a token it belongs to the user of that token, ' +
          'and nobody else sees it. Entered with a key all users of the tenant see it, unless `userId` says whose it is.',
        body: { schema: newFoodSchema, example: EXAMPLE_NEW_FOOD },
        answer: {
          status: 201,
          description: 'The food, with Location and ETag.',
          headers: ['ETag', 'Location'],
          schema: foodSchema,
          example,
        },
        errors: ['invalid_barcode', 'quota_exceeded'],
      },
      subjectOf: (body) => (body as { userId?: unknown } | null)?.userId,
      handle: async ({ caller, body, ids }, reply) => {
        const created = await ownFoods().create(caller!, readBody(newFoodSchema, body), ids);
        reply.code(201).header('location', `/v1/foods/${created.food.id}`);
        return answerOwnFood(created, reply);
      },
    },
    {
      method: 'PATCH',
      path: '/v1/foods/:id',
      access,
      operation: 'other',
      bodyLimit: BODY_LIMITS.item,
      docs: {
        tag,
        operationId: 'changeFood',
        summary: 'Change a food that was entered',
        description: `With If-Match only while the food is still at that ETag. ${WHO}`,
        params,
        headers: ifMatch,
        body: { schema: foodChangeSchema, example: { name: 'Plum jam, homemade', macros: { sugars: 10 } } },
        answer: {
          description: 'The food as it is now, with its ETag.',
          headers: ['ETag'],
          schema: foodSchema,
          example,
        },
        errors: ['food_not_found', 'invalid_barcode', 'quota_exceeded', 'version_conflict'],
      },
      handle: async ({ caller, params, body, headers }, reply) => {
        const change = readBody(foodChangeSchema, body);
        const expected = expectedVersion(headers['if-match']);
        return answerOwnFood(await ownFoods().change(caller!, params['id']!, change, expected), reply);
      },
    },
    {
      method: 'DELETE',
      path: '/v1/foods/:id',
      access,
      operation: 'other',
      docs: {
        tag,
        operationId: 'deleteFood',
        summary: 'Delete a food that was entered',
        description:
          'Diary entries keep what they recorded. With If-Match only while the food is still at that ETag. ' +
          WHO,
        params,
        headers: ifMatch,
        answer: { status: 204, description: 'The food is gone.' },
        errors: ['food_not_found', 'version_conflict'],
      },
      handle: async ({ caller, params, headers }, reply) => {
        await ownFoods().remove(caller!, params['id']!, expectedVersion(headers['if-match']));
        return noContent(reply);
      },
    },
  ];
}

/** Answers with a food that can be changed, and what to change it by. */
export function answerOwnFood({ food, revision }: TenantFood, reply: FastifyReply): string {
  reply.header('etag', versionTag(revision));
  return foodJson(food);
}
