import type { Gtin } from '../../barcode/gtin.ts';
import type { Food, FoodId } from '../food.ts';
import type { ScoredFood, SearchOptions } from '../food-finder.ts';
import { typedBarcode } from '../typed-barcode.ts';
import type { LiveFoodChange } from './live-food.ts';
import { LiveIndex } from './live-index.ts';

/** The live foods of one tenant, in memory. */
export class TenantFoods {
  readonly #byId = new Map<FoodId, Food>();
  /** Of several foods with one GTIN the one written last answers. */
  readonly #byGtin = new Map<Gtin, Map<FoodId, Food>>();
  readonly #index = new LiveIndex();

  get size(): number {
    return this.#byId.size;
  }

  /** Applies writes in their order. */
  apply(changes: readonly LiveFoodChange[]): void {
    for (const { id, food } of changes) {
      this.#forget(id);
      if (food !== undefined) this.#remember(food);
    }
    this.#index.apply(changes);
  }

  findById(id: string): Food | undefined {
    return this.#byId.get(id as FoodId);
  }

  findByGtin(gtin: Gtin): Food | undefined {
    return [...(this.#byGtin.get(gtin)?.values() ?? [])].at(-1);
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

  #remember(food: Food): void {
    this.#byId.set(food.id, food);
    if (food.gtin === undefined) return;
    const same = this.#byGtin.get(food.gtin) ?? new Map<FoodId, Food>();
    this.#byGtin.set(food.gtin, same.set(food.id, food));
  }

  #forget(id: FoodId): void {
    const food = this.#byId.get(id);
    if (food === undefined) return;
    this.#byId.delete(id);
    if (food.gtin === undefined) return;
    const same = this.#byGtin.get(food.gtin)!;
    same.delete(id);
    if (same.size === 0) this.#byGtin.delete(food.gtin);
  }
}
