import type { Logger } from 'pino';
import type { ActiveCatalogueWatch } from '../catalogue/compile/catalogue-store-types.ts';
import { Catalogue } from '../catalogue/file/catalogue.ts';
import type { CatalogueInfo } from '../catalogue/file/catalogue-info.ts';
import type { CatalogueSource } from '../catalogue/published/catalogue-source.ts';
import { AppError, OperatorError } from '../errors.ts';

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

export interface FollowedCatalogueParts {
  readonly catalogues: CatalogueSource;
  /** Reads and checks a catalogue file; throws an `OperatorError` for one that cannot be used. */
  readonly loadImage: (file: string) => Promise<SharedArrayBuffer>;
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly onLoaded: (name: string, info: CatalogueInfo) => void;
  readonly onRefused: () => void;
}

/** The catalogue that is in use on a catalogue store, and each later one; where one is damaged the one before stays. */
export class FollowedCatalogue {
  readonly #parts: FollowedCatalogueParts;
  #current: Catalogue;
  #watch: ActiveCatalogueWatch | undefined;
  /** Name of the one to load next; only the newest matters. */
  #wanted: string | undefined;
  #loading: Promise<void> = Promise.resolve();
  /** Why the newest one was refused. */
  #refusal: string | undefined;

  /** Throws an `OperatorError` where there is none that could be used. */
  static async open(parts: FollowedCatalogueParts): Promise<FollowedCatalogue> {
    const name = await parts.catalogues.current();
    if (name === undefined) throw new OperatorError('There is no catalogue yet; import one first.');
    const followed = new FollowedCatalogue(parts, await load(parts, name));
    followed.#watch = parts.catalogues.watch(name, (next) => followed.#follow(next));
    return followed;
  }

  private constructor(parts: FollowedCatalogueParts, first: Catalogue) {
    this.#parts = parts;
    this.#current = first;
  }

  get(): Catalogue {
    return this.#current;
  }

  async close(): Promise<void> {
    this.#watch?.close();
    this.#wanted = undefined;
    await this.#loading;
  }

  #follow(name: string): Promise<string | undefined> {
    this.#wanted = name;
    const taken = this.#loading.then(() => this.#loadWanted(name));
    this.#loading = taken.then(() => {});
    return taken;
  }

  async #loadWanted(name: string): Promise<string | undefined> {
    if (this.#wanted !== name) return 'it is not wanted any more';
    this.#wanted = undefined;
    const { log, onRefused } = this.#parts;
    try {
      this.#current = await load(this.#parts, name);
      this.#refusal = undefined;
      log.info({ catalogue: name }, 'answering from another catalogue');
      return undefined;
    } catch (err) {
      const refusal = (err as Error).message;
      // It is tried again, and told once.
      if (refusal !== this.#refusal) {
        log.error({ err, catalogue: name }, 'a catalogue was refused, the one before stays in use');
        onRefused();
      }
      this.#refusal = refusal;
      return refusal;
    }
  }
}

async function load(parts: FollowedCatalogueParts, name: string): Promise<Catalogue> {
  const { catalogues, loadImage, onLoaded } = parts;
  const catalogue = Catalogue.open(await loadImage(catalogues.pathOf(name)));
  onLoaded(name, catalogue.info);
  return catalogue;
}
