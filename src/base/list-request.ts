import { AppError } from '@larder/core/errors.ts';

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;

/** Number of requested elements; limits above the maximum are reduced to it. Throws `invalid_query`. */
export function parseLimit(typed: string, max = MAX_LIMIT): number {
  const limit = /^\d+$/.test(typed) ? Number(typed) : 0;
  if (limit >= 1) return Math.min(limit, max);
  throw invalidQuery(
    'limit',
    `"limit" has to be a whole number from 1; more than ${max} is taken as ${max}.`,
  );
}

/** Number of skipped elements. Throws `invalid_query`. */
export function parseOffset(typed: string, max: number): number {
  const offset = /^\d+$/.test(typed) ? Number(typed) : Number.NaN;
  if (offset <= max) return offset;
  throw invalidQuery('offset', `"offset" has to be a whole number from 0 to ${max}.`);
}

/** `limit` is the maximum number of characters. */
export function invalidQuery(parameter: string, message: string, limit?: number): AppError {
  const details = { parameter, ...(limit !== undefined && { limit }) };
  return new AppError({ code: 'invalid_query', message, details });
}
