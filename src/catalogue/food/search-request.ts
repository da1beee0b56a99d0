import { AppError } from '../../errors.ts';
import { hasAtMost } from '../../well-formed-text.ts';
import { MAX_ANSWERS } from '../search/query/query-limits.ts';

export const DEFAULT_SEARCH_LIMIT = 20;
export const MAX_SEARCH_LIMIT = 100;
/** A search finds so many foods at most, so nothing comes after them. */
export const MAX_SEARCH_OFFSET = MAX_ANSWERS;
/** In code points, after trimming. */
const MIN_QUERY_LENGTH = 2;
export const MAX_QUERY_LENGTH = 200;

/** The search text; undefined if it is too short. Throws `invalid_query` if it is too long. */
export function parseSearchText(typed: string): string | undefined {
  const query = typed.trim();
  if (!hasAtMost(query, MAX_QUERY_LENGTH)) {
    throw invalidQuery('q', `The search text q is longer than ${MAX_QUERY_LENGTH} characters.`);
  }
  return hasAtMost(query, MIN_QUERY_LENGTH - 1) ? undefined : query;
}

/** Limits above the maximum are clamped to it. */
export function parseSearchLimit(typed: string): number {
  const limit = /^\d+$/.test(typed) ? Number(typed) : 0;
  if (limit < 1) throw invalidQuery('limit', `limit has to be a whole number from 1 to ${MAX_SEARCH_LIMIT}.`);
  return Math.min(limit, MAX_SEARCH_LIMIT);
}

/** Throws `invalid_query` where no search finds as many foods. */
export function parseSearchOffset(typed: string): number {
  const offset = /^\d+$/.test(typed) ? Number(typed) : Number.NaN;
  if (offset <= MAX_SEARCH_OFFSET) return offset;
  throw invalidQuery('offset', `offset has to be a whole number from 0 to ${MAX_SEARCH_OFFSET}.`);
}

export function invalidQuery(parameter: string, message: string): AppError {
  return new AppError({ code: 'invalid_query', message, details: { parameter } });
}
