import { z } from 'zod';
import { wholeNumber } from './text-schemas.ts';

const DEFAULT_LIST_LIMIT = 20;
const MAX_LIST_LIMIT = 100;

export const limitQuery = z.object({
  limit: wholeNumber('"limit" must be a whole number from 1.')
    .optional()
    .describe(`More than ${MAX_LIST_LIMIT} is taken as ${MAX_LIST_LIMIT}.`)
    .meta({ default: DEFAULT_LIST_LIMIT })
    .transform((limit = DEFAULT_LIST_LIMIT) => Math.min(limit, MAX_LIST_LIMIT)),
});
/** Of a list whose pages follow each other; the form of its ids tells a wrong cursor. */
export const pageQueryOf = (idPattern: string) =>
  limitQuery.extend({
    after: z
      .string()
      .regex(
        new RegExp(`^(${idPattern})?$`),
        '"after" must be the id of the last element of a page, as the Link header has it.',
      )
      .optional()
      .describe('The id of the last one that is known.')
      .transform((after = '') => after),
  });
