import type { MaybePromise } from '../../../maybe-promise.ts';
import type { TenantFoodChange, TenantFoodStore } from '../tenant-food-store.ts';
import { IndexedFoods, type IndexedFoodsPorts } from './indexed-foods.ts';
import type { TenantFoods } from './tenant-food-index.ts';
import { UserFoods } from './user-foods.ts';

/** Foods that are read at a time: so few that reading them takes a thread a few milliseconds, however long they are. */
const PAGE_SIZE = 100;

export interface LoadedTenantPorts extends IndexedFoodsPorts {
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

  /** Whether what the user sees is in memory and can be searched. */
  isReady(userId: string | undefined): boolean {
    return (
      this.foods.isWhole && this.foods.isIndexed && (userId === undefined || this.users.isIndexed(userId))
    );
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
