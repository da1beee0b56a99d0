import { isDeepStrictEqual } from 'node:util';
import { typedBarcode } from '@larder/core/codes/barcode-candidates.ts';
import { itemKeysOf } from '@larder/core/codes/scale-label.ts';
import type { Food, FoodId } from '@larder/core/food.ts';
import type { Gtin } from '@larder/core/gtin.ts';
import type { FoodHit, SearchOptions } from '@larder/text/parse/food-finder.ts';
import { fold } from '@larder/text/tokens.ts';
import { findAmong, MAX_SAME_NUMBER, type NumberedFoods } from '../catalogue/same-number.ts';
import { CustomFoodIndex, type IndexPorts } from './custom-food-index.ts';
import { customFoodIdsOf } from './food-owner.ts';

interface Written {
  readonly food: Food;
  readonly revision: number;
}

/** Foods that have the same key. */
type SameFoods<Key> = Map<Key, Map<FoodId, Written>>;

/**
 * The foods of one owner in memory, found by id, barcode and name at once. Search finds them from
 * `whenIndexed` to `dropIndex`.
 */
export class CustomFoods implements NumberedFoods {
  readonly #byId = new Map<FoodId, Written>();
  readonly #byGtin: SameFoods<Gtin> = new Map();
  /** Foods by the item of a scale's label. */
  readonly #byItem: SameFoods<string> = new Map();
  readonly #byName: SameFoods<string> = new Map();
  #index: CustomFoodIndex | undefined;

  get size(): number {
    return this.#byId.size;
  }

  /** Whether search finds every food. */
  get isIndexed(): boolean {
    return this.#index === undefined ? this.#byId.size === 0 : this.#index.isComplete;
  }

  /** Approximate memory of the index, texts of the foods included. */
  get indexBytes(): number {
    return this.#index?.bytes ?? 0;
  }

  /** Adds a food, or replaces the one with its id. */
  put(food: Food, revision: number): void {
    this.#forget(food.id);
    const written = { food, revision };
    this.#byId.set(food.id, written);
    if (food.gtin !== undefined) {
      addTo(this.#byGtin, food.gtin, written);
      for (const item of itemKeysOf(food.gtin)) addTo(this.#byItem, item, written);
    }
    addTo(this.#byName, nameKey(food.name), written);
    this.#index?.put(food);
  }

  remove(id: FoodId): void {
    this.#forget(id);
    this.#index?.remove(id);
  }

  /** Resolves when search finds every food that was put before the call. */
  async whenIndexed(ports: IndexPorts): Promise<void> {
    await this.openIndex().whenComplete(ports);
  }

  /**
   * Returns the index, created at the first call. Foods put earlier wait in it, so that `whenIndexed` takes
   * less time.
   */
  openIndex(): CustomFoodIndex {
    if (this.#index === undefined) {
      this.#index = new CustomFoodIndex();
      for (const { food } of this.#byId.values()) this.#index.put(food);
    }
    return this.#index;
  }

  dropIndex(): void {
    this.#index = undefined;
  }

  findById(id: string): Food | undefined {
    const found = this.#byId.get(id as FoodId)?.food;
    if (found !== undefined || this.#byId.size === 0 || !id.includes('-')) return found;
    const known = customFoodIdsOf(id).find((each) => this.#byId.has(each));
    return known && this.#byId.get(known)?.food;
  }

  /** If several foods have this GTIN, the one written last. */
  findByGtin(gtin: Gtin): Food | undefined {
    return latestOf(this.#byGtin.get(gtin));
  }

  /** Latest first. */
  findAllByGtin(gtin: Gtin): readonly Food[] {
    const same = this.#byGtin.get(gtin);
    if (same === undefined) return [];
    return [...same.values()]
      .toSorted((a, b) => b.revision - a.revision)
      .slice(0, MAX_SAME_NUMBER)
      .map(({ food }) => food);
  }

  findByItem(gtin: Gtin): Food | undefined {
    if (this.#byItem.size === 0) return undefined;
    for (const item of itemKeysOf(gtin)) {
      const food = latestOf(this.#byItem.get(item));
      if (food !== undefined) return food;
    }
    return undefined;
  }

  /** If several foods have exactly this name, the one written last. */
  findByName(name: string): Food | undefined {
    return this.#byName.size === 0 ? undefined : latestOf(this.#byName.get(nameKey(name)));
  }

  /** The id of the first food with the name and values of another one; aliases do not count. */
  firstLike(food: Food): FoodId | undefined {
    const content = contentOf(food);
    return [...(this.#byName.get(nameKey(food.name))?.values() ?? [])]
      .toSorted((a, b) => a.revision - b.revision)
      .find((other) => other.food.id !== food.id && isDeepStrictEqual(contentOf(other.food), content))?.food
      .id;
  }

  /** The best `limit` foods, best first. If the text is a barcode, the food with that barcode comes first. */
  search(query: string, limit: number, options?: SearchOptions): FoodHit[] {
    if (this.#byId.size === 0) return [];
    const hits = this.#index?.search(query, limit, options) ?? [];
    const barcode = typedBarcode(query);
    const match = barcode === undefined ? undefined : findAmong([this], barcode);
    if (match === undefined || !('food' in match)) return hits;
    const { food } = match;
    const rest = hits.filter((hit) => hit.food.id !== food.id);
    return [{ food, score: Number.POSITIVE_INFINITY }, ...rest].slice(0, limit);
  }

  #forget(id: FoodId): void {
    const food = this.#byId.get(id)?.food;
    if (food === undefined) return;
    this.#byId.delete(id);
    if (food.gtin !== undefined) {
      removeFrom(this.#byGtin, food.gtin, id);
      for (const item of itemKeysOf(food.gtin)) removeFrom(this.#byItem, item, id);
    }
    removeFrom(this.#byName, nameKey(food.name), id);
  }
}

/** The foods of an owner without foods. */
export const NO_FOODS = new CustomFoods();

/** Case, accents and spaces do not matter. */
function nameKey(name: string): string {
  return fold(name).replace(/\s+/gu, ' ').trim();
}

function contentOf({ brand, barcode, basis, per100, unknown, servings, userId }: Food) {
  return { brand, barcode, basis, per100, unknown, servings, userId };
}

function latestOf(same: ReadonlyMap<FoodId, Written> | undefined): Food | undefined {
  let latest: Written | undefined;
  for (const written of same?.values() ?? []) {
    if (written.revision > (latest?.revision ?? -1)) latest = written;
  }
  return latest?.food;
}

function addTo<Key>(foods: SameFoods<Key>, key: Key, written: Written): void {
  const same = foods.get(key) ?? new Map<FoodId, Written>();
  foods.set(key, same.set(written.food.id, written));
}

function removeFrom<Key>(foods: SameFoods<Key>, key: Key, id: FoodId): void {
  const same = foods.get(key)!;
  same.delete(id);
  if (same.size === 0) foods.delete(key);
}
