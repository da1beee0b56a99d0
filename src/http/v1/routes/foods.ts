import { z } from 'zod';
import type { FavouriteFoods } from '../../../catalogue/favourite-foods.ts';
import type { SearchOptions } from '../../../catalogue/food-finder.ts';
import { andThen } from '../../../maybe-promise.ts';
import { EXAMPLE_FOOD } from '../../example-food.ts';
import { type AskOutside, FoodAnswers, type FoodsOf, getFoodById } from '../../food-answers.ts';
import { barcodeParams, searchQuery } from '../../food-parameters.ts';
import { ifNoneMatch, UNCHANGED } from '../../request-headers.ts';
import type { Route } from '../../route.ts';
import { isKnownVersion, notModified } from '../../version-tag.ts';
import { eaterOf } from '../owner.ts';
import { foodJson, foodSchema } from '../shapes.ts';
import { answerOwnFood, isOwnFood, type OwnFoodRoutesPorts } from './own-foods.ts';

const access = { credential: 'bearer', scope: 'foods:read' } as const;
const example = JSON.parse(foodJson(EXAMPLE_FOOD));

export interface FoodRoutesPorts extends OwnFoodRoutesPorts {
  readonly foods: FoodsOf;
  readonly askOutside: AskOutside;
  readonly favourites: () => FavouriteFoods;
}

export function foodRoutes({ foods, askOutside, ownFoods, favourites }: FoodRoutesPorts): readonly Route[] {
  const answers = new FoodAnswers({ askOutside, toJson: foodJson });
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
          'Best match first. Words may be unfinished; names count more than brands. With `userId` the foods that this ' +
          'user eats come first where they hold everything that was typed; that needs the scope `diary:read` too.',
        query: searchQuery.extend({
          userId: z.string().optional().describe('Rank the foods first that this user eats.'),
        }),
        answer: {
          description: 'The foods found, best first.',
          schema: z.array(foodSchema),
          example: [example],
        },
        errors: ['invalid_query'],
      },
      handle: ({ caller, query }) => {
        const find = (options?: SearchOptions) =>
          andThen(foods(caller!.tenant), (finder) => answers.search(finder, query, options));
        if (query['userId'] === undefined) return find();
        const userId = eaterOf(caller!, query['userId']);
        return andThen(favourites().of(caller!.tenant, userId), (eaten) => find({ favourites: eaten }));
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
        params: barcodeParams,
        answer: { description: 'The food with this barcode.', schema: foodSchema, example },
        errors: ['invalid_barcode', 'barcode_not_found'],
      },
      handle: ({ caller, params }) =>
        andThen(foods(caller!.tenant), (finder) => answers.byBarcode(finder, params['upc']!)),
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
          description: 'The food; with its ETag where the tenant entered it.',
          headers: ['ETag'],
          schema: foodSchema,
          example,
        },
        errors: ['food_not_found'],
      },
      handle: async ({ caller, params, headers }, reply) => {
        const { tenant } = caller!;
        const id = params['id']!;
        if (isOwnFood(id)) {
          const own = await ownFoods().get(tenant, id);
          if (isKnownVersion(headers['if-none-match'], own.revision)) return notModified(own.revision, reply);
          return answerOwnFood(own, reply);
        }
        return foodJson(getFoodById(await foods(tenant), id));
      },
    },
  ];
}
