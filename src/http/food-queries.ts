import { candidatesOf, parseBarcode } from '../barcode/candidates.ts';
import type { Gtin } from '../barcode/gtin.ts';
import type { Food } from '../catalogue/food.ts';
import type { FoodFinder } from '../catalogue/food-finder.ts';
import {
  DEFAULT_SEARCH_LIMIT,
  invalidQuery,
  parseSearchLimit,
  parseSearchText,
} from '../catalogue/search-request.ts';
import { AppError } from '../errors.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type { RouteInput } from './route.ts';

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
export function getFoodByBarcode(
  finder: FoodFinder,
  typed: string,
  askOutside: AskOutside,
): MaybePromise<Food> {
  const candidates = candidatesOf(parseBarcode(typed));
  const match = finder.findByBarcode(candidates);
  if (match !== undefined && 'food' in match) return match.food;
  return askOutside(candidates[0]!).then((answer) => {
    if (answer !== undefined) return answer;
    throw new AppError({
      code: 'barcode_not_found',
      message: 'No food has this barcode.',
      details: match === undefined ? { candidates } : { candidates, known: toKnown(match.known) },
    });
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
  return parseSearchText(given ?? '');
}

function parseLimit(given: string | string[] | undefined): number {
  if (given === undefined) return DEFAULT_SEARCH_LIMIT;
  // Two limits are no number.
  return parseSearchLimit(String(given));
}

function toKnown({ name, brand }: { name: string; brand?: string }): { name: string; brand: string | null } {
  return { name, brand: brand ?? null };
}
