import { isCheckedBarcode } from '@larder/core/codes/barcode-candidates.ts';
import { parseBarcode } from '@larder/core/codes/scanned-code.ts';
import type { Food, FoodId } from '@larder/core/food.ts';
import {
  NUTRIENT,
  NUTRIENT_KEYS,
  type NutrientKey,
  type Nutrients,
  type PartialNutrients,
} from '@larder/core/nutrients.ts';
import { roundedZeros } from '@larder/core/tiny-servings.ts';
import { NUTRIENT_WARNINGS, nutrientWarnings } from './nutrient-warnings.ts';

export const FOOD_WARNINGS = [
  'wrong_check_digit',
  ...NUTRIENT_WARNINGS,
  'rounded_zeros',
  'entered_before',
] as const;

/** Something implausible in a custom food. Products with such values exist, so the food is stored all the same. */
export interface FoodWarning {
  readonly code: (typeof FOOD_WARNINGS)[number];
  /** The name of the field in the API. */
  readonly field: 'name' | 'barcode' | 'servingSize' | `macros.${NutrientKey}`;
  readonly message: string;
  /** The food that was entered before. */
  readonly foodId?: FoodId;
}

/** Warns if the first food has the same name and values as one that was just entered. */
export function enteredBefore(first: FoodId): FoodWarning {
  const message =
    'A food with this name and these values was entered before; use that one, or delete this one.';
  return { code: 'entered_before', field: 'name', message, foodId: first };
}

export function warningsOf({ barcode, basis, per100, unknown = [], servings }: Food): FoodWarning[] {
  const [{ basisAmount }] = servings;
  const nutrients: PartialNutrients = {};
  for (const key of NUTRIENT_KEYS) {
    const amount = per100[key];
    if (amount !== undefined && !unknown.some((other) => other === key))
      nutrients[key] = (amount * basisAmount) / 100;
  }
  const problems = nutrientWarnings({ nutrients, size: { amount: basisAmount, basis } });
  return [
    ...(barcode === undefined || isCheckedBarcode(parseBarcode(barcode)) ? [] : [WRONG_CHECK_DIGIT]),
    ...roundingProblem(basisAmount, basis, { ...per100, ...nutrients }, unknown),
    ...problems.map(({ code, key, message }) => ({ code, field: `macros.${key}` as const, message })),
  ];
}

/** Labels of tiny servings say nothing about 100 g. */
function roundingProblem(
  amount: number,
  basis: Food['basis'],
  nutrients: Nutrients,
  unknown: readonly NutrientKey[],
): FoodWarning[] {
  const zeros = roundedZeros(nutrients, amount).filter((key) => !unknown.includes(key));
  if (!zeros.some((key) => NUTRIENT[key].isRequired)) return [];
  const message =
    `Labels round less than 0.5 g to 0, so 100 ${basis} may have much more ${zeros.join(', ')} than a serving of ` +
    `${amount} ${basis} tells; state the amounts of a larger serving if they are known.`;
  return [{ code: 'rounded_zeros', field: 'servingSize', message }];
}

const WRONG_CHECK_DIGIT: FoodWarning = {
  code: 'wrong_check_digit',
  field: 'barcode',
  message: 'The check digit of the barcode is wrong; compare it with the package.',
};
