import type { AnyNutrientKey, PartialNutrients } from '@larder/core/nutrients.ts';
import {
  type NutrientWarning,
  nutrientWarnings,
  type StatedAmounts,
} from '../../foods/custom/food-warnings.ts';
import { AMOUNT_KEYS, type AmountKey, type DiaryEntry, isMainAmount, NUTRIENT_OF } from './entry.ts';
import { toDecimal } from './exact-amount.ts';
import { findStandardUnit, parseMeasure } from './units.ts';

/** Something implausible in an entry with stated values. The entry is written all the same. */
export interface EntryWarning {
  readonly code: NutrientWarning['code'];
  /** The name of the field in the API. */
  readonly field: string;
  readonly message: string;
}

/** Returns nothing for entries whose amounts are computed from a food or recipe. */
export function entryWarnings({
  foodId,
  recipeId,
  amounts,
  quantity,
  unit,
}: Pick<DiaryEntry, 'foodId' | 'recipeId' | 'amounts' | 'quantity' | 'unit'>): EntryWarning[] {
  if (foodId !== undefined || recipeId !== undefined) return [];
  const nutrients: PartialNutrients = {};
  const fields = new Map<AnyNutrientKey, string>();
  for (const key of AMOUNT_KEYS) {
    const amount = amounts[key];
    if (amount === undefined) continue;
    nutrients[NUTRIENT_OF[key]] = toDecimal(amount);
    fields.set(NUTRIENT_OF[key], fieldOf(key));
  }
  return nutrientWarnings({ nutrients, size: sizeOf(quantity, unit) }).map(({ code, key, message }) => ({
    code,
    field: fields.get(key)!,
    message,
  }));
}

function fieldOf(key: AmountKey): string {
  return isMainAmount(key) ? key : `nutrients.${key}`;
}

/** Returns what the entry weighs, if its unit is one of mass or volume. */
function sizeOf(quantity: number | undefined, unit: string | undefined): StatedAmounts['size'] {
  if (quantity === undefined || unit === undefined) return undefined;
  const measure = parseMeasure(unit);
  const standard = findStandardUnit(measure.unit);
  return standard && { amount: quantity * measure.count * standard.size, basis: standard.basis };
}
