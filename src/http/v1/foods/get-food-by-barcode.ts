import type { FoodDirectory } from '../../../foods/visible-foods.ts';
import { userIdText } from '../../openapi/text-schemas.ts';
import { operation } from '../../server/operation.ts';
import { barcodeParams, createBarcodeLookup, includeQuery, viewerFor } from '../../shared/food-queries.ts';
import { EXAMPLE_FOOD_JSON, FOOD_WRITER, foodSchema } from './food-json.ts';

export const getFoodByBarcode = operation({
  method: 'GET',
  path: '/v1/foods/barcode/:upc',
  id: 'getFoodByBarcodeV1',
  tag: 'Foods (v1)',
  summary: 'Look up a food by barcode',
  description: 'With `userId` foods that belong to this user are found too, as with a token of the user.',
  access: { credential: 'bearer', scope: 'foods:read' },
  counts: 'barcode',
  params: barcodeParams,
  query: includeQuery.extend({ userId: userIdText.optional().describe('Find the foods of this user too.') }),
  answer: { description: 'The food with this barcode.', schema: foodSchema, example: EXAMPLE_FOOD_JSON },
  errors: ['invalid_barcode', 'invalid_query', 'barcode_not_found'],
  handle: ({ foods }: { foods: FoodDirectory }) => {
    const lookUp = createBarcodeLookup(foods, FOOD_WRITER);
    return ({ caller, params, query }) => lookUp(viewerFor(caller, query.userId), params.upc, query.include);
  },
});
