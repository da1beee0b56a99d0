import { z } from 'zod';
import type { FoodDirectory } from '../../../catalogue/visible-foods.ts';
import { andThen } from '../../../maybe-promise.ts';
import { EXAMPLE_FOOD } from '../../foods/example-food.ts';
import { barcodeParams, FoodAnswers, searchQuery } from '../../foods/food-queries.ts';
import { userIdText } from '../../openapi/text-schemas.ts';
import { isKnownVersion, notModified } from '../../server/etag.ts';
import { ifNoneMatch, UNCHANGED } from '../../server/request-headers.ts';
import type { Route } from '../../server/route.ts';
import { eaterOf, viewerFor } from '../acting-user.ts';
import { foodJson, foodSchema } from './food-json.ts';
import { answerOwnFood, isOwnFood, type OwnFoodRoutesPorts } from './own-foods.ts';

const access = { credential: 'bearer', scope: 'foods:read' } as const;
const example = JSON.parse(foodJson(EXAMPLE_FOOD));

export interface FoodRoutesPorts extends OwnFoodRoutesPorts {
  readonly foods: () => FoodDirectory;
}

export function foodRoutes({ foods, ownFoods }: FoodRoutesPorts): readonly Route[] {
  const answers = new FoodAnswers({ foods, toJson: foodJson });
  return [
    {
      method: 'GET',
      path: '/v1/foods/search',
      access,
      plain: true,
      operation: 'search',
      docs: {
        tag: 'Foods (v1)',
        operationId: 'searchFoodsV1',
        summary: 'Search foods by text',
        description:
          'Best match first. Words may be unfinished; names count more than brands. With `userId` foods that belong to this ' +
          'user are found too, as with a token of the user, and the foods that this user eats come first where they hold ' +
          'everything that was typed; that needs the scope `diary:read` too.',
        query: searchQuery.extend({
          userId: userIdText
            .optional()
            .describe('Find the foods of this user too, and rank first what this user eats.'),
        }),
        answer: {
          description: 'The foods found, best first.',
          schema: z.array(foodSchema),
          example: [example],
        },
        errors: ['invalid_query'],
      },
      handle: ({ caller, query }) => {
        if (query['userId'] === undefined) return answers.search(caller!, query);
        const userId = eaterOf(caller!, query['userId']);
        return answers.search({ tenant: caller!.tenant, userId }, query, userId);
      },
    },
    {
      method: 'GET',
      path: '/v1/foods/barcode/:upc',
      access,
      plain: true,
      operation: 'barcode',
      docs: {
        tag: 'Foods (v1)',
        operationId: 'getFoodByBarcodeV1',
        summary: 'Look up a food by barcode',
        description:
          'With `userId` foods that belong to this user are found too, as with a token of the user.',
        params: barcodeParams,
        query: z.object({ userId: userIdText.optional().describe('Find the foods of this user too.') }),
        answer: { description: 'The food with this barcode.', schema: foodSchema, example },
        errors: ['invalid_barcode', 'invalid_query', 'barcode_not_found'],
      },
      handle: ({ caller, params, query }) => {
        const viewer = query['userId'] === undefined ? caller! : viewerFor(caller!, query['userId']);
        return answers.byBarcode(viewer, params['upc']!);
      },
    },
    {
      method: 'GET',
      path: '/v1/foods/:id',
      access,
      operation: 'other',
      docs: {
        tag: 'Foods (v1)',
        operationId: 'getFoodV1',
        summary: 'Get a food by id',
        params: z.object({
          id: z.string().describe('As found in an answer; the colon may be sent as it is or as %3A.').meta({
            example: EXAMPLE_FOOD.id,
          }),
        }),
        headers: ifNoneMatch,
        empty: UNCHANGED,
        answer: {
          description: 'The food; with its ETag where it was entered by the tenant or a user.',
          headers: ['ETag'],
          schema: foodSchema,
          example,
        },
        errors: ['food_not_found'],
      },
      handle: async ({ caller, params, headers }, reply) => {
        const id = params['id']!;
        if (isOwnFood(id)) {
          const own = await ownFoods().get(caller!, id);
          if (isKnownVersion(headers['if-none-match'], own.revision)) return notModified(own.revision, reply);
          return answerOwnFood(own, reply);
        }
        return andThen(foods().getById(caller!, id), foodJson);
      },
    },
  ];
}
