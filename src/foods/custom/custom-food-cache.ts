import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Food } from '@larder/core/food.ts';
import { EVERY_TENANT } from './custom-food-store.ts';
import { type CustomFoods, NO_FOODS } from './custom-foods.ts';
import type { FoodViewer } from './food-owner.ts';
import { LoadedTenant, type LoadedTenantOptions } from './loaded-tenant.ts';

export interface SeenCustomFoods {
  /** Whether the foods include every write that this process knows of, and are searchable. */
  readonly isReady: boolean;
  /** The user's own foods. */
  readonly ofUser: CustomFoods;
  /** Foods that all users of the tenant share. */
  readonly ofTenant: CustomFoods;
  /** Foods from external services, which all tenants see. */
  readonly external: CustomFoods;
}

export interface CustomFoodCacheOptions extends Omit<LoadedTenantOptions, 'tenant'> {
  /** Approximate memory for the foods of all tenants together; those of the tenants of one request may take more. */
  readonly maxBytes: number;
}

/**
 * Custom foods in the memory of one API thread. Those of a tenant are read at its first request, and kept
 * current by following the tenant's change log.
 *
 *     write ──▶ logged and committed ──▶ hint raised ──▶ every thread sees that it is behind
 *                                                        and reads the changes before it answers
 *
 * Reads alternate between tenants, a page of each, so that one with many foods does not delay one with few, and at most one query
 * runs at a time. Tenants with the oldest requests are evicted if memory runs out.
 */
export class CustomFoodCache {
  readonly #options: CustomFoodCacheOptions;
  readonly #tenants = new Map<string, LoadedTenant>();
  /** Numbers requests, to know which tenants asked longest ago: cheaper than keeping them in order. */
  #asked = 0;
  /** Tenants still to be read, the next one first. */
  readonly #toRead = new Set<LoadedTenant>();
  #isReading = false;

  constructor(options: CustomFoodCacheOptions) {
    this.#options = options;
  }

  /** When the promise resolves, every write that was acknowledged before the call is in memory and searchable. */
  async whenReady(viewer: FoodViewer): Promise<void> {
    await Promise.all([this.#whenLoaded(EVERYBODY), this.#whenLoaded(viewer)]);
  }

  /** Reads newer writes to custom foods in memory, of any process. */
  async follow(): Promise<void> {
    const latest = await this.#options.store.latestRevisions([...this.#tenants.keys()]);
    const behind = [...this.#tenants].filter(
      ([tenant, { revision }]) => revision !== undefined && revision !== (latest.get(tenant) ?? 0),
    );
    await Promise.all(behind.map(([tenant, loaded]) => this.#follow(tenant, loaded)));
    if (behind.length > 0) this.#forgetOldest();
  }

  /** The foods that the viewer sees, if they are in memory. */
  of({ tenant, userId }: FoodViewer): SeenCustomFoods {
    const ofTenant = this.#find(tenant);
    const ofAll = this.#find(EVERY_TENANT);
    return {
      isReady: ofTenant?.isReadyFor(userId) === true && ofAll?.isReadyFor(undefined) === true,
      ofUser: ofTenant?.ofUser(userId) ?? NO_FOODS,
      ofTenant: ofTenant?.foods ?? NO_FOODS,
      external: ofAll?.foods ?? NO_FOODS,
    };
  }

  /** Finds a food of the viewer's `sharers` in memory. */
  findOfSharers({ tenant, sharers = [] }: FoodViewer, id: string): Food | undefined {
    const ofTenant = this.#find(tenant);
    for (const userId of sharers) {
      const food = ofTenant?.ofUser(userId).findById(id);
      if (food !== undefined) return food;
    }
    return undefined;
  }

  /** Reads the tenant's foods, and indexes those that the viewer sees, if that has not been done. */
  async #whenLoaded(viewer: FoodViewer): Promise<void> {
    const { tenant, userId } = viewer;
    const loaded = this.#tenants.get(tenant) ?? new LoadedTenant({ ...this.#options, tenant });
    this.#tenants.set(tenant, loaded);
    loaded.askedAt = ++this.#asked;
    if (!loaded.isCurrent) await this.#follow(tenant, loaded);
    if (!loaded.isWhole) {
      const whole = loaded.whenWhole();
      this.#toRead.add(loaded);
      this.#read();
      await whole;
    }
    await loaded.whenIndexed(userId);
    this.#forgetOldest();
    // This tenant may have been evicted while others were read.
    if (this.#tenants.get(tenant) !== loaded) await this.#whenLoaded(viewer);
  }

  /** Undefined if the tenant has not asked yet, or was evicted. */
  #find(tenant: string): LoadedTenant | undefined {
    const loaded = this.#tenants.get(tenant);
    if (loaded !== undefined) loaded.askedAt = ++this.#asked;
    return loaded;
  }

  async #follow(tenant: string, loaded: LoadedTenant): Promise<void> {
    const isFollowed = await loaded.follow();
    if (!isFollowed && this.#tenants.get(tenant) === loaded) this.#tenants.delete(tenant);
  }

  #read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    void this.#readAll();
  }

  /** Never rejects. */
  async #readAll(): Promise<void> {
    for (;;) {
      const [next] = this.#toRead;
      if (next === undefined) break;
      await next.readPage();
      this.#toRead.delete(next);
      if (next.isToRead) this.#toRead.add(next);
      await nextTurn();
    }
    this.#isReading = false;
  }

  #forgetOldest(): void {
    let bytes = 0;
    for (const loaded of this.#tenants.values()) bytes += loaded.bytes;
    if (bytes <= this.#options.maxBytes) return;
    for (const [tenant, loaded] of [...this.#tenants].sort(([, a], [, b]) => a.askedAt - b.askedAt)) {
      // The latest tenant may be asking now, and shared foods are used by all tenants.
      if (bytes <= this.#options.maxBytes || this.#tenants.size <= 2) return;
      if (tenant === EVERY_TENANT) continue;
      this.#tenants.delete(tenant);
      bytes -= loaded.bytes;
    }
  }
}

const EVERYBODY: FoodViewer = { tenant: EVERY_TENANT };
