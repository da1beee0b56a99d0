import type { Food } from '@larder/core/food.ts';
import type { FoodFinder, SearchOptions } from './food-finder.ts';
import type { FoodNames } from './food-names.ts';

/** The look-ups of foods that reading texts needs. */
export type FoodsToRead = Pick<FoodFinder, 'names' | 'findCustomFood' | 'search'>;

/** Maximum kept results; few texts need as many. */
const MAX_KEPT = 500;

/** Keeps what was searched for one text or list. Names need no such memory: their index keeps its last look-ups. */
export class RememberingFinder implements FoodsToRead {
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

  search(query: string, limit: number, options?: SearchOptions): readonly Food[] {
    const key = `${limit} ${query}`;
    let foods = this.#found.get(key);
    if (foods === undefined) {
      foods = this.#finder.search(query, limit, options);
      if (this.#found.size < MAX_KEPT) this.#found.set(key, foods);
    }
    return foods;
  }
}
