import { parseBarcode } from '@larder/core/barcode-candidates.ts';
import type { Food } from '@larder/core/food.ts';
import { z } from 'zod';
import type { Caller } from '../../access/api-key.ts';
import type { CustomFoodWriter } from '../../foods/custom/custom-food-writer.ts';
import type { FoodViewer } from '../../foods/custom/food-owner.ts';
import {
  type FoodDirectory,
  MAX_QUERY_LENGTH,
  MAX_SEARCH_OFFSET,
  parseSearchText,
} from '../../foods/visible-foods.ts';
import { pageQueryOf, rankedQuery } from '../openapi/list-queries.ts';
import { barcodeText } from '../openapi/text-schemas.ts';
import { requireScope, requireUser } from '../server/guard.ts';
import { pageOf, rankedPageOf } from '../server/lists.ts';
import type { KeptAnswers, Outcome } from '../server/operation.ts';
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

/** Refuses a text that makes a URL too long as any other text that is too long. */
export function refuseLongText({ q }: Readonly<Record<string, unknown>>): void {
  parseSearchText(String(q ?? ''));
}

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

/** The words of a variant for a food, and with `include=servings`. */
export interface FoodWords {
  readonly plain: (food: Food) => unknown;
  readonly withServings: (food: Food) => unknown;
}

export interface FoodsPort {
  readonly foods: FoodDirectory;
}

interface SearchRequest {
  readonly caller: Caller;
  readonly query: SearchQuery & { readonly userId?: string | undefined };
}

/** Answers are kept while their catalogue is in use. With `userId`, whose foods rank first, the answer is for one user alone. */
export const KEPT_SEARCHES: KeptAnswers<FoodsPort, SearchRequest> = {
  maxBytes: MAX_CACHE_BYTES,
  placeOf({ caller, query: { q, limit, offset, include = '', userId } }, { foods }) {
    const revision = q === undefined || userId !== undefined ? undefined : foods.now(caller)?.revision;
    if (revision === undefined) return undefined;
    return { key: `${limit}${offset === undefined ? '' : `+${offset}`}${include} ${q}`, revision };
  },
};

/** Answers a search. With `userId` the foods that this user eats rank first. */
export async function searchFoods(
  { caller, query }: SearchRequest,
  { foods }: FoodsPort,
  { plain, withServings }: FoodWords,
): Promise<Outcome> {
  const { q, limit, offset, include, userId } = query;
  if (userId !== undefined) requireScope(caller, 'diary:read');
  const viewer = viewerFor(caller, userId);
  if (q === undefined) return { value: [] };
  // All pages are parts of the longest list, so that none repeats or leaves out what another has.
  const most = offset === undefined ? limit : MAX_SEARCH_OFFSET;
  const found = await foods.search(viewer, q, most, userId);
  const toObject = include === undefined ? plain : withServings;
  return offset === undefined ? { value: found.map(toObject) } : rankedPageOf(query, found, toObject);
}

interface BarcodeRequest {
  readonly caller: Caller;
  readonly params: z.output<typeof barcodeParams>;
  readonly query: z.output<typeof includeQuery> & { readonly userId?: string | undefined };
}

/** Answers are kept while their catalogue is in use. */
export const KEPT_BARCODES: KeptAnswers<FoodsPort, BarcodeRequest> = {
  maxBytes: MAX_CACHE_BYTES,
  placeOf({ caller, params: { upc }, query: { include = '', userId } }, { foods }) {
    const revision = foods.now(viewerFor(caller, userId))?.revision;
    return revision === undefined ? undefined : { key: `${upc} ${include}`, revision };
  },
};

/** Answers a barcode look-up. */
export async function findByBarcode(
  { caller, params: { upc }, query: { include, userId } }: BarcodeRequest,
  { foods }: FoodsPort,
  { plain, withServings }: FoodWords,
): Promise<Outcome> {
  const food = await foods.getByBarcode(viewerFor(caller, userId), upc);
  // The revision does not cover foods of external services.
  return {
    value: (include === undefined ? plain : withServings)(food),
    isKept: food.source !== 'third_party_api',
  };
}

export const customFoodsQuery = pageQueryOf('manual:[A-Za-z0-9._-]{1,60}');

/** Answers a page of the custom foods that the viewer sees. */
export function listCustomFoods(
  customFoods: CustomFoodWriter,
  viewer: FoodViewer,
  query: z.output<typeof customFoodsQuery> & { readonly userId?: string | undefined },
  toObject: (food: Food) => unknown,
): Promise<Outcome> {
  return pageOf(query, (page) => customFoods.list(viewer, page), toObject);
}
