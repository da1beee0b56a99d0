import type { Food } from '@larder/core/food.ts';
import type { FoodFinder, SearchOptions } from './food-finder.ts';
import type { FoodNames } from './food-names.ts';

/** The look-ups of foods that reading texts needs. */
export type FoodsToRead = Pick<FoodFinder, 'names' | 'findCustomFood' | 'search'> &
  Partial<Pick<FoodFinder, 'findById'>>;

/** Maximum searches in memory; few texts need as many. */
const MAX_KEPT = 500;

/** Remembers the searches of one text or list, so that repeated words cost nothing. */
export class CachingFinder implements FoodsToRead {
  readonly names: FoodNames;
  readonly #finder: FoodsToRead;
  readonly #found = new Map<string, readonly Food[]>();

  constructor(finder: FoodsToRead) {
    this.#finder = finder;
    this.names = finder.names;
  }

  findCustomFood(name: string): Food | undefined {
    return this.#finder.findCustomFood?.(name);
  }

  findById(id: string): Food | undefined {
    return this.#finder.findById?.(id);
  }

  search(query: string, limit: number, options?: SearchOptions): readonly Food[] {
    const key = `${limit} ${query}`;
    let found = this.#found.get(key);
    if (found === undefined) {
      found = this.#finder.search(query, limit, options);
      if (this.#found.size < MAX_KEPT) this.#found.set(key, found);
    }
    return found;
  }
}
