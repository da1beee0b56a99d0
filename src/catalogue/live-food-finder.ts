import type { Gtin } from '../barcode/gtin.ts';
import type { Food, KnownProduct } from './food/food.ts';
import type { BarcodeMatch, FoodFinder, ScoredFood, SearchOptions } from './food/food-finder.ts';
import { DEFAULT_SEARCH_LIMIT } from './food/search-request.ts';
import { mergeHits } from './tenant-foods/merge-hits.ts';
import type { SeenLiveFoods } from './tenant-foods/tenant-food-cache.ts';
import type { TenantFoods } from './tenant-foods/tenant-foods.ts';

/** What the finder asks of the catalogue beside it. */
export interface CatalogueView extends FoodFinder {
  findByGtin(gtin: Gtin): Food | KnownProduct | undefined;
  /** The best `limit` foods with their scores, best first. */
  searchScored(query: string, limit: number, options?: SearchOptions): ScoredFood[];
}

/**
 * The catalogue's answers tell below which score live foods are of no use, and that changes what is tried among them.
 * At least this many answers are therefore compared, so that a shorter list is always the beginning of a longer one.
 */
const MIN_COMPARED = DEFAULT_SEARCH_LIMIT;

export interface LiveFoodFinderParts extends SeenLiveFoods {
  readonly catalogue: CatalogueView;
}

/**
 * Finds foods for one viewer: those of the user, those of the tenant, those of the catalogue, and those that outside services
 * answered with, in this order where several have one barcode. Where the catalogue has a food of an outside service too, its copy is the newer one and counts.
 */
export class LiveFoodFinder implements FoodFinder {
  readonly #ofUser: TenantFoods;
  readonly #own: TenantFoods;
  readonly #shared: TenantFoods;
  readonly #catalogue: CatalogueView;

  constructor({ ofUser, own, shared, catalogue }: LiveFoodFinderParts) {
    this.#ofUser = ofUser;
    this.#own = own;
    this.#shared = shared;
    this.#catalogue = catalogue;
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

  search(query: string, limit: number, options?: SearchOptions): readonly Food[] {
    const compared = Math.max(limit, MIN_COMPARED);
    const found = this.#catalogue.searchScored(query, compared, options);
    // Where the catalogue fills the list, live foods that score below its last one are of no use.
    const floor =
      found.length < compared ? Number.NEGATIVE_INFINITY : Math.min(...found.map(({ score }) => score));
    const ofUser = this.#ofUser.search(query, compared, { ...options, floor });
    const own = this.#own.search(query, compared, { ...options, floor });
    const shared = this.#shared
      .search(query, compared, { ...options, floor })
      .filter(({ food }) => this.#catalogue.findById(food.id) === undefined);
    const live = mergeHits([ofUser, own, shared], limit);
    const hits = live.length === 0 ? found.slice(0, limit) : liveFirst(live, found, limit);
    return hits.map(({ food }) => food);
  }
}

/** Merges as `mergeHits` does, but with live foods first among equals, since somebody cared to enter them. */
function liveFirst(live: readonly ScoredFood[], found: readonly ScoredFood[], limit: number): ScoredFood[] {
  const merged: ScoredFood[] = [];
  let a = 0;
  let b = 0;
  while (merged.length < limit && (a < live.length || b < found.length)) {
    const takeLive = b >= found.length || (a < live.length && live[a]!.score >= found[b]!.score);
    merged.push(takeLive ? live[a++]! : found[b++]!);
  }
  return merged;
}
