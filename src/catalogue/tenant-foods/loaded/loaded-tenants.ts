import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BackgroundWork } from '../../../background-work.ts';
import type { FoodViewer } from '../food-owner.ts';
import type { TenantFoodStore } from '../tenant-food-store.ts';
import { EVERY_TENANT, type TenantFoodChange } from '../tenant-food-store.ts';
import { LoadedTenant } from './loaded-tenant.ts';

export interface LoadedTenantsPorts {
  readonly store: Pick<TenantFoodStore, 'list'>;
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
  readonly #tenants = new Map<string, LoadedTenant>();
  /** Counts what tenants ask, so that it is known which asked longest ago: cheaper than keeping them in that order. */
  #asked = 0;
  /** Still to be read, the next one first. */
  readonly #toRead = new Set<LoadedTenant>();
  #isReading = false;

  constructor(ports: LoadedTenantsPorts) {
    this.#ports = ports;
  }

  /** Whether all foods of the tenant that the viewer sees are in memory and can be searched. */
  isReady({ tenant, userId }: FoodViewer): boolean {
    return this.#tenants.get(tenant)?.isReady(userId) ?? false;
  }

  /** Reads the tenant's foods, and indexes those that the viewer sees, where that is still to be done. */
  async whenReady(viewer: FoodViewer): Promise<void> {
    const { tenant, userId } = viewer;
    const loaded = this.#tenants.get(tenant) ?? new LoadedTenant({ ...this.#ports, tenant });
    this.#tenants.set(tenant, loaded);
    loaded.askedAt = ++this.#asked;
    if (!loaded.foods.isWhole) {
      const whole = loaded.whenWhole();
      this.#toRead.add(loaded);
      this.#read();
      await whole;
    }
    await loaded.index(userId);
    this.#forgetOldest();
    // Others may have been read meanwhile, for which this one was forgotten.
    if (this.#tenants.get(tenant) !== loaded) await this.whenReady(viewer);
  }

  /** Undefined where the tenant has not asked yet, or was forgotten. */
  find(tenant: string): LoadedTenant | undefined {
    const loaded = this.#tenants.get(tenant);
    if (loaded !== undefined) loaded.askedAt = ++this.#asked;
    return loaded;
  }

  apply(changes: readonly TenantFoodChange[]): void {
    for (const [tenant, ofTenant] of Map.groupBy(changes, (change) => change.tenant)) {
      this.#tenants.get(tenant)?.apply(ofTenant);
    }
    if (changes.length > 0) this.#forgetOldest();
  }

  clear(): void {
    this.#tenants.clear();
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
    if (bytes <= this.#ports.maxBytes) return;
    for (const [tenant, loaded] of [...this.#tenants].sort(([, a], [, b]) => a.askedAt - b.askedAt)) {
      // The last one may be asking right now, and those of all tenants are asked by everyone.
      if (bytes <= this.#ports.maxBytes || this.#tenants.size <= 2) return;
      if (tenant === EVERY_TENANT) continue;
      this.#tenants.delete(tenant);
      bytes -= loaded.bytes;
    }
  }
}
