import type { Food } from '@larder/core/food.ts';
import type { LanguageBits } from '@larder/core/name-languages.ts';
import type { SearchHit } from '@larder/search/match/top-hits.ts';
import type { FoodFinder, SearchOptions } from './food-finder.ts';
import type { FoodNames, NamedFood, NameMatch, QueryWord } from './food-names.ts';
import { keyOf } from './names/name-look-up.ts';

/** The look-ups of foods that reading texts needs. */
export type FoodsToRead = Pick<FoodFinder, 'names' | 'findCustomFood' | 'search'>;

/** Maximum kept results of each kind; few texts need as many. */
const MAX_KEPT = 500;

/** Caches the look-ups of one text or list, so that repeated words cost nothing. */
export class RememberingFinder implements FoodsToRead {
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

  search(query: string, limit: number, options?: SearchOptions): readonly Food[] {
    return kept(this.#found, `${limit} ${query}`, () => this.#finder.search(query, limit, options));
  }
}

class RememberingNames implements FoodNames {
  readonly languages: LanguageBits;
  readonly #names: FoodNames;
  readonly #hits = new Map<string, readonly SearchHit[]>();
  readonly #ofLanguages = new Map<LanguageBits, FoodNames>();
  readonly #foods = new Map<number, Food>();

  constructor(names: FoodNames) {
    this.#names = names;
    this.languages = names.languages;
  }

  inLanguages(languages: LanguageBits): FoodNames {
    return kept(this.#ofLanguages, languages, () => new RememberingNames(this.#names.inLanguages(languages)));
  }

  find(words: readonly QueryWord[], limit: number): readonly SearchHit[] {
    return kept(this.#hits, keyOf(words, limit), () => this.#names.find(words, limit));
  }

  foodAt(document: number): Food {
    return kept(this.#foods, document, () => this.#names.foodAt(document));
  }

  likenessOf(stem: string): number {
    return this.#names.likenessOf(stem);
  }

  weightOf(stem: string): number {
    return this.#names.weightOf(stem);
  }

  namesWith(stem: string): number {
    return this.#names.namesWith(stem);
  }

  begins(stem: string, next: string): boolean {
    return this.#names.begins(stem, next);
  }

  beginsWithAll(stems: readonly string[]): boolean {
    return this.#names.beginsWithAll(stems);
  }

  factsOf(document: number): number {
    return this.#names.factsOf(document);
  }

  matchOf(words: readonly QueryWord[], food: number | NamedFood): NameMatch | undefined {
    return this.#names.matchOf(words, food);
  }

  isFoodWord(stem: string): boolean {
    return this.#names.isFoodWord(stem);
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
