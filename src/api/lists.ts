import type { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import { slicesOf } from '../base/background-work.ts';
import { DEFAULT_LIMIT, invalidQuery, MAX_LIMIT, parseLimit, parseOffset } from '../base/list-request.ts';
import type { Outcome, Parameters } from './operation.ts';

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

const limitQuery = z.object({ limit: limitOf(USUAL_LIMITS) });

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

/** The requested part of a list: the elements after this cursor. */
interface Page {
  /** '' for the first page. */
  readonly after: string;
  readonly limit: number;
}

/**
 * Returns one page of a list. `read` gets a limit that is one higher, to find out whether another page
 * follows. The cursor, by default the id, is that of the last element, so that pages remain stable while
 * elements are added and deleted.
 */
export async function pageOf<T extends { readonly id: string }>(
  query: Page & Parameters,
  read: (page: Page) => Promise<readonly T[]>,
  toObject: (item: T) => unknown,
  { cursorOf = ({ id }: T) => id, sliceSize = query.limit } = {},
): Promise<Outcome> {
  const { after, limit, ...others } = query;
  const found = await read({ after, limit: limit + 1 });
  const items = found.slice(0, limit);
  const next = found.length <= limit ? undefined : { ...others, limit, after: cursorOf(items.at(-1)!) };
  return { ...listOutcome(items, sliceSize, toObject), next };
}

/** Returns the part of a ranked list that begins at `offset`. `all` is the complete list. */
export function rankedPageOf<T>(
  query: { readonly limit: number; readonly offset?: number | undefined } & Parameters,
  all: readonly T[],
  toObject: (item: T) => unknown,
): Outcome {
  const { limit, offset = 0, ...others } = query;
  const end = offset + limit;
  const next = all.length <= end ? undefined : { ...others, limit, offset: end };
  return { value: all.slice(offset, end).map(toObject), next };
}

/** Returns the part of a short list that begins after `after` elements. `all` is the complete list. */
export function shortPageOf<T>(
  query: Page & Parameters,
  all: readonly T[],
  toObject: (item: T) => unknown,
): Outcome {
  const { after, limit, ...others } = query;
  const end = Number(after) + limit;
  const next = all.length <= end ? undefined : { ...others, limit, after: end };
  return { value: all.slice(Number(after), end).map(toObject), next };
}

/** Converts the items of a list to objects, those of a long list `size` at a time, so that other requests run in between. */
export function listOutcome<T>(items: readonly T[], size: number, toObject: (item: T) => unknown): Outcome {
  if (items.length <= size) return { value: items.map(toObject) };
  return { slices: objectsOf(items, size, toObject) };
}

async function* objectsOf<T>(
  items: readonly T[],
  size: number,
  toObject: (item: T) => unknown,
): AsyncGenerator<readonly unknown[]> {
  for await (const slice of slicesOf(items, size)) yield slice.map(toObject);
}
