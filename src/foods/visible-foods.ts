import { askableOf, type Barcode, barcodeCandidates, parseBarcode } from '@larder/core/barcode-candidates.ts';
import { AppError } from '@larder/core/errors.ts';
import type { Food, KnownProduct } from '@larder/core/food.ts';
import { type Gtin, hasValidCheckDigit } from '@larder/core/gtin.ts';
import { mergeRanked } from '@larder/search/merge-ranked.ts';
import { MAX_ANSWERS } from '@larder/search/query/query-limits.ts';
import type {
  BarcodeMatch,
  FavouriteFood,
  FavouriteFoods,
  FoodFinder,
  FoodHit,
  SearchOptions,
} from '@larder/text/parse/food-finder.ts';
import type { FoodNames } from '@larder/text/parse/food-names.ts';
import { searchWithAmounts } from '@larder/text/parse/search-with-amounts.ts';
import { DEFAULT_LIMIT, invalidQuery } from '../base/list-request.ts';
import { andThen, type MaybePromise, orAfter } from '../base/maybe-promise.ts';
import { hasAtMost } from '../base/texts.ts';
import type { ExternalLookup } from './external/external-lookup.ts';
import { inStaticOrder } from './own/custom-food-index.ts';
import type { CustomFoods } from './own/custom-foods.ts';
import type { FoodViewer } from './own/food-owner.ts';
import type { SeenTenantFoods, TenantFoodCache } from './own/tenant-food-cache.ts';

/** A search finds so many foods at most, so nothing comes after them. */
export const MAX_SEARCH_OFFSET = MAX_ANSWERS;
/** In code points, after trimming. */
const MIN_QUERY_LENGTH = 2;
export const MAX_QUERY_LENGTH = 200;

/** The search text; undefined if it is too short. Throws `invalid_query` if it is too long. */
export function parseSearchText(typed = ''): string | undefined {
  const query = typed.trim();
  if (!hasAtMost(query, MAX_QUERY_LENGTH)) {
    const message = `The search text q is longer than ${MAX_QUERY_LENGTH} characters.`;
    throw invalidQuery('q', message, MAX_QUERY_LENGTH);
  }
  return hasAtMost(query, MIN_QUERY_LENGTH - 1) ? undefined : query;
}

/** What the finder asks of the catalogue beside it. */
export interface CatalogueView extends FoodFinder {
  findByGtin(gtin: Gtin): Food | KnownProduct | undefined;
  /** The best `limit` foods with their scores, best first. */
  searchScored(query: string, limit: number, options?: SearchOptions): FoodHit[];
}

/**
 * The catalogue's answers tell below which score tenant foods are of no use, and that changes what is tried among them.
 * At least this many answers are therefore compared, so that a shorter list is always the beginning of a longer one.
 */
const MIN_COMPARED = DEFAULT_LIMIT;

export interface TenantFoodFinderParts extends Omit<SeenTenantFoods, 'isReady'> {
  readonly catalogue: CatalogueView;
}

/**
 * Finds foods for one viewer: those of the user, those of the tenant, those of the catalogue, and those that external
 * services answered with, in this order where several have one barcode. Where the catalogue has a food of an external
 * service too, its copy is the newer one and counts.
 */
export class TenantFoodFinder implements FoodFinder {
  readonly #ofUser: CustomFoods;
  readonly #own: CustomFoods;
  readonly #shared: CustomFoods;
  readonly #catalogue: CatalogueView;

  constructor({ ofUser, own, shared, catalogue }: TenantFoodFinderParts) {
    this.#ofUser = ofUser;
    this.#own = own;
    this.#shared = shared;
    this.#catalogue = catalogue;
  }

  get names(): FoodNames {
    return this.#catalogue.names;
  }

  findById(id: string): Food | undefined {
    return (
      this.#ofUser.findById(id) ??
      this.#own.findById(id) ??
      this.#catalogue.findById(id) ??
      this.#shared.findById(id)
    );
  }

  findByBarcode(candidates: readonly Gtin[]): BarcodeMatch | undefined {
    let known: KnownProduct | undefined;
    for (const candidate of candidates) {
      const own = this.#ofUser.findByGtin(candidate) ?? this.#own.findByGtin(candidate);
      if (own !== undefined) return { food: own };
      const found = this.#catalogue.findByGtin(candidate);
      if (found !== undefined && 'per100' in found) return { food: found };
      known ??= found;
      const shared = this.#shared.findByGtin(candidate);
      if (shared !== undefined) return { food: shared };
    }
    return known === undefined ? undefined : { known };
  }

  findEntered(name: string): Food | undefined {
    return this.#ofUser.findByName(name) ?? this.#own.findByName(name);
  }

  search(query: string, limit: number, options?: SearchOptions): readonly Food[] {
    const search = (text: string, most: number) => this.#searchScored(text, most, options);
    return searchWithAmounts(query, limit, search).map(({ food }) => food);
  }

  #searchScored(query: string, limit: number, options?: SearchOptions): readonly FoodHit[] {
    const compared = Math.max(limit, MIN_COMPARED);
    const found = this.#catalogue.searchScored(query, compared, options);
    // Where the catalogue fills the list by its words, tenant foods that score below its last one are of no use.
    const scores = found.flatMap(({ score, similarity }) => (similarity === undefined ? [score] : []));
    const floor = scores.length < compared ? Number.NEGATIVE_INFINITY : Math.min(...scores);
    const ofUser = this.#ofUser.search(query, compared, { ...options, floor });
    const own = this.#own.search(query, compared, { ...options, floor });
    const shared = this.#shared
      .search(query, compared, { ...options, floor })
      .filter(({ food }) => this.#catalogue.findById(food.id) === undefined);
    const custom = mergeRanked([ofUser, own, shared], limit, inStaticOrder);
    // Custom foods go first among equals, since somebody cared to enter them.
    return mergeRanked([custom, found], limit);
  }

  /** Of the catalogue only: foods that were entered have no vectors. */
  proposals(text: string, limit: number): readonly FoodHit[] {
    return this.#catalogue.proposals(text, limit);
  }

  similarity(text: string, name: string): number {
    return this.#catalogue.similarity(text, name);
  }
}

/** The catalogue in use, swapped whole between two requests; until there is one, foods are `unavailable`. */
export interface CurrentCatalogue {
  readonly current: CatalogueView | undefined;
}

export interface FoodDirectoryPorts {
  readonly catalogue: CurrentCatalogue;
  /** Absent where there is no database to read foods from. */
  readonly live?: Pick<TenantFoodCache, 'whenReady' | 'follow' | 'of'>;
  /** Absent where no external service is configured. */
  readonly outside?: Pick<ExternalLookup, 'find'> | undefined;
  /** Absent where nobody ranks by what users eat. */
  readonly favourites?: FavouriteFoods;
  /**
   * How long foods that have to be read, and what a user eats, are waited for: then it answers without them, and while the
   * store is away. Absent where an answer has to be complete: it takes as long as it takes, or throws an `OutageError`.
   */
  readonly patienceMs?: number | undefined;
}

/**
 * All foods that a caller sees: those of the current catalogue, tenant foods, and what external services know by barcode.
 * HTTP, diary and scans look foods up here and nowhere else, so that they all find the same.
 */
export class FoodDirectory {
  readonly #ports: FoodDirectoryPorts;

  constructor(ports: FoodDirectoryPorts) {
    this.#ports = ports;
  }

  /**
   * The foods in memory, with every write acknowledged before this call; at once where memory is up to date. Where patience
   * has a limit, it has the writes that were read before.
   */
  of(viewer: FoodViewer): MaybePromise<FoodFinder> {
    const { live } = this.#ports;
    if (live === undefined) return this.#finder(undefined);
    const seen = live.of(viewer);
    if (seen.isReady) return this.#finder(seen);
    return this.#patiently(live.whenReady(viewer), undefined).then(() => this.#finder(live.of(viewer)));
  }

  /** Best first. With `eater` the foods that this user eats come first where they match every word. */
  search(viewer: FoodViewer, query: string, limit: number, eater?: string): MaybePromise<readonly Food[]> {
    return andThen(this.favouritesOf(viewer, eater), (favourites) =>
      andThen(this.of(viewer), (finder) => finder.search(query, limit, { favourites })),
    );
  }

  /** The foods that `eater` eats; none without one. */
  favouritesOf(viewer: FoodViewer, eater: string | undefined): MaybePromise<readonly FavouriteFood[]> {
    const { favourites } = this.#ports;
    if (eater === undefined || favourites === undefined) return [];
    const eaten = favourites.of(viewer.tenant, eater);
    return eaten instanceof Promise ? this.#patiently(eaten, []) : eaten;
  }

  findById(viewer: FoodViewer, id: string): MaybePromise<Food | undefined> {
    return andThen(this.of(viewer), (finder) => finder.findById(id));
  }

  /** Throws `food_not_found`. */
  getById(viewer: FoodViewer, id: string, finder = this.of(viewer)): MaybePromise<Food> {
    if (finder instanceof Promise) return finder.then((ready) => this.getById(viewer, id, ready));
    const food = finder.findById(id);
    if (food !== undefined) return food;
    throw new AppError({ code: 'food_not_found', message: 'There is no food with this id.' });
  }

  /** By the digits of a package; external services are asked for what nobody here has. Throws `invalid_barcode`. */
  findByBarcode(viewer: FoodViewer, typed: string): MaybePromise<BarcodeMatch | undefined> {
    const { outside } = this.#ports;
    return andThen(this.of(viewer), (finder) => {
      const barcode = parseBarcode(typed);
      const match = finder.findByBarcode(barcodeCandidates(barcode));
      if (outside === undefined || (match !== undefined && 'food' in match)) return match;
      return outside
        .find(viewer.tenant, askableOf(barcode))
        .then((food) => (food === undefined ? match : { food }));
    });
  }

  /** The same; throws `barcode_not_found` with the numbers that were tried, and with what is known of the product. */
  getByBarcode(viewer: FoodViewer, typed: string): MaybePromise<Food> {
    return andThen(this.findByBarcode(viewer, typed), (match) => {
      if (match !== undefined && 'food' in match) return match.food;
      throw barcodeNotFound(parseBarcode(typed), match?.known);
    });
  }

  #patiently<T>(promise: Promise<T>, fallback: T): Promise<T> {
    const { patienceMs } = this.#ports;
    return patienceMs === undefined ? promise : orAfter(patienceMs, promise, fallback);
  }

  /** Notices what was written in another way than by `TenantFoodWriter`; when it resolves, all threads know that. */
  async follow(): Promise<void> {
    await this.#ports.live?.follow();
  }

  #finder(seen: SeenTenantFoods | undefined): FoodFinder {
    const catalogue = this.#ports.catalogue.current;
    if (catalogue === undefined) {
      throw new AppError({
        code: 'unavailable',
        message: 'The catalogue is being loaded; try again in a moment.',
      });
    }
    if (seen === undefined) return catalogue;
    const { ofUser, own, shared } = seen;
    return ofUser.size + own.size + shared.size === 0
      ? catalogue
      : new TenantFoodFinder({ ofUser, own, shared, catalogue });
  }
}

function barcodeNotFound(barcode: Barcode, known: KnownProduct | undefined): AppError {
  const candidates = barcodeCandidates(barcode);
  const isMistyped = !candidates.some(hasValidCheckDigit);
  return new AppError({
    code: 'barcode_not_found',
    message: isMistyped
      ? 'No food has this barcode. Its check digit is wrong; compare it with the package.'
      : 'No food has this barcode.',
    details: {
      candidates,
      ...(known && { known: { name: known.name, brand: known.brand ?? null } }),
    },
  });
}
