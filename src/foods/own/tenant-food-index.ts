import { typedBarcode } from '@larder/core/barcode-candidates.ts';
import type { Food, FoodId } from '@larder/core/food.ts';
import type { Gtin } from '@larder/core/gtin.ts';
import type { Steps } from '@larder/search/index/steps.ts';
import type { ScoredFood, SearchOptions } from '@larder/text/parse/food-finder.ts';
import { fold } from '@larder/text/tokens.ts';
import type { BackgroundWork } from '../../background-work.ts';
import { andThen, type MaybePromise } from '../../maybe-promise.ts';
import type { TenantFoodChange } from './tenant-food-store.ts';
import { TieredIndex } from './tiered-index.ts';

/** Bytes of a tenant without foods, and of a food without its texts, on the heap, roughly. */
const TENANT_BYTES = 2_000;
export const FOOD_BYTES = 2_000;

interface Known {
  readonly food: Food;
  readonly revision: number;
}

/** Foods that have the same key. */
type SameFoods<Key> = Map<Key, Map<FoodId, Known>>;

const MERGE_DELAY_MS = 250;

/** The tenant foods of one tenant, in memory: known by id and barcode at once, by text when they are indexed. */
export class TenantFoods {
  readonly #byId = new Map<FoodId, Known>();
  readonly #byGtin: SameFoods<Gtin> = new Map();
  readonly #byName: SameFoods<string> = new Map();
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
    return latestOf(this.#byGtin.get(gtin));
  }

  /** Of several foods with this very name the one written last. */
  findByName(name: string): Food | undefined {
    return this.#byName.size === 0 ? undefined : latestOf(this.#byName.get(nameKey(name)));
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
    if (food.gtin !== undefined) addTo(this.#byGtin, food.gtin, known);
    addTo(this.#byName, nameKey(food.name), known);
  }

  #forget(id: FoodId): void {
    const food = this.#byId.get(id)?.food;
    if (food === undefined) return;
    this.#byId.delete(id);
    if (food.gtin !== undefined) removeFrom(this.#byGtin, food.gtin, id);
    removeFrom(this.#byName, nameKey(food.name), id);
  }
}

/** Case, accents and spaces do not matter. */
function nameKey(name: string): string {
  return fold(name).replace(/\s+/gu, ' ').trim();
}

function latestOf(same: ReadonlyMap<FoodId, Known> | undefined): Food | undefined {
  let latest: Known | undefined;
  for (const known of same?.values() ?? []) {
    if (known.revision > (latest?.revision ?? -1)) latest = known;
  }
  return latest?.food;
}

function addTo<Key>(foods: SameFoods<Key>, key: Key, known: Known): void {
  const same = foods.get(key) ?? new Map<FoodId, Known>();
  foods.set(key, same.set(known.food.id, known));
}

function removeFrom<Key>(foods: SameFoods<Key>, key: Key, id: FoodId): void {
  const same = foods.get(key)!;
  same.delete(id);
  if (same.size === 0) foods.delete(key);
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
