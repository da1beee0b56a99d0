import { z } from 'zod';
import { andThen } from '../../../maybe-promise.ts';
import { EXAMPLE_FOOD } from '../../example-food.ts';
import { barcodeParams, searchQuery } from '../../food-parameters.ts';
import {
  type AskOutside,
  type FoodsOf,
  getFoodByBarcode,
  getFoodById,
  searchFoods,
} from '../../food-queries.ts';
import { jsonList } from '../../json-list.ts';
import type { Route } from '../../route.ts';
import { foodJson, foodSchema } from '../shapes.ts';
import { answerOwnFood, isOwnFood, type OwnFoodRoutesPorts } from './own-foods.ts';

const access = { credential: 'bearer', scope: 'foods:read' } as const;
const example = JSON.parse(foodJson(EXAMPLE_FOOD));

export interface FoodRoutesPorts extends OwnFoodRoutesPorts {
  readonly foods: FoodsOf;
  readonly askOutside: AskOutside;
}

export function foodRoutes({ foods, askOutside, ownFoods }: FoodRoutesPorts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/foods/search',
      access,
      operation: 'search',
      docs: {
        tag: 'Foods (v1)',
        operationId: 'searchFoodsV1',
        summary: 'Search foods by text',
        description: 'Best match first. Words may be unfinished; names count more than brands.',
        query: searchQuery,
        answer: {
          description: 'The foods found, best first.',
          schema: z.array(foodSchema),
          example: [example],
        },
        errors: ['invalid_query'],
      },
      handle: ({ caller, query }) =>
        andThen(foods(caller!.tenant), (finder) => jsonList(searchFoods(finder, query), foodJson)),
    },
    {
      method: 'GET',
      path: '/v1/foods/barcode/:upc',
      access,
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
        andThen(foods(caller!.tenant), (finder) =>
          andThen(getFoodByBarcode(finder, params['upc']!, askOutside), foodJson),
        ),
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
        answer: {
          description: 'The food; with its ETag where the tenant entered it.',
          schema: foodSchema,
          example,
        },
        errors: ['food_not_found'],
      },
      handle: async ({ caller, params }, reply) => {
        const { tenant } = caller!;
        const id = params['id']!;
        if (isOwnFood(id)) return answerOwnFood(await ownFoods().get(tenant, id), reply);
        return foodJson(getFoodById(await foods(tenant), id));
      },
    },
  ];
}
