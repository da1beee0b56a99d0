import { invalidQuery } from '../../list-request.ts';
import { hasAtMost } from '../../well-formed-text.ts';
import { MAX_ANSWERS } from '../search/query/query-limits.ts';

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
