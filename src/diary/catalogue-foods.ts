import { candidatesOf, parseBarcode } from '../barcode/candidates.ts';
import type { FoodFinder } from '../catalogue/food-finder.ts';
import type { FoodLookup } from './food-lookup.ts';

/** The foods that a tenant sees in a search are those that it can eat. */
export function catalogueFoods(foodsOf: (tenant: string) => FoodFinder | Promise<FoodFinder>): FoodLookup {
  return {
    findById: async (tenant, id) => (await foodsOf(tenant)).findById(id),
    findByBarcode: async (tenant, barcode) => {
      const finder = await foodsOf(tenant);
      const match = finder.findByBarcode(candidatesOf(parseBarcode(barcode)));
      return match !== undefined && 'food' in match ? match.food : undefined;
    },
  };
}
