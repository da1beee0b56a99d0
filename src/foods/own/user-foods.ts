import type { Food, FoodId } from '@larder/core/food.ts';
import { LRUCache } from 'lru-cache';
import { andThen, type MaybePromise } from '../../maybe-promise.ts';
import {
  FOOD_BYTES,
  IndexedFoods,
  type IndexedFoodsPorts,
  NO_FOODS,
  type TenantFoods,
} from './tenant-food-index.ts';
import type { TenantFoodChange } from './tenant-food-store.ts';

/** Users of a tenant whose foods are indexed at one time on each thread, and what their indexes may take together, roughly. */
export const MAX_INDEXED_USERS = 1_000;
const MAX_INDEXED_BYTES = 64 * 2 ** 20;

type Change = Pick<TenantFoodChange, 'id' | 'food' | 'revision'>;
type Written = Change & { readonly food: Food };

/**
 * The foods that belong to single users of a tenant, in memory. They are kept apart, since one index for several users would
 * let each learn from its answers what others entered. A user's foods are indexed when that user asks, and those of the users
 * who asked last stay so: an index takes far more memory than a few foods.
 */
export class UserFoods {
  readonly #ports: IndexedFoodsPorts;
  readonly #foods = new Map<string, Map<FoodId, Written>>();
  readonly #owners = new Map<FoodId, string>();
  readonly #indexed = new LRUCache<string, IndexedFoods>({
    max: MAX_INDEXED_USERS,
    maxSize: MAX_INDEXED_BYTES,
    sizeCalculation: ({ foods }) => foods.bytes,
  });
  /** Revisions of all that was applied, until `becomeWhole`. */
  #applied: Map<FoodId, number> | undefined = new Map();

  constructor(ports: IndexedFoodsPorts) {
    this.#ports = ports;
  }

  /** What all of this takes in memory, roughly. */
  get bytes(): number {
    return this.#owners.size * FOOD_BYTES + this.#indexed.calculatedSize;
  }

  /** Applies writes to any foods of the tenant, also to those that all users see. As `TenantFoods.apply` does. */
  apply(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.revision <= (this.#applied?.get(change.id) ?? 0)) continue;
      this.#applied?.set(change.id, change.revision);
      this.#apply(change);
    }
  }

  /** From here on writes come in their order. */
  becomeWhole(): void {
    this.#applied = undefined;
  }

  /** Done when it does. */
  index(userId: string): MaybePromise<void> {
    const foods = this.#foods.get(userId);
    if (foods === undefined) return;
    const known = this.#indexed.get(userId);
    const indexed = known ?? new IndexedFoods(this.#ports);
    if (known === undefined) {
      indexed.foods.apply([...foods.values()]);
      indexed.foods.becomeWhole();
      this.#indexed.set(userId, indexed);
    }
    return andThen(indexed.index(), () => {
      // Only now is its size known.
      if (this.#indexed.peek(userId) === indexed) this.#indexed.set(userId, indexed);
    });
  }

  /** The foods of a user, as far as they are indexed; undefined before that has begun. */
  of(userId: string): TenantFoods | undefined {
    return this.#foods.has(userId) ? this.#indexed.get(userId)?.foods : NO_FOODS;
  }

  #apply(change: Change): void {
    const { id, food } = change;
    const owner = food?.userId;
    const before = this.#owners.get(id);
    if (before !== undefined && before !== owner) this.#take(id, before, change.revision);
    if (food === undefined || owner === undefined) return;
    this.#owners.set(id, owner);
    const own = this.#foods.get(owner) ?? new Map<FoodId, Written>();
    this.#foods.set(owner, own.set(id, { ...change, food }));
    this.#indexed.peek(owner)?.foods.apply([change]);
  }

  #take(id: FoodId, owner: string, revision: number): void {
    this.#owners.delete(id);
    const left = this.#foods.get(owner)!;
    left.delete(id);
    this.#indexed.peek(owner)?.foods.apply([{ id, revision }]);
    if (left.size > 0) return;
    this.#foods.delete(owner);
    this.#indexed.delete(owner);
  }
}
