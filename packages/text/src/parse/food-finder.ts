import type { Barcode } from '@larder/core/codes/scanned-code.ts';
import type { Food, FoodId, KnownProduct } from '@larder/core/food.ts';
import type { FoodLanguage } from '@larder/core/food-languages.ts';
import type { SharedWork } from '@larder/search/search-index.ts';
import type { FoodNames } from './food-names.ts';

/** The result of a barcode look-up: a food, or a product of which only name and brand are known. */
export type BarcodeMatch = ({ readonly food: Food } | { readonly known: KnownProduct }) & {
  /** Other products whose number differs in leading zeros only. */
  readonly others?: readonly OtherProduct[];
};

/** A product that a code may mean instead. */
export interface OtherProduct {
  readonly id: FoodId;
  readonly name: string;
  readonly brand?: string;
  /** The value that the food's source states. */
  readonly barcode?: string;
}

/** A food found by a search; `Found` is the type of its data. */
export interface FoodHit<Found = Food> {
  readonly food: Found;
  /** Score of the search index; infinite for the food whose barcode was typed. */
  readonly score: number;
  /** Set for a food that was proposed for its meaning: cosine of its name and the query. */
  readonly similarity?: number;
}

/** Conditions that a search has for each food. */
export interface FoodCheck {
  /** Whether a document of the catalogue may be found. */
  readonly accepts: (document: number) => boolean;
  /** Whether a food may be found that is not in the catalogue. */
  readonly acceptsFood: (food: Food) => boolean;
}

/** Options of a search. */
export interface SearchOptions {
  /** Foods with a lower score may be left out, which saves work. */
  readonly floor?: number;
  /** Foods that rank first if they match every typed word. */
  readonly favourites?: readonly FavouriteFood[];
  /** Languages whose names go first, the preferred one first. */
  readonly languages?: readonly FoodLanguage[];
  /** Foods that may be found; all by default. */
  readonly filter?: FoodCheck | undefined;
  /** Work budget that all searches of one request share. */
  readonly work?: SharedWork;
}

/** Finds foods in memory, within microseconds. */
export interface FoodFinder {
  /** While this value is unchanged, all results are, too; undefined if unknown. */
  readonly revision?: string | undefined;
  /** For reading texts. */
  readonly names: FoodNames;
  findById(id: string): Food | undefined;
  /** The food that a code means, otherwise the first known product. */
  findByBarcode(barcode: Barcode): BarcodeMatch | undefined;
  /** The viewer's custom food with exactly this name. */
  findCustomFood?(name: string): Food | undefined;
  /** Best first. */
  search(query: string, limit: number, options?: SearchOptions): readonly Food[];
  /** The food with its name in the first of these languages that has one; unchanged if none has, or if users wrote it. */
  inLanguages(food: Food, languages: readonly FoodLanguage[]): Food;
  /**
   * Generic foods of a similar meaning, nearest first, with their similarity as score, for words that occur
   * in no name. Empty if the catalogue has no vectors. Never throws.
   */
  proposals(text: string, limit: number): readonly FoodHit[];
  /** The similarity of a text and the name of a food: 1 for the same meaning, 0 if unknown. Never throws. */
  similarity(text: string, name: string): number;
}

/** A food that a user eats. */
export interface FavouriteFood {
  readonly id: FoodId;
  readonly timesEaten: number;
}

/** Maximum favourites of one user in a search. */
export const MAX_FAVOURITES = 200;

/** Reads a user's favourite foods, only for searches that rank them first. */
export interface FavouriteFoods {
  /** The foods that the user recently ate most often, at most `MAX_FAVOURITES`; none for an unknown user. */
  of(tenant: string, userId: string): Promise<readonly FavouriteFood[]>;
}
