import { NUTRIENT, NUTRIENT_KEYS, type Nutrients, type PartialNutrients } from '@larder/core/nutrients.ts';

/** From this serving on, in g or ml, what is rounded to 0 is at most 5 g in 100: 21 CFR 101.9(c) rounds below 0.5 g. */
const USUAL_SERVING = 10;
/** The amount that a zero of g can hide. */
const HIDDEN_G = 0.5;
const KCAL_PER_G = { protein: 4, carbohydrates: 4, fat: 9 } as const;
/** The most of the energy that zeros may hide. */
const MOST_HIDDEN = 0.25;

/**
 * Zeros of a tiny serving are roundings: 0 g of fat in a spray of 0.25 g may be pure fat. Leaves them out, and keeps
 * required ones if the energy leaves little room for them. Undefined if it does not.
 */
export function withoutRoundedZeros(nutrients: Nutrients, servingAmount: number): Nutrients | undefined {
  if (servingAmount >= USUAL_SERVING) return nutrients;
  const most = Math.min(HIDDEN_G, servingAmount);
  const hidden = Object.entries(KCAL_PER_G).reduce(
    (sum, [key, kcal]) => (nutrients[key as keyof typeof KCAL_PER_G] === 0 ? sum + kcal * most : sum),
    0,
  );
  if (hidden > MOST_HIDDEN * nutrients.energy) return undefined;
  const kept: PartialNutrients = {};
  for (const key of NUTRIENT_KEYS) {
    const value = nutrients[key];
    if (value !== undefined && (value !== 0 || NUTRIENT[key].isRequired)) kept[key] = value;
  }
  return kept as Nutrients;
}
