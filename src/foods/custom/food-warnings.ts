import { isCheckedBarcode } from '@larder/core/codes/barcode-candidates.ts';
import { parseBarcode } from '@larder/core/codes/scanned-code.ts';
import type { Basis, Food, FoodId } from '@larder/core/food.ts';
import {
  KJ_PER_KCAL,
  NUTRIENT,
  NUTRIENT_KEYS,
  NUTRIENTS,
  type NutrientKey,
  type Nutrients,
  type PartialNutrients,
} from '@larder/core/nutrients.ts';
import { tidyNumber } from '@larder/core/rounding.ts';
import { roundedZeros } from '@larder/core/tiny-servings.ts';

const NUTRIENT_WARNINGS = ['implausible_energy', 'part_above_whole', 'above_pure_substance'] as const;

/** Something implausible in amounts that a person entered. Products with such values exist. */
export interface NutrientWarning {
  readonly code: (typeof NUTRIENT_WARNINGS)[number];
  readonly key: NutrientKey;
  readonly message: string;
}

/** Amounts that a person entered for a serving or an entry, without unknown ones. */
export interface StatedAmounts {
  readonly nutrients: PartialNutrients;
  /** Weight of the serving; undefined if nothing states it. */
  readonly size?: { readonly amount: number; readonly basis: Basis } | undefined;
}

/** The energy of pure fat. */
const MAX_KCAL_PER_100 = 902;
/** kcal in a gram; fibre counts 2, and some labels have it among the carbohydrates. */
const FACTORS = { protein: 4, fat: 9, carbohydrates: 4, fiber: 2, alcohol: 7 } as const;
/** Grams of alcohol in 100 ml of it. */
const ALCOHOL_DENSITY = 78.9;
/** Labels round each value of a serving: energy to 10 kcal, and each nutrient to a gram or half. */
const ROUNDING_KCAL = 15;
/** Grams to which labels round. */
const ROUNDING_G = 0.5;
/** Tolerance of the energy: factors differ between foods, and sweeteners count less. */
const TOLERANCE = 0.2;
/** Energies within this share agree. */
const NEAR = 0.1;
/** Maximum plausible amount of a pure mineral or vitamin, in g. */
const MOST_PURE_G = 100;

export function nutrientWarnings(stated: StatedAmounts): NutrientWarning[] {
  const message = energyProblem(stated);
  return [
    ...(message === undefined ? [] : [{ code: 'implausible_energy', key: 'energy', message } as const]),
    ...amountProblems(stated),
  ];
}

/** Parts that exceed their whole, and minerals that exceed their pure substance. */
function amountProblems({ nutrients, size }: StatedAmounts): NutrientWarning[] {
  return NUTRIENTS.flatMap(({ key, partOf, maxPerGram, unit }): NutrientWarning[] => {
    const amount = nutrients[key];
    if (amount === undefined) return [];
    const whole = partOf && nutrients[partOf];
    if (whole !== undefined && amount > whole + ROUNDING_G) {
      const message = `${tidyNumber(amount)} g of ${key} cannot be part of ${tidyNumber(whole)} g of ${partOf}.`;
      return [{ code: 'part_above_whole', key, message }];
    }
    const grams = size?.amount ?? MOST_PURE_G;
    if (maxPerGram === undefined || amount <= maxPerGram * grams) return [];
    const message =
      `${tidyNumber(amount)} ${unit} of ${key} in ${tidyNumber(grams)} g is more than the pure substance has; ` +
      `is the amount in ${unit}?`;
    return [{ code: 'above_pure_substance', key, message }];
  });
}

/** The problem with the energy; undefined if the nutrients explain it. */
function energyProblem({ nutrients, size }: StatedAmounts): string | undefined {
  const { energy: kcal, protein, fat, carbohydrates, fiber = 0 } = nutrients;
  if (kcal === undefined) return undefined;
  const per100 = size === undefined ? 0 : (kcal * 100) / size.amount;
  if (size !== undefined && per100 > MAX_KCAL_PER_100) {
    return `${Math.round(per100)} kcal per 100 ${size.basis} is more than pure fat has (${MAX_KCAL_PER_100}); is it in kJ?`;
  }
  if (protein === undefined || fat === undefined || carbohydrates === undefined) return undefined;
  const expected = protein * FACTORS.protein + fat * FACTORS.fat + carbohydrates * FACTORS.carbohydrates;
  const least = expected - Math.min(fiber, carbohydrates) * FACTORS.carbohydrates;
  const most = expected + fiber * FACTORS.fiber + alcoholKcal(fat, size);
  const isKj = Math.abs(kcal / KJ_PER_KCAL - expected) <= NEAR * expected && kcal - expected > ROUNDING_KCAL;
  if (!isKj && kcal >= least - tolerance(least) && kcal <= most + tolerance(most)) return undefined;
  const hint = isKj ? ': it looks like kJ' : '';
  return `${Math.round(kcal)} kcal is far from the ${Math.round(expected)} kcal that protein, fat and carbohydrates make${hint}.`;
}

/**
 * No nutrient states the alcohol of a drink. A food of unknown size without fat may contain up to 100 ml of
 * alcohol.
 */
function alcoholKcal(fat: number, size: StatedAmounts['size']): number {
  const isDrink = size === undefined ? fat <= ROUNDING_G : size.basis === 'ml';
  return isDrink ? ((size?.amount ?? 100) / 100) * ALCOHOL_DENSITY * FACTORS.alcohol : 0;
}

function tolerance(kcal: number): number {
  return Math.max(ROUNDING_KCAL, TOLERANCE * kcal);
}

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
