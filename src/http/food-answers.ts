import { askableOf, type Barcode, candidatesOf, parseBarcode } from '../barcode/candidates.ts';
import type { Gtin } from '../barcode/gtin.ts';
import type { Food } from '../catalogue/food.ts';
import type { FoodFinder, SearchOptions } from '../catalogue/food-finder.ts';
import {
  DEFAULT_SEARCH_LIMIT,
  invalidQuery,
  parseSearchLimit,
  parseSearchText,
} from '../catalogue/search-request.ts';
import { AppError } from '../errors.ts';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { AnswerCache } from './answer-cache.ts';
import { jsonList } from './json-list.ts';
import type { RouteInput } from './route.ts';

/** The foods that a tenant sees at this moment; a promise where some have to be read first. */
export type FoodsOf = (tenant: string) => FoodFinder | Promise<FoodFinder>;
/** For the first number that is known; undefined when no outside service is configured, or none knows any. */
export type AskOutside = (gtins: readonly Gtin[]) => Promise<Food | undefined>;

/** Size of each answer cache for foods on each thread: room for tens of thousands of look-ups. */
const MAX_KEPT_BYTES = 8 * 2 ** 20;

/** Searches and barcode look-ups of one variant, which differ from the other's in `toJson` alone. */
export class FoodAnswers {
  readonly #askOutside: AskOutside;
  readonly #toJson: (food: Food) => string;
  readonly #searches = new AnswerCache({ maxBytes: MAX_KEPT_BYTES });
  readonly #barcodes = new AnswerCache({ maxBytes: MAX_KEPT_BYTES });

  constructor({ askOutside, toJson }: { askOutside: AskOutside; toJson: (food: Food) => string }) {
    this.#askOutside = askOutside;
    this.#toJson = toJson;
  }

  /** With options the answer is for one user alone and is not kept. */
  search(
    finder: FoodFinder,
    input: RouteInput['Querystring'],
    options?: SearchOptions,
  ): MaybePromise<string> {
    const limit = parseLimit(input['limit']);
    const query = parseQuery(input['q']);
    if (query === undefined) return '[]';
    const make = () => jsonList(finder.search(query, limit, options), this.#toJson);
    if (options !== undefined) return make();
    return this.#searches.get(`${limit} ${query}`, finder.revision, make);
  }

  /** What the catalogue lacks is asked of outside services, where the operator wants that. */
  byBarcode(finder: FoodFinder, typed: string): MaybePromise<string> {
    const barcode = parseBarcode(typed);
    const known = this.#barcodes.get(barcode, finder.revision, () => {
      const match = finder.findByBarcode(candidatesOf(barcode));
      return match !== undefined && 'food' in match ? this.#toJson(match.food) : undefined;
    });
    return andThen(known, (answer) => answer ?? this.#askFor(barcode, finder));
  }

  async #askFor(barcode: Barcode, finder: FoodFinder): Promise<string> {
    const candidates = candidatesOf(barcode);
    const answer = await this.#askOutside(askableOf(barcode));
    if (answer !== undefined) return this.#toJson(answer);
    const match = finder.findByBarcode(candidates);
    const known = match !== undefined && 'known' in match ? { known: toKnown(match.known) } : {};
    throw new AppError({
      code: 'barcode_not_found',
      message: 'No food has this barcode.',
      details: { candidates, ...known },
    });
  }
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
  // Where `limit` is given twice, the text is no number and is refused.
  return parseSearchLimit(String(given));
}

function toKnown({ name, brand }: { name: string; brand?: string }): { name: string; brand: string | null } {
  return { name, brand: brand ?? null };
}
