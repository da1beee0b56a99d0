import { NUTRIENT_KEYS, type NutrientKey, type PartialNutrients } from '@larder/core/nutrients.ts';
import type { UsdaFood } from './usda-foods.ts';

/** One USDA food in a row's `usda` column, with its share of the weight. */
export interface RecipePart {
  readonly fdcId: string;
  readonly share: number;
}

const WHOLE_PERCENT = 100;

/**
 * The sources of a row: one FDC id, or several with their percent of the weight as eaten, for example `2709591*82 +
 * 2710199*18` for a Caesar salad with its dressing. Throws a `RangeError` for other texts.
 */
export function parseRecipe(text: string): RecipePart[] {
  if (/^\d+$/.test(text)) return [{ fdcId: text, share: 1 }];
  const parts = text.split(' + ').map((part) => {
    const [, fdcId, percent] = /^(\d+)\*(\d+(?:\.\d+)?)$/.exec(part) ?? [];
    if (fdcId === undefined) throw new RangeError(`not an FDC id with its percent: ${part}`);
    return { fdcId, share: Number(percent) / WHOLE_PERCENT };
  });
  const total = parts.reduce((sum, { share }) => sum + share, 0);
  if (Math.abs(total - 1) > 1e-9) throw new RangeError(`the percents of ${text} do not add up to 100`);
  return parts;
}

/**
 * The nutrients in 100 g of the mixture. A nutrient that is unknown in one part is unknown in the whole.
 * Throws a `RangeError` if a part is not a food of the USDA files.
 */
export function mixPer100(
  parts: readonly RecipePart[],
  foods: ReadonlyMap<string, UsdaFood>,
): PartialNutrients {
  const mixed: PartialNutrients = {};
  for (const key of NUTRIENT_KEYS) {
    let sum: number | undefined = 0;
    for (const { fdcId, share } of parts) {
      const amount = getFood(foods, fdcId).per100[key];
      sum = sum === undefined || amount === undefined ? undefined : sum + amount * share;
    }
    if (sum !== undefined) mixed[key] = sum;
  }
  return mixed;
}

/** Grams per millilitre of the mixture, assuming that volumes add up; undefined if that of a part is unknown. */
export function mixDensity(
  parts: readonly RecipePart[],
  foods: ReadonlyMap<string, UsdaFood>,
): number | undefined {
  let volume = 0;
  for (const { fdcId, share } of parts) {
    const { density } = getFood(foods, fdcId);
    if (density === undefined) return undefined;
    volume += share / density;
  }
  return 1 / volume;
}

export function getFood(foods: ReadonlyMap<string, UsdaFood>, fdcId: string): UsdaFood {
  const food = foods.get(fdcId);
  if (food === undefined) throw new RangeError(`the USDA files hold no food ${fdcId}`);
  return food;
}

/** Decimals in the tables: more than any amount was measured with. */
const DECIMALS: Readonly<Record<'kcal' | 'mg' | 'other', number>> = { kcal: 1, mg: 1, other: 2 };
const MILLIGRAM_KEYS: ReadonlySet<NutrientKey> = new Set(['cholesterol', 'sodium', 'potassium', 'calcium']);

/** An amount in the form of the tables. */
export function formatAmount(key: NutrientKey, amount: number): string {
  const unit = key === 'energy' ? 'kcal' : MILLIGRAM_KEYS.has(key) ? 'mg' : 'other';
  return String(Number(amount.toFixed(DECIMALS[unit])));
}
