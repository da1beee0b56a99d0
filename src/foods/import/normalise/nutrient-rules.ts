import type { FoodNote } from '@larder/core/food-notes.ts';
import { KJ_PER_KCAL, MG_SODIUM_PER_G_SALT, NUTRIENTS, type NutrientKey } from '@larder/core/nutrients.ts';
import { expectedKcal, isNear } from './energy.ts';
import type { RawNutrients } from './raw-food.ts';

/**
 * Rules for contradictory amounts. Each corrects what the other amounts prove, and drops the rest: a dropped
 * nutrient counts as unknown.
 */

/** Tolerance, because labels round each amount, and tables convert them. */
const ROUNDING_G = 0.5;
const ROUNDING_SHARE = 0.02;
/** Salt and the sodium that a source computed from it differ by rounding. */
const SALT_SHARE = 0.2;
const SALT_MG = 10;
/** Amounts with this ratio are not in one unit. */
const UNIT_FACTOR = 10;
/** Tolerance of sums, because small servings are scaled to 100 g. */
const MAX_SUM_G = 110;
/** Tolerance for a part of the carbohydrates on American labels. */
const FIBER_SHARE = 1.05;
/** 500 mg of sodium in 1.2 g of salt. */
const PURE_ROUNDING = 1.1;

const DROPPED: Readonly<Partial<Record<NutrientKey, FoodNote>>> = {
  saturatedFat: 'saturates_dropped',
  transFat: 'trans_fat_dropped',
  sugars: 'sugars_dropped',
  addedSugars: 'added_sugars_dropped',
};
/** Pairs that sources swap: the part was typed into the field of the whole, and the whole into that of the part. */
const EXCHANGED = {
  saturatedFat: ['fat', 'fat_exchanged'],
  sugars: ['carbohydrates', 'carbohydrates_exchanged'],
} as const;

/**
 * European labels state salt and American ones sodium, and sources compute the other. If they differ by a
 * unit, or are one number that was typed twice, the salt counts, because sodium has more possible units.
 * Otherwise nothing shows which of them is on the label: the sodium is kept.
 */
export function settleSalt(stated: RawNutrients): FoodNote[] {
  const { saltG, sodium } = stated;
  if (saltG === undefined || sodium === undefined) return [];
  const ofSalt = saltG * MG_SODIUM_PER_G_SALT;
  const gap = Math.abs(ofSalt - sodium);
  if (gap <= Math.max(SALT_MG, SALT_SHARE * Math.max(ofSalt, sodium))) return [];
  const isTypedTwice = Math.abs(sodium - saltG * 1_000) <= SALT_MG;
  if (!isTypedTwice && Math.max(ofSalt, sodium) < UNIT_FACTOR * Math.min(ofSalt, sodium))
    return ['sodium_kept'];
  stated.sodium = ofSalt;
  return ['salt_counts'];
}

/** Drops parts that exceed their whole. */
export function settleParts(stated: RawNutrients): FoodNote[] {
  const notes: FoodNote[] = [];
  for (const { key, partOf } of NUTRIENTS) {
    if (partOf === undefined) continue;
    const [part, whole] = [stated[key], stated[partOf]];
    if (part === undefined || whole === undefined || part <= whole) continue;
    if (part - whole <= Math.max(ROUNDING_G, ROUNDING_SHARE * whole)) {
      stated[key] = whole;
      notes.push('part_rounded');
      continue;
    }
    const exchanged = exchange(stated, key);
    if (exchanged !== undefined) {
      notes.push(exchanged);
      continue;
    }
    delete stated[key];
    notes.push(DROPPED[key]!);
  }
  for (const form of ['polyolsG', 'erythritolG'] as const) {
    if ((stated[form] ?? 0) > (stated.carbohydrates ?? 100) + ROUNDING_G) delete stated[form];
  }
  return notes;
}

/** Swaps a part and its whole if the stated energy fits only then. */
function exchange(stated: RawNutrients, part: NutrientKey): FoodNote | undefined {
  if (part !== 'saturatedFat' && part !== 'sugars') return undefined;
  const [whole, note] = EXCHANGED[part];
  const kcal = stated.energy ?? (stated.energyKj === undefined ? undefined : stated.energyKj / KJ_PER_KCAL);
  const asStated = expectedKcal(stated);
  const exchanged = expectedKcal({ ...stated, [whole]: stated[part] });
  if (asStated === undefined || exchanged === undefined) return undefined;
  if (isNear(kcal, asStated) || !isNear(kcal, exchanged)) return undefined;
  [stated[part], stated[whole]] = [stated[whole], stated[part]];
  return note;
}

/** 100 g contain at most 100 g. 100 ml may contain more, so they are not checked. */
export function settleSums(stated: RawNutrients, basis: 'g' | 'ml'): FoodNote[] {
  if (basis === 'ml') return [];
  const { protein = 0, fat = 0, carbohydrates = 0, fiber = 0 } = stated;
  const sum = protein + fat + carbohydrates;
  if (sum > MAX_SUM_G) {
    // Nothing shows which of them is wrong.
    for (const key of ['protein', 'fat', 'carbohydrates'] as const) delete stated[key];
    return ['sum_dropped'];
  }
  if (sum + fiber <= MAX_SUM_G || fiber <= carbohydrates * FIBER_SHARE + ROUNDING_G) return [];
  delete stated.fiber;
  return ['fiber_dropped'];
}

/** Drops a mineral, vitamin or cholesterol that exceeds its pure form. */
export function dropAbovePure(stated: RawNutrients): FoodNote[] {
  let isDropped = false;
  for (const { key, maxPerGram } of NUTRIENTS) {
    const amount = stated[key];
    if (maxPerGram === undefined || amount === undefined || amount <= maxPerGram * 100) continue;
    if (amount <= maxPerGram * 100 * PURE_ROUNDING) {
      stated[key] = maxPerGram * 100;
      continue;
    }
    delete stated[key];
    isDropped = true;
  }
  return isDropped ? ['above_pure_dropped'] : [];
}
