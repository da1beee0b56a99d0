import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BackgroundWork } from '../../background-work.ts';
import type { MaybePromise } from '../../maybe-promise.ts';
import type { FoodViewer } from './food-owner.ts';
import { IndexedFoods, type IndexedFoodsPorts, type TenantFoods } from './tenant-food-index.ts';
import { EVERY_TENANT, type TenantFoodChange, type TenantFoodStore } from './tenant-food-store.ts';
import { UserFoods } from './user-foods.ts';

/** Foods that are read at a time: so few that reading them takes a thread a few milliseconds, however long they are. */
const PAGE_SIZE = 100;

interface LoadedTenantPorts extends IndexedFoodsPorts {
  readonly tenant: string;
  readonly store: Pick<TenantFoodStore, 'list'>;
}

/** The foods of one tenant in one thread: on their way into memory, then into the index. */
export class LoadedTenant {
  /** Those that all users see. */
  readonly foods: TenantFoods;
  readonly users: UserFoods;
  /** Higher than that of every tenant that asked before; kept by `LoadedTenants`. */
  askedAt = 0;
  readonly #shared: IndexedFoods;
  readonly #ports: LoadedTenantPorts;
  /** Id of the last food that was read. */
  #readTo = '';
  #reading: PromiseWithResolvers<void> | undefined;

  constructor(ports: LoadedTenantPorts) {
    this.#ports = ports;
    this.#shared = new IndexedFoods(ports);
    this.foods = this.#shared.foods;
    this.users = new UserFoods(ports);
  }

  /** What all of this takes in memory, roughly. */
  get bytes(): number {
    return this.foods.bytes + this.users.bytes;
  }

  /** Whether there is more to read, and somebody waits for it. */
  get isToRead(): boolean {
    return this.#reading !== undefined;
  }

  /** Resolves when all has been read by `readPage`, and rejects with what that met. */
  async whenWhole(): Promise<void> {
    if (this.foods.isWhole) return;
    this.#reading ??= Promise.withResolvers();
    return this.#reading.promise;
  }

  /** Reads the next foods. Never rejects; after a failure it is asked to go on by the next who needs them. */
  async readPage(): Promise<void> {
    const { store, tenant } = this.#ports;
    try {
      const page = await store.list(tenant, this.#readTo, PAGE_SIZE);
      this.apply(page.map(({ food, revision }) => ({ id: food.id, food, revision })));
      this.#readTo = page.at(-1)?.food.id ?? this.#readTo;
      if (page.length === PAGE_SIZE) return;
      this.foods.becomeWhole();
      this.users.becomeWhole();
      this.#reading?.resolve();
    } catch (cause) {
      this.#reading?.reject(cause);
    }
    this.#reading = undefined;
  }

  apply(changes: readonly Pick<TenantFoodChange, 'id' | 'food' | 'revision'>[]): void {
    this.foods.apply(
      // For all others the food of a user is as good as deleted.
      changes.map((change) =>
        change.food?.userId === undefined ? change : { id: change.id, revision: change.revision },
      ),
    );
    this.users.apply(changes);
  }

  /** Done when search finds every food that the user sees and that is in memory now. */
  index(userId: string | undefined): MaybePromise<void> {
    const shared = this.#shared.index();
    const own = userId === undefined ? undefined : this.users.index(userId);
    if (!(shared instanceof Promise)) return own;
    return Promise.all([shared, own]).then(() => {});
  }
}

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
