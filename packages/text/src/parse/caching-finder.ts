import type { Food } from '@larder/core/food.ts';
import type { LanguageBits } from '@larder/core/name-languages.ts';
import type { SearchHit } from '@larder/search/match/top-hits.ts';
import type { FoodFinder, SearchOptions } from './food-finder.ts';
import type { FoodNames, QueryWord } from './food-names.ts';
import { DelegatingNames } from './names/delegating-names.ts';
import { keyOf } from './names/name-look-up.ts';

/** The look-ups of foods that reading texts needs. */
export type FoodsToRead = Pick<FoodFinder, 'names' | 'findCustomFood' | 'search'> &
  Partial<Pick<FoodFinder, 'findById'>>;

/** Maximum kept results of each kind; few texts need as many. */
const MAX_KEPT = 500;

/** Caches the look-ups of one text or list, so that repeated words cost nothing. */
export class CachingFinder implements FoodsToRead {
  readonly names: FoodNames;
  readonly #finder: FoodsToRead;
  readonly #found = new Map<string, readonly Food[]>();

  constructor(finder: FoodsToRead) {
    this.#finder = finder;
    this.names = new RememberingNames(finder.names);
  }

  findCustomFood(name: string): Food | undefined {
    return this.#finder.findCustomFood?.(name);
  }

  findById(id: string): Food | undefined {
    return this.#finder.findById?.(id);
  }

  search(query: string, limit: number, options?: SearchOptions): readonly Food[] {
    return kept(this.#found, `${limit} ${query}`, () => this.#finder.search(query, limit, options));
  }
}

class RememberingNames extends DelegatingNames {
  readonly #hits = new Map<string, readonly SearchHit[]>();
  readonly #ofLanguages = new Map<LanguageBits, FoodNames>();
  readonly #foods = new Map<number, Food>();

  override inLanguages(languages: LanguageBits): FoodNames {
    return kept(this.#ofLanguages, languages, () => new RememberingNames(this.names.inLanguages(languages)));
  }

  override find(words: readonly QueryWord[], limit: number): readonly SearchHit[] {
    return kept(this.#hits, keyOf(words, limit), () => this.names.find(words, limit));
  }

  override foodAt(document: number): Food {
    return kept(this.#foods, document, () => this.names.foodAt(document));
  }
}

function kept<Key, Value>(values: Map<Key, Value>, key: Key, find: () => Value): Value {
  let value = values.get(key);
  if (value === undefined) {
    value = find();
    if (values.size < MAX_KEPT) values.set(key, value);
  }
  return value;
}
