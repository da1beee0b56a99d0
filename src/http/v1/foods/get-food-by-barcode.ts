import { userIdText } from '../../openapi/text-schemas.ts';
import { operation } from '../../server/operation.ts';
import {
  barcodeParams,
  type FoodsPort,
  findByBarcode,
  includeQuery,
  KEPT_BARCODES,
} from '../../shared/food-queries.ts';
import { EXAMPLE_FOOD_JSON, foodSchema, WORDS } from './food-json.ts';

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
  keeps: KEPT_BARCODES,
  handle: (request, ports: FoodsPort) => findByBarcode(request, ports, WORDS),
});
