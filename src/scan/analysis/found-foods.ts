import type { Food } from '../../catalogue/food/food.ts';
import type { FoodViewer } from '../../catalogue/tenant-foods/food-owner.ts';
import type { FoodDirectory } from '../../catalogue/visible-foods.ts';
import { findByName } from './find-by-name.ts';
import type { ScanFoods } from './scan-foods.ts';

export interface FoundFoodsPorts {
  readonly foods: FoodDirectory;
  /** The owner of the scan. */
  readonly viewer: FoodViewer;
  /** Finds a food that ships with the project. Dish models answer with these, though a catalogue may lack them. */
  readonly shipped: (id: string) => Food | undefined;
}

/** Looks foods up as the API does, and finds foods that ship with the project also where the catalogue lacks them. */
export function foundFoods({ foods, viewer, shipped }: FoundFoodsPorts): ScanFoods {
  const search = (query: string, limit: number) => foods.search(viewer, query, limit);
  return {
    search,
    findByBarcode: (digits) => foods.findByBarcode(viewer, digits),
    /** For a shipped food that the catalogue lacks: the catalogue's food of the same name, else the shipped one. */
    async findById(id) {
      const found = await foods.findById(viewer, id);
      if (found !== undefined) return found;
      const meant = shipped(id);
      return meant && ((await findByName({ search }, meant.name))?.food ?? meant);
    },
  };
}
