import { operation } from '../server/operation.ts';
import {
  barcodeParams,
  type FoodsPort,
  findByBarcode,
  includeQuery,
  KEPT_BARCODES,
} from '../shared/food-queries.ts';
import { EXAMPLE_FOOD_JSON, foodSchema, WORDS } from './food-json.ts';

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
  keeps: KEPT_BARCODES,
  handle: (request, ports: FoodsPort) => findByBarcode(request, ports, WORDS),
});
