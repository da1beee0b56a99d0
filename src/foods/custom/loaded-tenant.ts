import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Food, FoodId } from '@larder/core/food.ts';
import { LRUCache } from 'lru-cache';
import { type ChangeHints, slotOf } from '../../db/change-hints.ts';
import type { IndexPorts } from './custom-food-index.ts';
import type { CustomFoodChange, CustomFoodStore } from './custom-food-store.ts';
import { CustomFoods, NO_FOODS } from './custom-foods.ts';

/** Foods that are read at a time: so few that reading them takes a few milliseconds, however long they are. */
const PAGE_SIZE = 100;
/** Approximate bytes of a tenant without foods, and of a food without its texts, on the heap. */
const TENANT_BYTES = 2_000;
const FOOD_BYTES = 2_000;
/** Maximum users of a tenant with indexed foods on each thread, and maximum memory of their indexes. */
export const MAX_INDEXED_USERS = 1_000;
const MAX_INDEXED_BYTES = 64 * 2 ** 20;

export interface LoadedTenantOptions extends IndexPorts {
  readonly tenant: string;
  readonly store: Pick<CustomFoodStore, 'changesAfter' | 'latestRevisions' | 'list'>;
  readonly hints: ChangeHints;
}

/**
 * The foods of one tenant in one thread. Those of each user are separate, because a common index would reveal
 * through its results what other users entered. A user's foods are indexed at that user's request, and those
 * of the latest users remain indexed: an index takes far more memory than a few foods.
 */
export class LoadedTenant {
  /** The foods that all users see. */
  readonly foods = new CustomFoods();
  /** A counter that is higher than that of every tenant with an older request; set by `CustomFoodCache`. */
  askedAt = 0;
  readonly #options: LoadedTenantOptions;
  /** Slot of the hints of the tenant's log. */
  readonly #slot: number;
  /** All changes up to this number have been applied; undefined before the first read. */
  #revision: number | undefined;
  /** Hint of the log before these changes were read. */
  #hint: number | undefined;
  #following: Promise<boolean> | undefined;
  readonly #ofUsers = new Map<string, CustomFoods>();
  readonly #indexed = new LRUCache<CustomFoods, CustomFoods>({
    max: MAX_INDEXED_USERS,
    maxSize: MAX_INDEXED_BYTES,
    sizeCalculation: ({ indexBytes }) => indexBytes + 1,
    dispose: (foods) => foods.dropIndex(),
  });
  /** The latest write to each food; deletions are kept until all foods have been read. */
  readonly #written = new Map<FoodId, Omit<CustomFoodChange, 'id'>>();
  #isWhole = false;
  /** Id of the latest food that was read. */
  #readTo = '';
  #reading: PromiseWithResolvers<void> | undefined;

  constructor(options: LoadedTenantOptions) {
    this.#options = options;
    this.#slot = slotOf({ tenant: options.tenant, userId: '' });
    this.foods.openIndex();
  }

  get revision(): number | undefined {
    return this.#revision;
  }

  /** Whether every write that this process knows of has been read. */
  get isCurrent(): boolean {
    return this.#hint === this.#options.hints.ofSlot(this.#slot);
  }

  /**
   * Reads newer writes. When the promise resolves with true, every write that was acknowledged before the
   * call has been read. With false, the tenant must be read again: there were too many writes to follow, or a
   * failover lost the latest writes, whose revisions other writes get now. The latter is not noticed if as
   * many new writes arrive before this thread looks again.
   */
  async follow(): Promise<boolean> {
    // The running read may have begun before the write that this caller must see.
    await this.#following?.catch(() => {});
    this.#following ??= this.#readChanges().finally(() => {
      this.#following = undefined;
    });
    return this.#following;
  }

  async #readChanges(): Promise<boolean> {
    const { store, hints, tenant } = this.#options;
    const hint = hints.ofSlot(this.#slot);
    if (this.#revision === undefined) {
      this.#revision = (await store.latestRevisions([tenant])).get(tenant) ?? 0;
      this.#hint = hint;
      return true;
    }
    for (;;) {
      const page = await store.changesAfter(tenant, this.#revision, PAGE_SIZE);
      if (page === undefined) return false;
      this.apply(page);
      this.#revision = page.at(-1)?.revision ?? this.#revision;
      if (page.length < PAGE_SIZE) break;
      await nextTurn();
    }
    this.#hint = hint;
    return true;
  }

  /** Approximate memory. */
  get bytes(): number {
    const indexes = this.foods.indexBytes + this.#indexed.calculatedSize;
    return TENANT_BYTES + this.#written.size * FOOD_BYTES + indexes;
  }

  /** Whether all foods that existed at the beginning have been read. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Whether there is more to read, and a request waits for it. */
  get isToRead(): boolean {
    return this.#reading !== undefined;
  }

  /** Whether the user's foods and the shared ones are in memory and searchable. */
  isReadyFor(userId: string | undefined): boolean {
    return this.isCurrent && this.#isWhole && this.foods.isIndexed && this.ofUser(userId).isIndexed;
  }

  /** The foods of this user only. */
  ofUser(userId: string | undefined): CustomFoods {
    const foods = userId === undefined ? undefined : this.#ofUsers.get(userId);
    // Prevents the index from being dropped.
    if (foods !== undefined) this.#indexed.get(foods);
    return foods ?? NO_FOODS;
  }

  /** Resolves after `readPage` has read everything, and rejects with its error. */
  async whenWhole(): Promise<void> {
    if (this.#isWhole) return;
    this.#reading ??= Promise.withResolvers();
    return this.#reading.promise;
  }

  /** Reads the next foods. Never rejects; after a failure it continues at the next request. */
  async readPage(): Promise<void> {
    const { store, tenant } = this.#options;
    try {
      const page = await store.list(tenant, this.#readTo, PAGE_SIZE);
      this.apply(page.map(({ food, revision }) => ({ id: food.id, food, revision })));
      this.#readTo = page.at(-1)?.food.id ?? this.#readTo;
      if (page.length === PAGE_SIZE) return;
      this.#isWhole = true;
      for (const [id, { food }] of this.#written) if (food === undefined) this.#written.delete(id);
      this.#reading?.resolve();
    } catch (cause) {
      this.#reading?.reject(cause);
    }
    this.#reading = undefined;
  }

  /** Applies writes: the latest to a food counts. Before all foods are read the order is free, then by revision. */
  apply(changes: readonly CustomFoodChange[]): void {
    for (const { id, food, revision } of changes) {
      const before = this.#written.get(id);
      if (before !== undefined && revision <= before.revision) continue;
      const old = before?.food;
      if (old !== undefined && (food === undefined || food.userId !== old.userId)) this.#remove(old);
      if (food !== undefined) this.#foodsFor(food.userId).put(food, revision);
      if (food === undefined && this.#isWhole) this.#written.delete(id);
      else this.#written.set(id, { revision, ...(food !== undefined && { food }) });
    }
  }

  /** Resolves when search finds every food in memory that the user sees. */
  async whenIndexed(userId: string | undefined): Promise<void> {
    const ofUser = this.ofUser(userId);
    if (ofUser !== NO_FOODS) this.#indexed.set(ofUser, ofUser);
    await Promise.all([this.foods.whenIndexed(this.#options), ofUser.whenIndexed(this.#options)]);
    // The size is known once the index is built.
    if (this.#indexed.has(ofUser)) this.#indexed.set(ofUser, ofUser);
  }

  #foodsFor(userId: string | undefined): CustomFoods {
    if (userId === undefined) return this.foods;
    const foods = this.#ofUsers.get(userId) ?? new CustomFoods();
    this.#ofUsers.set(userId, foods);
    return foods;
  }

  #remove({ id, userId }: Food): void {
    const foods = this.#foodsFor(userId);
    foods.remove(id);
    if (userId === undefined || foods.size > 0) return;
    this.#ofUsers.delete(userId);
    this.#indexed.delete(foods);
  }
}
