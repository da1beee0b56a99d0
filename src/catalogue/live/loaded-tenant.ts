import type { BackgroundWork } from '../../background-work.ts';
import { andThen, type MaybePromise } from '../../maybe-promise.ts';
import type { LiveFoodStore } from './live-food-store.ts';
import { TenantFoods } from './tenant-foods.ts';

/** Foods that are read at a time: so few that reading them takes a thread a few milliseconds, however long they are. */
const PAGE_SIZE = 100;

export interface LoadedTenantPorts {
  readonly tenant: string;
  readonly store: Pick<LiveFoodStore, 'list'>;
  readonly work: BackgroundWork;
  readonly onError: (cause: unknown) => void;
}

/** The foods of one tenant in one thread: on their way into memory, then into the index. */
export class LoadedTenant {
  readonly foods = new TenantFoods();
  readonly #ports: LoadedTenantPorts;
  /** Id of the last food that was read. */
  #readTo = '';
  #reading: PromiseWithResolvers<void> | undefined;
  #indexing: Promise<void> | undefined;
  #isMerging = false;

  constructor(ports: LoadedTenantPorts) {
    this.#ports = ports;
  }

  get isReady(): boolean {
    return this.foods.isWhole && this.foods.isIndexed;
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
      this.foods.apply(page.map(({ food, revision }) => ({ id: food.id, food, revision })));
      this.#readTo = page.at(-1)?.food.id ?? this.#readTo;
      if (page.length === PAGE_SIZE) return;
      this.foods.becomeWhole();
      this.#reading?.resolve();
    } catch (cause) {
      this.#reading?.reject(cause);
    }
    this.#reading = undefined;
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

  /** Nobody waits for it: searches are right before, between and after its steps. */
  #merge(): void {
    if (this.#isMerging) return;
    this.#isMerging = true;
    this.#ports.work
      .runLater(this.foods.merge())
      .catch(this.#ports.onError)
      .finally(() => {
        this.#isMerging = false;
      });
  }
}
