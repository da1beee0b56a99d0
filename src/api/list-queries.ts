import type { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import { DEFAULT_LIMIT, invalidQuery, MAX_LIMIT, parseLimit, parseOffset } from '../base/list-request.ts';

// The parameters of lists. Each throws `invalid_query` itself, so that all operations reject them alike.

interface Limits {
  readonly byDefault: number;
  readonly max: number;
}
const USUAL_LIMITS: Limits = { byDefault: DEFAULT_LIMIT, max: MAX_LIMIT };

/** The parameter. `Endpoint` says in a header that more was asked for. */
export function limitOf({ byDefault, max }: Limits) {
  return z
    .preprocess((typed) => parseLimit(String(typed), max), z.int().min(1))
    .default(byDefault)
    .describe(`Maximum number of elements; more than ${max} counts as ${max}, and \`Limit-Applied\` says so.`)
    .meta({ default: byDefault });
}

export const limitQuery = z.object({ limit: limitOf(USUAL_LIMITS) });

/** Parameters of a ranked list, whose order is computed for each request. */
export const rankedQuery = (maxOffset: number) =>
  limitQuery.extend({
    offset: z
      .preprocess((typed) => parseOffset(String(typed), maxOffset), z.int().min(0).max(maxOffset))
      .optional()
      .describe('Number of first elements to skip. The Link header has the value for the next page.')
      .meta({ example: 0 }),
  });

/** Parameters of a list in pages. The pattern recognizes invalid cursors. */
export const pageQueryOf = (cursorPattern: string, limits = USUAL_LIMITS) =>
  z.object({
    limit: limitOf(limits),
    after: cursor(cursorPattern).transform((after = '') => after),
  });

/** Parameters of a short list, which one page usually holds: its default is the maximum. */
export const shortListQuery = pageQueryOf('\\d{1,5}', { byDefault: MAX_LIMIT, max: MAX_LIMIT });

function cursor(pattern: string) {
  const form = new RegExp(`^(${pattern})?$`);
  return z
    .preprocess((typed) => requireForm(String(typed), form), z.string().regex(form))
    .optional()
    .describe('Cursor of the page before, from its Link header.');
}

function requireForm(after: string, form: RegExp): string {
  if (form.test(after)) return after;
  throw invalidCursor();
}

export function invalidCursor(): AppError {
  return invalidQuery('after', '"after" has to be the cursor of a page, as the Link header has it.');
}
