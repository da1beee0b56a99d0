import { z } from 'zod';
import { operation } from '../operation.ts';
import { userIdText } from '../text-schemas.ts';
import { type FoodsPort, includeQuery, langQuery, MAX_CACHE_BYTES } from './food-query.ts';
import { cacheSlotOfCode, codeAnswer, codeText, lookUpCode } from './look-up-parts.ts';

export const getFoodByBarcode = operation({
  method: 'GET',
  path: '/v1/foods/barcode/:upc',
  id: 'getFoodByBarcodeV1',
  tag: 'Foods (v1)',
  summary: 'Look up a food by barcode',
  description: 'With `userId` foods that belong to this user are found too, as with a token of the user.',
  access: { credential: 'bearer', scope: 'foods:read' },
  counts: 'barcode',
  params: z.object({ upc: codeText }),
  query: includeQuery.extend({
    ...langQuery.shape,
    userId: userIdText.optional().describe('Find the foods of this user too.'),
  }),
  answer: codeAnswer,
  errors: ['invalid_barcode', 'barcode_not_found'],
  keeps: {
    maxBytes: MAX_CACHE_BYTES,
    placeOf: ({ caller, params: { upc }, query }, { foods }: FoodsPort) =>
      cacheSlotOfCode(caller, { code: upc, ...query }, foods),
  },
  handle: ({ caller, params: { upc }, query }, { foods }: FoodsPort) =>
    lookUpCode(caller, { code: upc, ...query }, foods),
});
