import { z } from 'zod';
import { candidatesOf, parseBarcode } from '../../barcode/candidates.ts';
import type { Food } from '../../catalogue/food/food.ts';
import {
  DEFAULT_SEARCH_LIMIT,
  invalidQuery,
  MAX_QUERY_LENGTH,
  MAX_SEARCH_LIMIT,
  parseSearchLimit,
  parseSearchText,
} from '../../catalogue/food/search-request.ts';
import type { FoodViewer } from '../../catalogue/tenant-foods/food-owner.ts';
import type { FoodDirectory } from '../../catalogue/visible-foods.ts';
import { andThen, type MaybePromise } from '../../maybe-promise.ts';
import { barcodeText } from '../openapi/text-schemas.ts';
import { jsonList } from '../server/bodies.ts';
import { ResponseCache } from '../server/response-cache.ts';
import type { RouteInput } from '../server/route.ts';
import { EXAMPLE_FOOD } from './example-food.ts';

/** Size of each answer cache for foods on each thread: room for tens of thousands of look-ups. */
const MAX_KEPT_BYTES = 8 * 2 ** 20;

export interface FoodAnswersPorts {
  readonly foods: () => FoodDirectory;
  readonly toJson: (food: Food) => string;
}

/** Searches and barcode look-ups of one variant, which differ from the other's in `toJson` alone. */
export class FoodAnswers {
  readonly #foods: () => FoodDirectory;
  readonly #toJson: (food: Food) => string;
  readonly #searches = new ResponseCache({ maxBytes: MAX_KEPT_BYTES });
  readonly #barcodes = new ResponseCache({ maxBytes: MAX_KEPT_BYTES });

  constructor({ foods, toJson }: FoodAnswersPorts) {
    this.#foods = foods;
    this.#toJson = toJson;
  }

  /** With `eater`, whose foods rank first, the answer is for one user alone and is not kept. */
  search(viewer: FoodViewer, input: RouteInput['Querystring'], eater?: string): MaybePromise<string> {
    return andThen(this.#foods().of(viewer), (finder) => {
      const limit = parseLimit(input['limit']);
      const query = parseQuery(input['q']);
      if (query === undefined) return '[]';
      if (eater !== undefined) {
        const found = this.#foods().search(viewer, query, limit, eater);
        return andThen(found, (foods) => jsonList(foods, this.#toJson));
      }
      return this.#searches.get(`${limit} ${query}`, finder.revision, () =>
        jsonList(finder.search(query, limit), this.#toJson),
      );
    });
  }

  /** What external services answer is not kept: the revision is of the foods that are here. */
  byBarcode(viewer: FoodViewer, typed: string): MaybePromise<string> {
    return andThen(this.#foods().of(viewer), (finder) => {
      const barcode = parseBarcode(typed);
      const known = this.#barcodes.get(barcode, finder.revision, () => {
        const match = finder.findByBarcode(candidatesOf(barcode));
        return match !== undefined && 'food' in match ? this.#toJson(match.food) : undefined;
      });
      return andThen(
        known,
        (answer) => answer ?? andThen(this.#foods().getByBarcode(viewer, barcode), this.#toJson),
      );
    });
  }
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

/** What the OpenAPI document says of parameters; `catalogue/search-request.ts` is what reads them. */
export const searchQuery = z.object({
  q: z
    .string()
    .max(MAX_QUERY_LENGTH)
    .optional()
    .describe('Search text. Shorter than 2 characters finds nothing.')
    .meta({ example: 'chocolate spread' }),
  limit: z
    .int()
    .min(1)
    .optional()
    .describe(`Most foods to answer with; more than ${MAX_SEARCH_LIMIT} is taken as ${MAX_SEARCH_LIMIT}.`)
    .meta({ default: DEFAULT_SEARCH_LIMIT, example: 3 }),
});

export const barcodeParams = z.object({
  upc: barcodeText
    .describe('UPC-A, UPC-E, EAN-8, EAN-13 or GTIN-14: 6 to 14 digits; spaces and dashes are ignored.')
    .meta({ example: EXAMPLE_FOOD.barcode }),
});
