import type { Food } from '@larder/core/food.ts';
import type { SearchHit } from '@larder/search/match/top-hits.ts';

/** A word that is looked for in names. */
export interface QueryWord {
  readonly stem: string;
  /** Beside its rarity; 0 is ignored. */
  readonly weight: number;
  /** Whether it names the kind of food: "milk" in "low-fat chocolate milk". */
  readonly isHead?: boolean;
}

/** Foods without a brand by the words of their names: a few ten thousand beside millions of products. */
export interface FoodNames {
  /** How sure it is that a word of names is meant: 1 as written, less for other forms and typos, 0 for none. */
  likenessOf(stem: string): number;
  /** Logarithm of the word's rarity, from 1 to 7. */
  weightOf(stem: string): number;
  /** How many names have the word: what a look-up of it reads. */
  namesWith(stem: string): number;
  /** Whether a name begins with these two words: "Big Mac". */
  begins(stem: string, next: string): boolean;
  /**
   * The foods with the best names, best first; equal ones in static order. A score is about 1 for a name with exactly the words of the
   * query, and lower where words are missing on either side.
   */
  find(words: readonly QueryWord[], limit: number): readonly SearchHit[];
  foodAt(document: number): Food;
  /** The score that this food would have among the hits. */
  scoreOf(words: readonly QueryWord[], food: Pick<Food, 'name' | 'brand' | 'aliases'>): number;
}
