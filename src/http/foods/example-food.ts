import { toGtin } from '../../barcode/gtin.ts';
import { type Food, toFoodId } from '../../catalogue/food/food.ts';

/** The food of the examples in the OpenAPI document. */
export const EXAMPLE_FOOD: Food = {
  id: toFoodId('off', '3017620422003'),
  source: 'public_dataset',
  name: 'Hazelnut spread with cocoa',
  brand: 'Example Brand',
  aliases: [],
  barcode: '3017620422003',
  gtin: toGtin('3017620422003'),
  basis: 'g',
  per100: {
    energy: 539,
    protein: 6.3,
    fat: 30.9,
    carbohydrates: 57.5,
    sugars: 56.3,
    saturatedFat: 10.6,
    sodium: 43,
  },
  servings: [{ value: 15, unit: 'g', basisAmount: 15, label: '1 tbsp (15 g)' }],
  popularity: 0,
  createdAt: 1_735_689_600,
  updatedAt: 1_767_225_600,
};
