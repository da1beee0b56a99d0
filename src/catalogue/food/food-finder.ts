import type { Gtin } from '../../barcode/gtin.ts';
import type { MaybePromise } from '../../maybe-promise.ts';
import type { Food, FoodId, KnownProduct } from './food.ts';

/** What a barcode led to: a food, or a product of which only name and brand are known. */
export type BarcodeMatch = { readonly food: Food } | { readonly known: KnownProduct };

export interface ScoredFood {
  readonly food: Food;
  /** Of the search index; infinite for the food whose barcode was typed. */
  readonly score: number;
}

/** What a search may be given besides its text. */
export interface SearchOptions {
  /** Foods that score less may be left out, which saves work. */
  readonly floor?: number;
  /** Foods that rank first where they match every word that was typed. */
  readonly favourites?: readonly FavouriteFood[];
}

/** Finds foods. Answers come from memory, within microseconds. */
export interface FoodFinder {
  /** While it is the same, so are all answers; undefined where that cannot be told. */
  readonly revision?: string | undefined;
  findById(id: string): Food | undefined;
  /** The food of the first candidate that has one, else the first product that is known by barcode. */
  findByBarcode(candidates: readonly Gtin[]): BarcodeMatch | undefined;
  /** Best first. */
  search(query: string, limit: number, options?: SearchOptions): readonly Food[];
}

/** A food that a user eats. */
export interface FavouriteFood {
  readonly id: FoodId;
  readonly timesEaten: number;
}

/** The most favourites of one user that a search considers. */
export const MAX_FAVOURITES = 200;

/** Knows what a user eats. Asked only for searches that rank that first. */
export interface FavouriteFoods {
  /** The foods that the user ate most often lately, at most `MAX_FAVOURITES`; none for an unknown user. */
  of(tenant: string, userId: string): MaybePromise<readonly FavouriteFood[]>;
}
