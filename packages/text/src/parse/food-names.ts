import type { Food } from '@larder/core/food.ts';
import type { LanguageBits } from '@larder/core/name-languages.ts';
import type { SearchHit } from '@larder/search/match/top-hits.ts';

/** A word that is looked for in names. */
export interface QueryWord {
  readonly stem: string;
  /** Beside its rarity; 0 is ignored. */
  readonly weight: number;
  /** Whether it names the kind of food: "milk" in "low-fat chocolate milk". */
  readonly isHead?: boolean;
}

export type NamedFood = Pick<Food, 'name' | 'brand' | 'aliases' | 'nameLanguages'>;

/** How a food's best name compares with the words of a query. */
export interface NameMatch {
  /** About 1 for equal words. States such as "raw" count on neither side. */
  readonly fit: number;
  /** The score with states counted as other words. */
  readonly wholeFit: number;
  /** Share of the query's weight that the name has, from 0 to 1. */
  readonly covered: number;
  /** Position of the query's head in the name. */
  readonly head: 'head' | 'first' | 'elsewhere' | 'absent';
  /** The query has the name's head. */
  readonly hasKind: boolean;
  /** Words of the name's first part, and of later parts, that the query lacks. */
  readonly foreign: number;
  readonly later: number;
  /** Words of the query that the name lacks. */
  readonly lost: readonly QueryWord[];
  /** Pairs of the query's words that follow one another in the name. */
  readonly adjacent: number;
  /** The name is not the food's first, unless it is one of the text's language. */
  readonly isAlias: boolean;
  /** The name is of the text's language, else English or of unknown language, else of another one. */
  readonly language: 'own' | 'second' | 'other';
}

/** Foods without a brand by the words of their names: a few ten thousand beside millions of products. */
export interface FoodNames {
  /** The languages whose names are preferred; 0 if none are. */
  readonly languages: LanguageBits;
  /** Returns these names for a text of one of these languages, whose names are preferred; 0 if its language is unknown. */
  inLanguages(languages: LanguageBits): FoodNames;
  /** How sure it is that a word of names is meant: 1 as written, less for other forms and typos, 0 for none. */
  likenessOf(stem: string): number;
  /** Logarithm of the word's rarity, from 1 to 7. */
  weightOf(stem: string): number;
  /** How many names have the word: what a look-up of it reads. */
  namesWith(stem: string): number;
  /** Whether a name begins with these two words: "Big Mac". */
  begins(stem: string, next: string): boolean;
  /** Whether some name begins with these words in any order, before those of a brand or none. */
  beginsWithAll(stems: readonly string[]): boolean;
  /**
   * The foods with the best names, best first; equal ones in static order. A score is about 1 for a name with exactly the words of the
   * query, and lower where words are missing on either side.
   */
  find(words: readonly QueryWord[], limit: number): readonly SearchHit[];
  foodAt(document: number): Food;
  /** Facts that decide between foods beside their names; see `factsOf` in `names/traits.ts`. 0 for other documents. */
  factsOf(document: number): number;
  /** Compares the names of a food, or of the food of a document, with the words; undefined for a document without names here. */
  matchOf(words: readonly QueryWord[], food: number | NamedFood): NameMatch | undefined;
  /** Whether a word is the head of foods' names: "ginger", but not "large". */
  isFoodWord(stem: string): boolean;
}
