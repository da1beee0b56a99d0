import { z } from 'zod';
import { type DayRange, oneDay, parseDay, parseDayRange } from '../../diary/day.ts';
import { invalidField } from '../../diary/invalid-field.ts';
import { isWellFormedText } from '../../well-formed-text.ts';
import { cursorText, wholeNumber } from '../openapi/text-schemas.ts';
import type { RouteInput } from '../server/route.ts';

type Query = RouteInput['Querystring'];

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

/** One day (`date`) or several (`from` and `to`). */
export interface AskedDays {
  readonly range: DayRange;
  readonly single: boolean;
}

export function readDays(query: Query): AskedDays {
  const [date, from, to] = [readText(query, 'date'), readText(query, 'from'), readText(query, 'to')];
  if (from === undefined && to === undefined) {
    if (date === undefined)
      throw invalidField('date', 'Say which day: ?date=YYYY-MM-DD, or ?from= and &to=.');
    return { range: oneDay(parseDay(date)), single: true };
  }
  if (date !== undefined) throw invalidField('date', 'Give either "date", or "from" and "to".');
  return { range: readRange(from, to), single: false };
}

/** The range of an export; undefined for everything. */
export function readOptionalRange(query: Query): DayRange | undefined {
  const [from, to] = [readText(query, 'from'), readText(query, 'to')];
  return from === undefined && to === undefined ? undefined : readRange(from, to);
}

export function readLimit(query: Query): number {
  const text = readText(query, 'limit');
  if (text === undefined) return DEFAULT_LIST_LIMIT;
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  if (limit < 1) throw invalidField('limit', '"limit" must be a whole number from 1.');
  return Math.min(limit, MAX_LIST_LIMIT);
}

export function readFlag(query: Query, name: string): boolean {
  const text = readText(query, name);
  if (text === undefined || text === 'false') return false;
  if (text === 'true') return true;
  throw invalidField(name, `"${name}" must be true or false.`);
}

export function readText(query: Query, name: string): string | undefined {
  const value = query[name];
  if (Array.isArray(value)) throw invalidField(name, `Give "${name}" once.`);
  if (value !== undefined && !isWellFormedText(value))
    throw invalidField(name, `"${name}" must be valid text.`);
  return value;
}

function readRange(from: string | undefined, to: string | undefined): DayRange {
  if (from === undefined) throw invalidField('from', '"to" needs "from".');
  if (to === undefined) throw invalidField('to', '"from" needs "to".');
  return parseDayRange(from, to);
}
