import type { Food } from '../catalogue/food.ts';

/** The diary's view of the foods that a tenant can eat: the catalogue's and its own. */
export interface FoodLookup {
  findById(tenant: string, id: string): Promise<Food | undefined>;
  /** By the digits of a package. Throws `invalid_barcode` when they are none. */
  findByBarcode(tenant: string, barcode: string): Promise<Food | undefined>;
}
