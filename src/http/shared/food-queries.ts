import { type Barcode, barcodeCandidates, parseBarcode } from '@larder/core/barcode-candidates.ts';
import type { Food } from '@larder/core/food.ts';
import type { FoodFinder } from '@larder/text/parse/food-finder.ts';
import { z } from 'zod';
import type { Caller } from '../../access/api-key.ts';
import { andThen, type MaybePromise } from '../../base/maybe-promise.ts';
import type { FoodViewer } from '../../foods/own/food-owner.ts';
import type { TenantFoodWriter } from '../../foods/own/tenant-food-writer.ts';
import {
  type FoodDirectory,
  MAX_QUERY_LENGTH,
  MAX_SEARCH_OFFSET,
  parseSearchText,
} from '../../foods/visible-foods.ts';
import { pageQueryOf, rankedQuery } from '../openapi/list-queries.ts';
import { barcodeText } from '../openapi/text-schemas.ts';
import { requireUser } from '../server/guard.ts';
import { jsonList, pageReply, rankedReply } from '../server/lists.ts';
import type { Reply } from '../server/operation.ts';
import { ResponseCache } from '../server/response-cache.ts';
import { EXAMPLE_FOOD } from './food-parts.ts';

/** Size of each response cache for foods on each thread: room for tens of thousands of look-ups. */
const MAX_CACHE_BYTES = 8 * 2 ** 20;

/** Asks for more of each food than answers usually have. */
export const includeQuery = z.object({
  include: z
    .literal('servings', '"include" can only be "servings".')
    .optional()
    .describe('`servings`: each food with all its servings and its nutrients per 100 g or ml.'),
});

export const searchQuery = includeQuery.extend({
  q: z
    .string()
    .optional()
    .describe('Search text. Without it, or with less than 2 characters, the answer is an empty list.')
    .meta({ maxLength: MAX_QUERY_LENGTH, example: 'chocolate spread' })
    .transform(parseSearchText),
  ...rankedQuery(MAX_SEARCH_OFFSET).shape,
});

type SearchQuery = z.output<typeof searchQuery>;

export const barcodeParams = z.object({
  upc: barcodeText
    .describe('UPC-A, UPC-E, EAN-8, EAN-13 or GTIN-14: 6 to 14 digits; spaces and dashes are ignored.')
    .meta({ example: EXAMPLE_FOOD.barcode })
    .transform(parseBarcode),
});

/** Who sees what this user sees; without a user, what the caller sees. */
export function viewerFor(caller: Caller, userId: string | undefined): FoodViewer {
  if (userId === undefined) return caller;
  requireUser(caller, userId);
  return { tenant: caller.tenant, userId };
}

/** How a variant writes a food, and how with `include=servings`. */
export interface FoodWriter {
  readonly plain: (food: Food) => string;
  readonly withServings: (food: Food) => string;
}

/** A page of a search as it is kept. */
interface FoundPage extends Reply {
  readonly length: number;
}

/**
 * Makes the search of one API variant. With `eater`, whose foods rank first, the answer is for one user alone and is not
 * cached.
 */
export function createFoodSearch(
  path: string,
  directory: FoodDirectory,
  { plain, withServings }: FoodWriter,
): (viewer: FoodViewer, query: SearchQuery, eater?: string) => MaybePromise<string | FoundPage> {
  const cache = new ResponseCache<string | FoundPage>({ maxBytes: MAX_CACHE_BYTES });
  const write = (foods: readonly Food[], query: SearchQuery): string | FoundPage => {
    const toJson = query.include === undefined ? plain : withServings;
    if (query.offset === undefined) return jsonList(foods, toJson);
    const page = rankedReply(path, query, foods, (some) => jsonList(some, toJson));
    return { ...page, length: page.body.length };
  };
  const search = (
    viewer: FoodViewer,
    query: SearchQuery,
    eater?: string,
    known?: FoodFinder,
  ): MaybePromise<string | FoundPage> => {
    const { q, limit, offset, include = '' } = query;
    if (q === undefined) return '[]';
    // All pages are parts of the longest list, so that none repeats or leaves out what another has.
    const most = offset === undefined ? limit : MAX_SEARCH_OFFSET;
    if (eater !== undefined) {
      return andThen(directory.search(viewer, q, most, eater), (foods) => write(foods, query));
    }
    const finder = known ?? directory.of(viewer);
    if (finder instanceof Promise) return finder.then((ready) => search(viewer, query, eater, ready));
    const { revision } = finder;
    const key = `${limit}${offset === undefined ? '' : `+${offset}`}${include} ${q}`;
    return cache.find(key, revision) ?? cache.keep(key, revision, write(finder.search(q, most), query));
  };
  return search;
}

/** Makes the barcode look-up of one API variant. Foods of external services are not cached: the revision does not cover them. */
export function createBarcodeLookup(
  directory: FoodDirectory,
  { plain, withServings }: FoodWriter,
): (viewer: FoodViewer, barcode: Barcode, include: 'servings' | undefined) => MaybePromise<string> {
  const cache = new ResponseCache({ maxBytes: MAX_CACHE_BYTES });
  const lookUp = (
    viewer: FoodViewer,
    barcode: Barcode,
    include: 'servings' | undefined,
    finder = directory.of(viewer),
  ): MaybePromise<string> => {
    if (finder instanceof Promise) return finder.then((ready) => lookUp(viewer, barcode, include, ready));
    const key = include === undefined ? barcode : `${barcode} ${include}`;
    const toJson = include === undefined ? plain : withServings;
    const { revision } = finder;
    const kept = cache.find(key, revision);
    if (kept !== undefined) return kept;
    const match = finder.findByBarcode(barcodeCandidates(barcode));
    if (match !== undefined && 'food' in match) return cache.keep(key, revision, toJson(match.food));
    return andThen(directory.getByBarcode(viewer, barcode), toJson);
  };
  return lookUp;
}

export const ownFoodsQuery = pageQueryOf('manual:[A-Za-z0-9._-]{1,60}');

/** Answers a page of the foods that were entered and that the viewer sees. */
export function listOwnFoods(
  ownFoods: TenantFoodWriter,
  path: string,
  viewer: FoodViewer,
  query: z.output<typeof ownFoodsQuery> & { readonly userId?: string | undefined },
  toJson: (food: Food) => string,
): Promise<Reply> {
  return pageReply(
    path,
    query,
    (page) => ownFoods.list(viewer, page),
    (foods) => jsonList(foods, toJson),
  );
}
