import { parseBarcode } from '@larder/core/barcode-candidates.ts';
import { z } from 'zod';
import { viewerFor } from '../acting-user.ts';
import { operation } from '../operation.ts';
import { barcodeText, userIdText } from '../text-schemas.ts';
import { detailedFoodObject, EXAMPLE_FOOD, EXAMPLE_FOOD_JSON, foodObject, foodSchema } from './food-json.ts';
import { type FoodsPort, includeQuery, MAX_CACHE_BYTES } from './food-query.ts';

export const getFoodByBarcode = operation({
  method: 'GET',
  path: '/v1/foods/barcode/:upc',
  id: 'getFoodByBarcodeV1',
  tag: 'Foods (v1)',
  summary: 'Look up a food by barcode',
  description: 'With `userId` foods that belong to this user are found too, as with a token of the user.',
  access: { credential: 'bearer', scope: 'foods:read' },
  counts: 'barcode',
  params: z.object({
    upc: barcodeText
      .describe('UPC-A, UPC-E, EAN-8, EAN-13 or GTIN-14: 6 to 14 digits; spaces and dashes are ignored.')
      .meta({ example: EXAMPLE_FOOD.barcode })
      .transform(parseBarcode),
  }),
  query: includeQuery.extend({ userId: userIdText.optional().describe('Find the foods of this user too.') }),
  answer: { description: 'The food with this barcode.', schema: foodSchema, example: EXAMPLE_FOOD_JSON },
  errors: ['invalid_barcode', 'invalid_query', 'barcode_not_found'],
  keeps: {
    maxBytes: MAX_CACHE_BYTES,
    placeOf({ caller, params: { upc }, query: { include = '', userId } }, { foods }: FoodsPort) {
      const revision = foods.now(viewerFor(caller, userId))?.revision;
      return revision === undefined ? undefined : { key: `${upc} ${include}`, revision };
    },
  },
  handle: async ({ caller, params: { upc }, query: { include, userId } }, { foods }: FoodsPort) => {
    const food = await foods.getByBarcode(viewerFor(caller, userId), upc);
    return {
      value: (include === undefined ? foodObject : detailedFoodObject)(food),
      // The revision does not cover foods of external services.
      isKept: food.source !== 'third_party_api',
    };
  },
});
