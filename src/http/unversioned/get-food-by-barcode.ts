import type { FoodDirectory } from '../../catalogue/visible-foods.ts';
import { barcodeParams, createBarcodeLookup } from '../foods/food-queries.ts';
import { operation } from '../server/operation.ts';
import { EXAMPLE_FOOD_JSON, foodJson, foodSchema } from './food-json.ts';

export const getFoodByBarcode = operation({
  method: 'GET',
  path: '/foods/barcode/:upc',
  id: 'getFoodByBarcode',
  tag: 'Foods (unversioned)',
  summary: 'Look up a food by barcode',
  access: { credential: 'x-api-key', scope: 'foods:read' },
  counts: 'barcode',
  params: barcodeParams,
  answer: { description: 'The food with this barcode.', schema: foodSchema, example: EXAMPLE_FOOD_JSON },
  errors: ['invalid_barcode', 'barcode_not_found'],
  handle: ({ foods }: { foods: FoodDirectory }) => {
    const lookUp = createBarcodeLookup(foods, foodJson);
    return ({ caller, params }) => lookUp(caller, params.upc);
  },
});
