import { z } from 'zod';
import {
  DEFAULT_SEARCH_LIMIT,
  MAX_QUERY_LENGTH,
  MAX_SEARCH_LIMIT,
} from '../../catalogue/food/search-request.ts';
import { barcodeText } from '../openapi/text-schemas.ts';
import { EXAMPLE_FOOD } from './example-food.ts';

/** What the OpenAPI document says of parameters; `catalogue/search-request.ts` is what reads them. */
export const searchQuery = z.object({
  q: z
    .string()
    .max(MAX_QUERY_LENGTH)
    .optional()
    .describe('Search text. Shorter than 2 characters finds nothing.')
    .meta({ example: 'chocolate spread' }),
  limit: z
    .int()
    .min(1)
    .optional()
    .describe(`Most foods to answer with; more than ${MAX_SEARCH_LIMIT} is taken as ${MAX_SEARCH_LIMIT}.`)
    .meta({ default: DEFAULT_SEARCH_LIMIT, example: 3 }),
});

export const barcodeParams = z.object({
  upc: barcodeText
    .describe('UPC-A, UPC-E, EAN-8, EAN-13 or GTIN-14: 6 to 14 digits; spaces and dashes are ignored.')
    .meta({ example: EXAMPLE_FOOD.barcode }),
});
