import type { Catalogue } from '../catalogue/file/catalogue.ts';
import { AppError } from '../errors.ts';

/** The catalogue that this thread answers from, swapped whole between two requests. */
export class CatalogueHolder {
  #current: Catalogue | undefined;

  use(catalogue: Catalogue): void {
    this.#current = catalogue;
  }

  get(): Catalogue {
    if (this.#current === undefined) {
      throw new AppError({
        code: 'unavailable',
        message: 'The catalogue is being loaded; try again in a moment.',
      });
    }
    return this.#current;
  }
}
