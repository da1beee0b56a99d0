import { askableOf, candidatesOf, parseBarcode } from '../barcode/candidates.ts';
import type { Gtin } from '../barcode/gtin.ts';
import type { Food } from '../catalogue/food.ts';
import type { FoodFinder } from '../catalogue/food-finder.ts';
import { findByName } from './grounding/find-by-name.ts';
import type { ScanFoods } from './scan-foods.ts';

export interface FoundFoodsPorts {
  /** Those that the scan's tenant sees, at this moment. */
  readonly finder: () => FoodFinder | Promise<FoodFinder>;
  /** For the first number that is known; undefined when no outside service is configured, or none knows any. */
  readonly askOutside: (gtins: readonly Gtin[]) => Promise<Food | undefined>;
  /** The foods that ship with the project, which models are trained to tell; a catalogue may be without them. */
  readonly shipped: (id: string) => Food | undefined;
}

/** The foods behind a finder, asked as the API asks it: what the catalogue lacks is asked of outside services. */
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
    /** What the catalogue lacks of the shipped foods is its food of that name, else the shipped one. */
    async findById(id) {
      const found = (await finder()).findById(id);
      if (found !== undefined) return found;
      const meant = shipped(id);
      return meant && ((await findByName({ search }, meant.name))?.food ?? meant);
    },
  };
}
