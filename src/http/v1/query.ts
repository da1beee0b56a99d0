import { z } from 'zod';
import { cursorText, wholeNumber } from '../openapi/text-schemas.ts';

const DEFAULT_LIST_LIMIT = 20;
const MAX_LIST_LIMIT = 100;

export const limitQuery = z.object({
  limit: wholeNumber('"limit" must be a whole number from 1.')
    .optional()
    .describe(`More than ${MAX_LIST_LIMIT} is taken as ${MAX_LIST_LIMIT}.`)
    .meta({ default: DEFAULT_LIST_LIMIT })
    .transform((limit = DEFAULT_LIST_LIMIT) => Math.min(limit, MAX_LIST_LIMIT)),
});
export const pageQuery = limitQuery.extend({
  after: cursorText
    .optional()
    .describe('The id of the last one that is known.')
    .transform((after = '') => after),
});
