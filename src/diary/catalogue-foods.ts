import { candidatesOf, parseBarcode } from '../barcode/candidates.ts';
import type { FoodFinder } from '../catalogue/food-finder.ts';
import type { FoodLookup } from './food-lookup.ts';

/** The foods of the catalogue, which all tenants share; `finder` answers with the catalogue of this moment. */
export function catalogueFoods(finder: () => FoodFinder): FoodLookup {
  return {
    findById: async (_tenant, id) => finder().findById(id),
    findByBarcode: async (_tenant, barcode) => {
      const match = finder().findByBarcode(candidatesOf(parseBarcode(barcode)));
      return match !== undefined && 'food' in match ? match.food : undefined;
    },
  };
}
