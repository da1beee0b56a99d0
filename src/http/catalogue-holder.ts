import type { FoodFinder } from '../catalogue/food-finder.ts';
import { AppError } from '../errors.ts';

/** The catalogue that this thread answers from, swapped whole between two requests. */
export class CatalogueHolder {
  #current: FoodFinder | undefined;

  use(catalogue: FoodFinder): void {
    this.#current = catalogue;
  }

  get(): FoodFinder {
    if (this.#current === undefined) {
      throw new AppError({
        code: 'unavailable',
        message: 'The catalogue is being loaded; try again in a moment.',
      });
    }
    return this.#current;
  }
}
