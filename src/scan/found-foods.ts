import { askableOf, candidatesOf, parseBarcode } from '../barcode/candidates.ts';
import type { Gtin } from '../barcode/gtin.ts';
import type { Food } from '../catalogue/food.ts';
import type { FoodFinder } from '../catalogue/food-finder.ts';
import { findByName } from './grounding/find-by-name.ts';
import type { ScanFoods } from './scan-foods.ts';

export interface FoundFoodsPorts {
  /** The foods that the scan's tenant sees at this moment. */
  readonly finder: () => FoodFinder | Promise<FoodFinder>;
  /** The food of the first number that a service knows; undefined when none is configured, or none knows any. */
  readonly askOutside: (gtins: readonly Gtin[]) => Promise<Food | undefined>;
  /** Finds a food that ships with the project. Dish models answer with these, though a catalogue may lack them. */
  readonly shipped: (id: string) => Food | undefined;
}

/** Looks foods up as the API does: barcodes that the catalogue lacks are asked of outside services. */
export function foundFoods({ finder, askOutside, shipped }: FoundFoodsPorts): ScanFoods {
  const search = async (query: string, limit: number) => (await finder()).search(query, limit);
  return {
    search,
    async findByBarcode(digits) {
      const barcode = parseBarcode(digits);
      const match = (await finder()).findByBarcode(candidatesOf(barcode));
      if (match !== undefined && 'food' in match) return match;
      const food = await askOutside(askableOf(barcode));
      return food === undefined ? match : { food };
    },
    /** For a shipped food that the catalogue lacks: the catalogue's food of the same name, else the shipped one. */
    async findById(id) {
      const found = (await finder()).findById(id);
      if (found !== undefined) return found;
      const meant = shipped(id);
      return meant && ((await findByName({ search }, meant.name))?.food ?? meant);
    },
  };
}
