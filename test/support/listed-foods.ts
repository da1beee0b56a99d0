import type { Food } from '@larder/core/food.ts';
import { type Gtin, toGtin } from '@larder/core/gtin.ts';
import type { FoodNames } from '@larder/text/parse/food-names.ts';
import {
  type CatalogueView,
  FoodDirectory,
  type FoodDirectoryOptions,
} from '../../src/foods/visible-foods.ts';

const NO_NAMES: FoodNames = {
  likenessOf: () => 0,
  weightOf: () => 1,
  namesWith: () => 0,
  begins: () => false,
  find: () => [],
  foodAt: (document) => {
    throw new RangeError(`No name has document ${document}`);
  },
  factsOf: () => 0,
  matchOf: () => undefined,
  beginsWithAll: () => false,
  isFoodWord: () => false,
};

/** A food directory over a changeable list; every search finds all. */
export function listedFoods(
  foods: readonly Food[],
  options: Omit<FoodDirectoryOptions, 'catalogue'> = {},
): FoodDirectory {
  const gtinOf = ({ barcode }: Food) => (barcode === undefined ? undefined : toGtin(barcode));
  const findByGtin = (gtin: Gtin) => foods.find((food) => gtinOf(food) === gtin);
  const view: CatalogueView = {
    findById: (id) => foods.find((food) => food.id === id),
    findByGtin,
    findByBarcode: (candidates) => {
      const food = candidates.map(findByGtin).find((found) => found !== undefined);
      return food && { food };
    },
    search: (_query, limit) => foods.slice(0, limit),
    searchScored: (_query, limit) => foods.slice(0, limit).map((food) => ({ food, score: 1 })),
    proposals: () => [],
    similarity: () => 0,
    names: NO_NAMES,
  };
  return new FoodDirectory({ catalogue: { current: view }, ...options });
}
