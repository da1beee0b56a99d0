import type { BackgroundWork } from '../../background-work.ts';
import { typedBarcode } from '../../barcode/candidates.ts';
import type { Gtin } from '../../barcode/gtin.ts';
import { andThen, type MaybePromise } from '../../maybe-promise.ts';
import type { Food, FoodId } from '../food/food.ts';
import type { ScoredFood, SearchOptions } from '../food/food-finder.ts';
import type { Steps } from '../search/index/steps.ts';
import type { TenantFoodChange } from './tenant-food-store.ts';
import { TieredIndex } from './tiered-index.ts';

/** Bytes of a tenant without foods, and of a food without its texts, on the heap, roughly. */
const TENANT_BYTES = 2_000;
export const FOOD_BYTES = 2_000;

interface Known {
  readonly food: Food;
  readonly revision: number;
}

const MERGE_DELAY_MS = 250;

/** The tenant foods of one tenant, in memory: known by id and barcode at once, by text when they are indexed. */
export class TenantFoods {
  readonly #byId = new Map<FoodId, Known>();
  readonly #byGtin = new Map<Gtin, Map<FoodId, Known>>();
  readonly #index = new TieredIndex();
  /** Revisions of foods that were deleted; kept until `becomeWhole`. */
  #deleted: Map<FoodId, number> | undefined = new Map();

  get size(): number {
    return this.#byId.size;
  }

  /** Whether search finds everything that was applied. */
  get isIndexed(): boolean {
    return this.#index.isComplete;
  }

  /** Whether all foods that were written before have been applied. */
  get isWhole(): boolean {
    return this.#deleted === undefined;
  }

  /** Whether all foods are in memory, and can be searched. */
  get isReady(): boolean {
    return this.#deleted === undefined && this.#index.isComplete;
  }

  /** What all of this takes in memory, roughly. */
  get bytes(): number {
    return TENANT_BYTES + this.size * FOOD_BYTES + this.#index.bytes;
  }

  /**
   * Applies writes; of several to one food the latest counts. Until `becomeWhole` they may come in any order, as they do where
   * foods are read while others are written.
   */
  apply(changes: readonly Pick<TenantFoodChange, 'id' | 'food' | 'revision'>[]): void {
    const news = changes.filter((change) => {
      if (change.revision <= (this.#byId.get(change.id)?.revision ?? this.#deleted?.get(change.id) ?? 0)) {
        return false;
      }
      this.#forget(change.id);
      if (change.food !== undefined) this.#remember(change.food, change.revision);
      else this.#deleted?.set(change.id, change.revision);
      return true;
    });
    this.#index.apply(news);
  }

  /** From here on writes come in their order. */
  becomeWhole(): void {
    this.#deleted = undefined;
  }

  /** Has search find what was applied; see `TieredIndex`. */
  index(): Steps<void> {
    return this.#index.index();
  }

  /** Keeps searches fast; see `TieredIndex`. */
  merge(): Steps<void> {
    return this.#index.merge();
  }

  findById(id: string): Food | undefined {
    return this.#byId.get(id as FoodId)?.food;
  }

  /** Of several foods with one GTIN the one written last. */
  findByGtin(gtin: Gtin): Food | undefined {
    let latest: Known | undefined;
    for (const known of this.#byGtin.get(gtin)?.values() ?? []) {
      if (known.revision > (latest?.revision ?? -1)) latest = known;
    }
    return latest?.food;
  }

  /** The best `limit` foods, best first. */
  search(query: string, limit: number, options?: SearchOptions): ScoredFood[] {
    if (this.#byId.size === 0) return [];
    const hits = this.#index.search(query, limit, options);
    const food = typedBarcode(query)
      ?.map((candidate) => this.findByGtin(candidate))
      .find((found) => found !== undefined);
    if (food === undefined) return hits;
    const rest = hits.filter((hit) => hit.food.id !== food.id);
    return [{ food, score: Number.POSITIVE_INFINITY }, ...rest].slice(0, limit);
  }

  #remember(food: Food, revision: number): void {
    const known = { food, revision };
    this.#byId.set(food.id, known);
    if (food.gtin === undefined) return;
    const same = this.#byGtin.get(food.gtin) ?? new Map<FoodId, Known>();
    this.#byGtin.set(food.gtin, same.set(food.id, known));
  }

  #forget(id: FoodId): void {
    const gtin = this.#byId.get(id)?.food.gtin;
    this.#byId.delete(id);
    if (gtin === undefined) return;
    const same = this.#byGtin.get(gtin)!;
    same.delete(id);
    if (same.size === 0) this.#byGtin.delete(gtin);
  }
}

/** Of who has none. */
export const NO_FOODS = new TenantFoods();

export interface IndexedFoodsPorts {
  readonly work: BackgroundWork;
  readonly onError: (cause: unknown) => void;
}

/** Foods in memory, and the work of indexing them between requests. */
export class IndexedFoods {
  readonly foods = new TenantFoods();
  readonly #ports: IndexedFoodsPorts;
  #indexing: Promise<void> | undefined;
  #isMerging = false;

  constructor(ports: IndexedFoodsPorts) {
    this.#ports = ports;
  }

  /** Done when search finds every food that is in memory now. */
  index(): MaybePromise<void> {
    if (this.foods.isIndexed) return;
    if (this.#indexing !== undefined) return this.#indexing;
    const indexed = andThen(this.#ports.work.run(this.foods.index()), () => this.#merge());
    if (!(indexed instanceof Promise)) return;
    this.#indexing = indexed.finally(() => {
      this.#indexing = undefined;
    });
    return this.#indexing;
  }

  /**
   * Nobody waits for it: searches are right before, between and after its steps. Many writes in a row are merged together, which
   * takes half the work.
   */
  #merge(): void {
    if (this.#isMerging) return;
    this.#isMerging = true;
    const merge = () =>
      this.#ports.work
        .runLater(this.foods.merge())
        .catch(this.#ports.onError)
        .finally(() => {
          this.#isMerging = false;
        });
    setTimeout(merge, MERGE_DELAY_MS).unref();
  }
}
