import type { Food } from '@larder/core/food.ts';
import { type Gtin, toGtin } from '@larder/core/gtin.ts';
import type { FoodNames } from '@larder/text/parse/food-names.ts';
import { findAmong } from '../../src/foods/catalogue/same-number.ts';
import {
  type CatalogueView,
  FoodDirectory,
  type FoodDirectoryOptions,
} from '../../src/foods/visible-foods.ts';

const NO_NAMES: FoodNames = {
  languages: 0,
  inLanguages: () => NO_NAMES,
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
  languagesOf: () => [],
};

/** A food directory over a changeable list; every search finds all. */
export function listedFoods(
  foods: readonly Food[],
  options: Omit<FoodDirectoryOptions, 'catalogue'> = {},
): FoodDirectory {
  const gtinOf = ({ barcode }: Food) => (barcode === undefined ? undefined : toGtin(barcode));
  const findAllByGtin = (gtin: Gtin) => foods.filter((food) => gtinOf(food) === gtin);
  const view: CatalogueView = {
    findById: (id) => foods.find((food) => food.id === id),
    findAllByGtin,
    findByBarcode: (barcode) => findAmong([{ findAllByGtin }], barcode),
    search: (_query, limit) => foods.slice(0, limit),
    searchScored: (_query, limit) => foods.slice(0, limit).map((food) => ({ food, score: 1 })),
    proposals: () => [],
    similarity: () => 0,
    inLanguages: (food) => food,
    nameInLanguages: () => undefined,
    names: NO_NAMES,
    factsOf: async () => undefined,
    checkOf: async () => ({ accepts: () => true, acceptsFood: () => true }),
  };
  return new FoodDirectory({ catalogue: { current: view }, ...options });
}
