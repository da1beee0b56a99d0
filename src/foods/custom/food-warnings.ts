import { isCheckedBarcode } from '@larder/core/codes/barcode-candidates.ts';
import { parseBarcode } from '@larder/core/codes/scanned-code.ts';
import type { Food, FoodId } from '@larder/core/food.ts';
import { KJ_PER_KCAL, NUTRIENTS, type NutrientKey } from '@larder/core/nutrients.ts';
import { tidyNumber } from '@larder/core/rounding.ts';

export const FOOD_WARNINGS = [
  'wrong_check_digit',
  'implausible_energy',
  'part_above_whole',
  'above_pure_substance',
  'entered_before',
] as const;

/** Something that looks wrong in a custom food. Products with such values exist, so it is saved all the same. */
export interface FoodWarning {
  readonly code: (typeof FOOD_WARNINGS)[number];
  /** The name of the field in the API. */
  readonly field: 'name' | 'barcode' | `macros.${NutrientKey}`;
  readonly message: string;
  /** The food that was entered before. */
  readonly foodId?: FoodId;
}

/** Pure fat. */
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

/** Says that the first food has the same name and values as one that was just entered. */
export function enteredBefore(first: FoodId): FoodWarning {
  const message =
    'A food with this name and these values was entered before; use that one, or delete this one.';
  return { code: 'entered_before', field: 'name', message, foodId: first };
}

export function warningsOf(food: Food): FoodWarning[] {
  const message = energyProblem(food);
  return [
    ...(food.barcode === undefined || isCheckedBarcode(parseBarcode(food.barcode))
      ? []
      : [WRONG_CHECK_DIGIT]),
    ...(message === undefined
      ? []
      : [{ code: 'implausible_energy', field: 'macros.energy', message } as const]),
    ...amountProblems(food),
  ];
}

/** Parts that are larger than their whole, and minerals of which not even the pure substance has so much. */
function amountProblems({ per100, unknown = [], servings: [{ basisAmount }] }: Food): FoodWarning[] {
  const inServing = (amount: number) => tidyNumber((amount * basisAmount) / 100);
  return NUTRIENTS.flatMap(({ key, partOf, maxPerGram, unit }): FoodWarning[] => {
    const amount = per100[key];
    if (amount === undefined) return [];
    const field = `macros.${key}` as const;
    const whole = partOf && !unknown.includes(partOf) ? per100[partOf] : undefined;
    if (partOf !== undefined && whole !== undefined && inServing(amount) > inServing(whole) + ROUNDING_G) {
      const message = `${inServing(amount)} g of ${key} cannot be part of ${inServing(whole)} g of ${partOf}.`;
      return [{ code: 'part_above_whole', field, message }];
    }
    if (maxPerGram === undefined || amount <= maxPerGram * 100) return [];
    const message = `${inServing(amount)} ${unit} of ${key} in ${basisAmount} g is more than the pure substance has; is the amount in ${unit}?`;
    return [{ code: 'above_pure_substance', field, message }];
  });
}

const WRONG_CHECK_DIGIT: FoodWarning = {
  code: 'wrong_check_digit',
  field: 'barcode',
  message: 'The check digit of the barcode is wrong; compare it with the package.',
};

/** The problem with the energy of the first serving; undefined if its nutrients explain it. */
function energyProblem({ basis, per100, unknown, servings: [{ basisAmount }] }: Food): string | undefined {
  if (per100.energy > MAX_KCAL_PER_100) {
    return `${Math.round(per100.energy)} kcal per 100 ${basis} is more than pure fat has (${MAX_KCAL_PER_100}); is it in kJ?`;
  }
  if (unknown !== undefined) return undefined;
  const inServing = (amount: number) => (amount * basisAmount) / 100;
  const { protein, fat, carbohydrates, fiber = 0 } = per100;
  const kcal = inServing(per100.energy);
  const ofMacros = protein * FACTORS.protein + fat * FACTORS.fat + carbohydrates * FACTORS.carbohydrates;
  const expected = inServing(ofMacros);
  const least = inServing(ofMacros - Math.min(fiber, carbohydrates) * FACTORS.carbohydrates);
  // No nutrient says how much alcohol a drink holds.
  const alcohol = basis === 'ml' ? ALCOHOL_DENSITY * FACTORS.alcohol : 0;
  const most = inServing(ofMacros + fiber * FACTORS.fiber + alcohol);
  const isKj = Math.abs(kcal / KJ_PER_KCAL - expected) <= NEAR * expected && kcal - expected > ROUNDING_KCAL;
  if (!isKj && kcal >= least - tolerance(least) && kcal <= most + tolerance(most)) return undefined;
  const hint = isKj ? ': it looks like kJ' : '';
  return `${Math.round(kcal)} kcal is far from the ${Math.round(expected)} kcal that protein, fat and carbohydrates make${hint}.`;
}

function tolerance(kcal: number): number {
  return Math.max(ROUNDING_KCAL, TOLERANCE * kcal);
}
