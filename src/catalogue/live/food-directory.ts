import { OutageError } from '../../errors.ts';
import type { FoodFinder } from '../food-finder.ts';
import { type CatalogueView, LiveFoodFinder } from './live-food-finder.ts';
import type { LiveFoods } from './live-foods.ts';

/** The foods that a tenant sees, whole: the catalogue of this moment and what was written since. */
export class FoodDirectory {
  readonly #live: LiveFoods;
  readonly #catalogue: () => CatalogueView;

  /** `catalogue` answers with the one in use; throws `unavailable` while there is none. */
  constructor({ live, catalogue }: { live: LiveFoods; catalogue: () => CatalogueView }) {
    this.#live = live;
    this.#catalogue = catalogue;
  }

  /**
   * A finder that knows every write that was acknowledged before this call; at once where none is missing. While the
   * store is away it knows what was known before.
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
