import { z } from 'zod';
import type { FoodFinder } from '../../../catalogue/food-finder.ts';
import { EXAMPLE_FOOD } from '../../example-food.ts';
import { barcodeParams, searchQuery } from '../../food-parameters.ts';
import { getFoodByBarcode, getFoodById, searchFoods } from '../../food-queries.ts';
import { jsonList } from '../../json-list.ts';
import type { Route } from '../../route.ts';
import { foodJson, foodSchema } from '../shapes.ts';

const access = { credential: 'bearer', scope: 'foods:read' } as const;
const example = JSON.parse(foodJson(EXAMPLE_FOOD));

/** `foods` answers with the foods of this moment. */
export function foodRoutes({ foods }: { foods: () => FoodFinder }): readonly Route[] {
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
      handle: ({ query }) => jsonList(searchFoods(foods(), query), foodJson),
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
      handle: ({ params }) => foodJson(getFoodByBarcode(foods(), params['upc']!)),
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
        answer: { description: 'The food.', schema: foodSchema, example },
        errors: ['food_not_found'],
      },
      handle: ({ params }) => foodJson(getFoodById(foods(), params['id']!)),
    },
  ];
}
