import type { Gtin } from '../../barcode/gtin.ts';
import type { FavouriteFood } from './favourite-foods.ts';
import type { Food, KnownProduct } from './food.ts';

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
