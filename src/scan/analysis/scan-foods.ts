import type { Food } from '../../catalogue/food/food.ts';
import type { BarcodeMatch } from '../../catalogue/food/food-finder.ts';
import type { MaybePromise } from '../../maybe-promise.ts';

/** The foods of one tenant, for grounding what recognizers propose. Undefined, never an error, for unknown foods. */
export interface ScanFoods {
  /** By the digits of a package, outside services included where they are configured. */
  findByBarcode(digits: string): MaybePromise<BarcodeMatch | undefined>;
  findById(id: string): MaybePromise<Food | undefined>;
  /** Best first. */
  search(query: string, limit: number): MaybePromise<readonly Food[]>;
}
