import { z } from 'zod';
import type { Food } from '../../catalogue/food/food.ts';
import { tidyNumber } from '../../catalogue/food/rounding.ts';

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
