import { type Food, toFoodId } from '@larder/core/food.ts';
import { toGtin } from '@larder/core/gtin.ts';
import { tidyNumber } from '@larder/core/rounding.ts';
import { z } from 'zod';

// What the answers of both variants with foods are made of.

const unit = z.string().describe('`g`, `ml`, `oz`, `fl_oz` or a household unit such as `cup`.');
const amount = z.number().positive();
const inBasis = {
  label: z.string().optional().describe('The household text.'),
  grams: amount.optional().describe('What it weighs; of a food whose nutrients are per 100 g.'),
  milliliters: amount.optional().describe('How much it is; of a food whose nutrients are per 100 ml.'),
};

/** Describes what `servingsJson` writes for a variant, which names the number of units. */
export const servingsSchema = {
  v1: z.array(z.object({ value: amount, unit, ...inBasis }).meta({ id: 'Serving' })),
  unversioned: z.array(z.object({ amount, unit, ...inBasis }).meta({ id: 'UnversionedServing' })),
};

/** All servings of a food, with the number of units under the name that the variant has for it. */
export function servingsJson({ basis, servings }: Food, numberName: 'value' | 'amount'): string {
  const measure = basis === 'g' ? 'grams' : 'milliliters';
  return JSON.stringify(
    servings.map(({ value, unit: of, label, basisAmount }) => ({
      [numberName]: tidyNumber(value),
      unit: of,
      label,
      [measure]: tidyNumber(basisAmount),
    })),
  );
}

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
