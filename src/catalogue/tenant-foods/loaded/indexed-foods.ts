import type { BackgroundWork } from '../../../background-work.ts';
import { andThen, type MaybePromise } from '../../../maybe-promise.ts';
import { TenantFoods } from './tenant-food-index.ts';

export interface IndexedFoodsPorts {
  readonly work: BackgroundWork;
  readonly onError: (cause: unknown) => void;
}

/** Foods in memory, and the work of indexing them between requests. */
export class IndexedFoods {
  readonly foods = new TenantFoods();
  readonly #ports: IndexedFoodsPorts;
  #indexing: Promise<void> | undefined;
  #isMerging = false;

  constructor(ports: IndexedFoodsPorts) {
    this.#ports = ports;
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
