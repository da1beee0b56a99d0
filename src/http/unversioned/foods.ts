import { z } from 'zod';
import type { FoodDirectory } from '../../catalogue/visible-foods.ts';
import { EXAMPLE_FOOD } from '../foods/example-food.ts';
import { barcodeParams, FoodAnswers, searchQuery } from '../foods/food-queries.ts';
import type { Route } from '../server/route.ts';
import { foodJson, foodSchema } from './food-json.ts';

const access = { credential: 'x-api-key', scope: 'foods:read' } as const;
const example = JSON.parse(foodJson(EXAMPLE_FOOD));

export interface FoodRoutesPorts {
  readonly foods: () => FoodDirectory;
}

export function foodRoutes({ foods }: FoodRoutesPorts): readonly Route[] {
  const answers = new FoodAnswers({ foods, toJson: foodJson });
  return [
    {
      method: 'GET',
      path: '/foods/search',
      access,
      plain: true,
      operation: 'search',
      docs: {
        tag: 'Foods (unversioned)',
        operationId: 'searchFoods',
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
      handle: ({ caller, query }) => answers.search(caller!, query),
    },
    {
      method: 'GET',
      path: '/foods/barcode/:upc',
      access,
      plain: true,
      operation: 'barcode',
      docs: {
        tag: 'Foods (unversioned)',
        operationId: 'getFoodByBarcode',
        summary: 'Look up a food by barcode',
        params: barcodeParams,
        answer: { description: 'The food with this barcode.', schema: foodSchema, example },
        errors: ['invalid_barcode', 'barcode_not_found'],
      },
      handle: ({ caller, params }) => answers.byBarcode(caller!, params['upc']!),
    },
  ];
}
