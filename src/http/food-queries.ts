import { candidatesOf, parseBarcode } from '../barcode/candidates.ts';
import type { Gtin } from '../barcode/gtin.ts';
import type { Food } from '../catalogue/food.ts';
import type { FoodFinder } from '../catalogue/food-finder.ts';
import { AppError } from '../errors.ts';
import type { RouteInput } from './route.ts';

export const DEFAULT_SEARCH_LIMIT = 20;
export const MAX_SEARCH_LIMIT = 100;
/** In code points, after trimming. */
export const MIN_QUERY_LENGTH = 2;
export const MAX_QUERY_LENGTH = 200;

/** The foods that a tenant sees at this moment; a promise where some have to be read first. */
export type FoodsOf = (tenant: string) => FoodFinder | Promise<FoodFinder>;
/** Undefined when no outside service is configured, or none knows the product. */
export type AskOutside = (gtin: Gtin) => Promise<Food | undefined>;

/** What both variants ask of the catalogue; they differ in paths, credentials and shapes only. */

export function searchFoods(finder: FoodFinder, input: RouteInput['Querystring']): readonly Food[] {
  const limit = parseLimit(input['limit']);
  const query = parseQuery(input['q']);
  return query === undefined ? [] : finder.search(query, limit);
}

/** What the catalogue lacks is asked of outside services, where the operator wants that. */
export async function getFoodByBarcode(
  finder: FoodFinder,
  typed: string,
  askOutside: AskOutside,
): Promise<Food> {
  const candidates = candidatesOf(parseBarcode(typed));
  const match = finder.findByBarcode(candidates);
  if (match !== undefined && 'food' in match) return match.food;
  const answer = await askOutside(candidates[0]!);
  if (answer !== undefined) return answer;
  throw new AppError({
    code: 'barcode_not_found',
    message: 'No food has this barcode.',
    details: match === undefined ? { candidates } : { candidates, known: toKnown(match.known) },
  });
}

export function getFoodById(finder: FoodFinder, id: string): Food {
  const food = finder.findById(id);
  if (food === undefined) throw new AppError({ code: 'food_not_found', message: 'There is no such food.' });
  return food;
}

/** `undefined`: too short to search for. */
function parseQuery(given: string | string[] | undefined): string | undefined {
  if (Array.isArray(given)) throw invalidQuery('q', 'Give the search text q once.');
  const query = (given ?? '').trim();
  // The length in UTF-16 units bounds that in code points from above and, halved, from below.
  const length = query.length > 2 * MAX_QUERY_LENGTH ? Number.POSITIVE_INFINITY : [...query].length;
  if (length > MAX_QUERY_LENGTH) {
    throw invalidQuery('q', `The search text q is longer than ${MAX_QUERY_LENGTH} characters.`);
  }
  return length < MIN_QUERY_LENGTH ? undefined : query;
}

function parseLimit(given: string | string[] | undefined): number {
  if (given === undefined) return DEFAULT_SEARCH_LIMIT;
  const limit = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : 0;
  if (limit < 1) throw invalidQuery('limit', `limit has to be a whole number from 1 to ${MAX_SEARCH_LIMIT}.`);
  return Math.min(limit, MAX_SEARCH_LIMIT);
}

function invalidQuery(parameter: string, message: string): AppError {
  return new AppError({ code: 'invalid_query', message, details: { parameter } });
}

function toKnown({ name, brand }: { name: string; brand?: string }): { name: string; brand: string | null } {
  return { name, brand: brand ?? null };
}
