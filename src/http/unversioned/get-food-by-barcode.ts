import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { operation } from '../server/operation.ts';
import { barcodeParams, createBarcodeLookup, includeQuery } from '../shared/food-queries.ts';
import { EXAMPLE_FOOD_JSON, FOOD_WRITER, foodSchema } from './food-json.ts';

export const getFoodByBarcode = operation({
  method: 'GET',
  path: '/foods/barcode/:upc',
  id: 'getFoodByBarcode',
  tag: 'Foods (unversioned)',
  summary: 'Look up a food by barcode',
  access: { credential: 'x-api-key', scope: 'foods:read' },
  counts: 'barcode',
  params: barcodeParams,
  query: includeQuery,
  answer: { description: 'The food with this barcode.', schema: foodSchema, example: EXAMPLE_FOOD_JSON },
  errors: ['invalid_barcode', 'invalid_query', 'barcode_not_found'],
  handle: ({ foods }: { foods: FoodDirectory }) => {
    const lookUp = createBarcodeLookup(foods, FOOD_WRITER);
    return ({ caller, params, query }) => lookUp(caller, params.upc, query.include);
  },
});
