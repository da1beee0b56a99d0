import type { Food } from '@larder/core/food.ts';
import type { LanguageBits } from '@larder/core/name-languages.ts';
import type { SearchHit } from '@larder/search/match/top-hits.ts';

/** A word to find in names. */
export interface QueryWord {
  readonly stem: string;
  /** Factor beside its rarity; 0 to ignore the word. */
  readonly weight: number;
  /** Whether it names the kind of food: "milk" in "low-fat chocolate milk". */
  readonly isHead?: boolean;
}

export type NamedFood = Pick<Food, 'name' | 'brand' | 'aliases' | 'nameLanguages'>;

/** How a food's best name compares with the words of a query. */
export interface NameMatch {
  /** The score that the name would have in a look-up of the words; see `FoodNames.find`. */
  readonly score: number;
  /** About 1 for equal words. States such as "raw" count on neither side. */
  readonly fit: number;
  /** The score with states counted as other words. */
  readonly wholeFit: number;
  /** Position of the query's head in the name. */
  readonly head: 'head' | 'first' | 'elsewhere' | 'absent';
  /** The query has the name's head. */
  readonly hasKind: boolean;
  /** Number of words in the name's first part, and in later parts, that the query lacks. */
  readonly foreign: number;
  readonly later: number;
  /** Number of words of the query that the name lacks. */
  readonly lost: readonly QueryWord[];
  /** Number of adjacent pairs of the query's words that are adjacent in the name. */
  readonly adjacent: number;
  /** The name is not the food's first one, unless it is one in the text's language. */
  readonly isAlias: boolean;
  /** Whether the name is in the text's language, in English or an unknown one, or in another one. */
  readonly language: 'own' | 'second' | 'other';
}

/** Generic foods by the words of their names: a few ten thousand beside millions of products. */
export interface FoodNames {
  /** Preferred languages of names; 0 if there are none. */
  readonly languages: LanguageBits;
  /**
   * Returns these names for a text in one of these languages, whose names are preferred; 0 if its language is
   * unknown.
   */
  inLanguages(languages: LanguageBits): FoodNames;
  /** Certainty that a word of a name is meant: 1 as written, less for other forms and typos, 0 for none. */
  likenessOf(stem: string): number;
  /** Logarithm of the word's rarity, from 1 to 7. */
  weightOf(stem: string): number;
  /** Number of names with the word, which is the work of looking it up. */
  namesWith(stem: string): number;
  /** Whether a name begins with these two words: "Big Mac". */
  begins(stem: string, next: string): boolean;
  /** Whether some name begins with these words in any order, followed by those of a brand or none. */
  beginsWithAll(stems: readonly string[]): boolean;
  /**
   * The foods with the best names, best first; equal ones in static order. A score is about 1 for a name with
   * exactly the words of the query, and lower if words are missing on either side.
   */
  find(words: readonly QueryWord[], limit: number): readonly SearchHit[];
  foodAt(document: number): Food;
  /** Facts that decide between foods beside their names; see `factsOf` in `names/traits.ts`. 0 for other documents. */
  factsOf(document: number): number;
  /**
   * Compares the names of a food, or of the food of a document, with the words; undefined for a document
   * without a name in this index.
   */
  matchOf(words: readonly QueryWord[], food: number | NamedFood): NameMatch | undefined;
  /** How much of the names with this word is in each language, in the order of `NAME_LANGUAGES`. */
  languagesOf(stem: string): readonly number[];
  /** Whether a word is the head of food names: "ginger", but not "large". */
  isFoodWord(stem: string): boolean;
}
