import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BackgroundWork } from '../../background-work.ts';
import { EVERY_TENANT, type LiveFoodChange } from './live-food.ts';
import type { LiveFoodStore } from './live-food-store.ts';
import { LoadedTenant } from './loaded-tenant.ts';
import type { TenantFoods } from './tenant-foods.ts';

export interface LoadedTenantsPorts {
  readonly store: Pick<LiveFoodStore, 'list'>;
  readonly work: BackgroundWork;
  readonly maxBytes: number;
  readonly onError: (cause: unknown) => void;
}

/**
 * The tenants whose foods one thread has in memory, or is reading. Reading goes on by itself, a page of one tenant after a
 * page of the next, so that one with many foods keeps none with few waiting, and no more than one query at a time. Tenants
 * that asked longest ago are forgotten where memory runs out.
 */
export class LoadedTenants {
  readonly #ports: LoadedTenantsPorts;
  /** In the order in which they last asked. */
  readonly #tenants = new Map<string, LoadedTenant>();
  /** Still to be read, the next one first. */
  readonly #toRead = new Set<LoadedTenant>();
  #isReading = false;

  constructor(ports: LoadedTenantsPorts) {
    this.#ports = ports;
  }

  /** Whether all of the tenant's foods are in memory and can be searched. */
  isReady(tenant: string): boolean {
    return this.#tenants.get(tenant)?.isReady ?? false;
  }

  /** Reads and indexes the tenant's foods, where that is still to be done. */
  async whenReady(tenant: string): Promise<void> {
    const loaded = this.#tenants.get(tenant) ?? new LoadedTenant({ ...this.#ports, tenant });
    this.#touch(tenant, loaded);
    if (!loaded.foods.isWhole) {
      const whole = loaded.whenWhole();
      this.#toRead.add(loaded);
      this.#read();
      await whole;
    }
    await loaded.index();
    this.#forgetOldest();
    // Others may have been read meanwhile, for which this one was forgotten.
    if (this.#tenants.get(tenant) !== loaded) await this.whenReady(tenant);
  }

  /** Undefined where the tenant has not asked yet, or was forgotten. */
  find(tenant: string): TenantFoods | undefined {
    const loaded = this.#tenants.get(tenant);
    if (loaded === undefined) return undefined;
    this.#touch(tenant, loaded);
    return loaded.foods;
  }

  apply(changes: readonly LiveFoodChange[]): void {
    for (const [tenant, ofTenant] of Map.groupBy(changes, (change) => change.tenant)) {
      this.#tenants.get(tenant)?.foods.apply(ofTenant);
    }
    if (changes.length > 0) this.#forgetOldest();
  }

  clear(): void {
    this.#tenants.clear();
  }

  #touch(tenant: string, loaded: LoadedTenant): void {
    this.#tenants.delete(tenant);
    this.#tenants.set(tenant, loaded);
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
    for (const { foods } of this.#tenants.values()) bytes += foods.bytes;
    for (const [tenant, { foods }] of this.#tenants) {
      // The last one may be asking right now, and those of all tenants are asked by everyone.
      if (bytes <= this.#ports.maxBytes || this.#tenants.size <= 2) return;
      if (tenant === EVERY_TENANT) continue;
      this.#tenants.delete(tenant);
      bytes -= foods.bytes;
    }
  }
}
