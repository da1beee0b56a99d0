import { type Food, type KnownProduct, toFoodId } from '@larder/core/food.ts';
import { toGtin } from '@larder/core/gtin.ts';

const WRITTEN_AT = 1_700_000_000;

/** Foods in the HTTP scenarios. */
export const SPREAD: Food = {
  id: toFoodId('off', '3017620422003'),
  source: 'public_dataset',
  name: 'Hazelnut "cocoa" spread',
  brand: 'Nutty',
  aliases: [],
  barcode: '3017620422003',
  gtin: toGtin('3017620422003'),
  basis: 'g',
  per100: { energy: 539, protein: 6.3, fat: 30.9, carbohydrates: 57.5, sugars: 56.3, sodium: 43 },
  servings: [{ value: 15, unit: 'g', basisAmount: 15, label: '1 tbsp (15 g)' }],
  popularity: 200,
  createdAt: WRITTEN_AT,
  updatedAt: WRITTEN_AT + 1,
};

export const COLA: Food = {
  ...SPREAD,
  id: toFoodId('fdc', '100001'),
  name: 'Cola',
  barcode: '012345678905',
  gtin: toGtin('012345678905'),
  basis: 'ml',
  per100: { energy: 42, protein: 0, fat: 0, carbohydrates: 10.6 },
  servings: [{ value: 12, unit: 'fl_oz', basisAmount: 354.882 }],
};

const { brand: _brand, barcode: _barcode, gtin: _gtin, ...unpackaged } = SPREAD;

export const BANANA: Food = {
  ...unpackaged,
  id: toFoodId('starter', 'banana'),
  name: 'Banana, raw',
  per100: { energy: 89, protein: 1.09, fat: 0.33, carbohydrates: 22.84 },
  servings: [{ value: 1, unit: 'piece', basisAmount: 118, label: '1 medium (118 g)' }],
};

export const KNOWN: KnownProduct = {
  id: toFoodId('off', '4006381333931'),
  name: 'Mystery bar',
  brand: 'Anon',
  barcode: '4006381333931',
  gtin: toGtin('4006381333931'),
};
