import {
  MG_SODIUM_PER_G_SALT,
  NUTRIENT,
  NUTRIENT_KEYS,
  type NutrientKey,
  type Nutrients,
} from './nutrients.ts';

/** From this serving on, in g or ml, a value rounded to 0 is at most 5 g in 100: 21 CFR 101.9(c) rounds below 0.5 g. */
const USUAL_SERVING = 10;
const KCAL_PER_G = { protein: 4, carbohydrates: 4, fat: 9 } as const;
/** Share of a serving that rounding of other values may leave. */
const ROUNDING_SHARE = 0.05;
/** Maximum share of the energy that no nutrient explains. */
const MOST_HIDDEN = 0.25;

/**
 * Zeros of a tiny serving, in g or ml, are roundings: 0 g of fat in a spray of 0.25 g may be pure fat.
 * Returns the zeros that are unknown per 100 g; required ones only if the energy is 0, too, or more than the
 * others explain.
 */
export function roundedZeros(nutrients: Nutrients, servingAmount: number): NutrientKey[] {
  if (servingAmount >= USUAL_SERVING) return [];
  const rest = servingAmount - certainWeight(nutrients);
  const hasRoom = rest > ROUNDING_SHARE * servingAmount;
  const { energy, protein, fat, carbohydrates } = nutrients;
  const explained =
    protein * KCAL_PER_G.protein + fat * KCAL_PER_G.fat + carbohydrates * KCAL_PER_G.carbohydrates;
  const isDoubtful = hasRoom && (energy === 0 || energy - explained > MOST_HIDDEN * energy);
  return NUTRIENT_KEYS.filter((key) => nutrients[key] === 0 && (isDoubtful || !NUTRIENT[key].isRequired));
}

/** Pure salt or sugar leaves no room for other nutrients. */
function certainWeight({ protein, fat, carbohydrates, sodium = 0 }: Nutrients): number {
  return protein + fat + carbohydrates + sodium / MG_SODIUM_PER_G_SALT;
}
