import { OutageError } from '../../errors.ts';
import type { FoodFinder } from '../food-finder.ts';
import { type CatalogueView, LiveFoodFinder } from './live-food-finder.ts';
import type { LiveFoods } from './live-foods.ts';

/** All foods that a tenant sees: those of the current catalogue, and live foods. */
export class FoodDirectory {
  readonly #live: LiveFoods;
  readonly #catalogue: () => CatalogueView;

  /** `catalogue` answers with the one in use; throws `unavailable` while there is none. */
  constructor({ live, catalogue }: { live: LiveFoods; catalogue: () => CatalogueView }) {
    this.#live = live;
    this.#catalogue = catalogue;
  }

  /**
   * A finder that knows every write acknowledged before this call; at once where it is up to date already. While the
   * store is away it knows the writes that were read before.
   */
  of(tenant: string): FoodFinder | Promise<FoodFinder> {
    if (this.#live.isCurrent) return this.#finder(tenant);
    return this.#live.catchUp().then(
      () => this.#finder(tenant),
      (error) => {
        if (error instanceof OutageError) return this.#finder(tenant);
        throw error;
      },
    );
  }

  #finder(tenant: string): FoodFinder {
    const catalogue = this.#catalogue();
    const { own, shared } = this.#live.of(tenant);
    return own.size + shared.size === 0 ? catalogue : new LiveFoodFinder({ own, shared, catalogue });
  }
}
