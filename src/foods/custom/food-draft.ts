import { parseBarcode } from '@larder/core/codes/scanned-code.ts';
import { AppError } from '@larder/core/errors.ts';
import type { Basis, Food, FoodId, Serving } from '@larder/core/food.ts';
import { toGtin } from '@larder/core/gtin.ts';
import {
  FURTHER_KEYS,
  type Nutrients,
  type PartialNutrients,
  REGISTRY,
  REQUIRED_NUTRIENTS,
} from '@larder/core/nutrients.ts';
import { scaleToServing, tidyNumber, toPer100 } from '@larder/core/rounding.ts';
import { sizeOfUnit } from '@larder/core/unit-sizes.ts';

export const MAX_NAME_LENGTH = 200;
export const MAX_BRAND_LENGTH = 100;
export const MAX_ALIASES = 20;
export const MAX_LABEL_LENGTH = 100;
export const MAX_UNIT_LENGTH = 30;
/** Maximum amount of one serving, in its own unit and in g or ml. */
export const MAX_SERVING_AMOUNT = 10_000;

/** Rounded label values may add up to a little more than the whole. */
const MAX_MASS_G_PER_100 = 105;
/** Maximum energy of a food: slightly more than pure fat, with the rounding of a label's serving. */
const MAX_KCAL_PER_100 = 905;
const ROUNDING_KCAL = 5;
/** Rather high, because people search for foods that they entered themselves. */
const CUSTOM_FOOD_POPULARITY = 160;

/** Units that state the weight or volume of the serving themselves. */
export const MEASURED_UNITS: readonly string[] = ['g', 'oz', 'ml', 'fl_oz', 'cup', 'tbsp', 'tsp'];

function measuredSize(unit: string) {
  return MEASURED_UNITS.includes(unit) ? sizeOfUnit(unit) : undefined;
}

/** A food as a person enters it, with the amounts in one serving. */
export interface FoodDraft {
  readonly name: string;
  readonly brand?: string;
  readonly barcode?: string;
  readonly aliases?: readonly string[];
  readonly servingSize: {
    readonly value: number;
    readonly unit: string;
    readonly label?: string;
    /** Weight of the serving; required if the unit is a household one such as `slice`. */
    readonly grams?: number;
  };
  /** In the units of `REGISTRY_UNITS`, scaled to the serving. */
  readonly macros: PartialNutrients & { readonly energy: number };
}

export interface FoodStamp {
  readonly id: FoodId;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

const NOTHING = { energy: 0, protein: 0, fat: 0, carbohydrates: 0 } as const;

/** Throws `invalid_request` or `invalid_barcode`, naming the field, for impossible values. */
export function toCustomFood(draft: FoodDraft, stamp: FoodStamp): Food {
  const { basis, serving } = toServing(draft.servingSize);
  const known = REGISTRY.flatMap(({ key }) =>
    draft.macros[key] === undefined ? [] : [[key, draft.macros[key]] as const],
  );
  const unknown = REQUIRED_NUTRIENTS.filter((key) => draft.macros[key] === undefined);
  const stated = {
    amount: serving.basisAmount,
    nutrients: { ...NOTHING, ...Object.fromEntries(known) } as Nutrients,
  };
  const per100 = toPer100(stated);
  for (const key of FURTHER_KEYS) {
    const value = stated.nutrients[key];
    if (value !== undefined) per100[key] = (value * 100) / stated.amount;
  }
  refuseEnergy(stated.nutrients.energy, serving.basisAmount, basis);
  refuseImpossible(per100, basis, serving.basisAmount);
  return {
    ...stamp,
    source: 'manual_entry',
    name: draft.name,
    ...(draft.brand !== undefined && { brand: draft.brand }),
    aliases: draft.aliases ?? [],
    ...(draft.barcode !== undefined && barcodeOf(draft.barcode)),
    basis,
    per100,
    ...(unknown.length > 0 && { unknown }),
    stated,
    servings: [serving],
    popularity: CUSTOM_FOOD_POPULARITY,
  };
}

/** The inverse of `toCustomFood`, for changing single fields. */
export function toFoodDraft(food: Food): FoodDraft {
  const { name, brand, barcode, aliases, per100, unknown = [], stated, servings } = food;
  const amounts: PartialNutrients =
    stated?.nutrients ??
    // A food that an older version wrote has only its amounts per 100.
    Object.fromEntries(
      Object.entries(per100).map(([key, amount]) => [key, scaleToServing(amount, servings[0])]),
    );
  const known = Object.entries(amounts).filter(([key]) => !unknown.includes(key as never));
  const [{ value, unit, label }] = servings;
  const grams = statedGrams(food);
  return {
    name,
    ...(brand !== undefined && { brand }),
    ...(barcode !== undefined && { barcode }),
    aliases,
    servingSize: {
      value,
      unit,
      ...(label !== undefined && { label }),
      ...(grams !== undefined && { grams }),
    },
    macros: Object.fromEntries(known) as FoodDraft['macros'],
  };
}

/** Weight of the first serving if its unit does not state it, so that a draft must. Packages call 28 g an ounce. */
export function statedGrams({ basis, servings: [serving] }: Food): number | undefined {
  const { value, unit, basisAmount } = serving;
  if (basis === 'ml') return undefined;
  const measured = measuredSize(unit);
  return measured?.basis === 'g' && value * measured.size === basisAmount ? undefined : basisAmount;
}

function toServing({ value, unit, label, grams }: FoodDraft['servingSize']): {
  basis: Basis;
  serving: Serving;
} {
  const measured = measuredSize(unit);
  if (grams === undefined && measured === undefined) {
    throw invalid(
      ['servingSize.grams'],
      `"${unit}" is a household unit: say in servingSize.grams what the serving weighs, or use one of ${MEASURED_UNITS.join(', ')}.`,
    );
  }
  const [basis, basisAmount] =
    grams !== undefined ? (['g', grams] as const) : ([measured!.basis, value * measured!.size] as const);
  if (basisAmount > MAX_SERVING_AMOUNT) {
    throw invalid(['servingSize'], `A serving is at most ${MAX_SERVING_AMOUNT} g or ml.`);
  }
  return { basis, serving: { value, unit, basisAmount, ...(label !== undefined && { label }) } };
}

function barcodeOf(typed: string): Pick<Food, 'barcode' | 'gtin'> {
  const barcode = parseBarcode(typed);
  return { barcode, gtin: toGtin(barcode) };
}

/**
 * Rejects values that an import would silently drop, because a person can correct them. Doubtful energy only
 * causes a warning.
 */
function refuseEnergy(kcal: number, amount: number, basis: Basis): void {
  const max = Math.floor((amount * MAX_KCAL_PER_100) / 100 + ROUNDING_KCAL);
  if (kcal <= max) return;
  throw invalid(
    ['macros.energy'],
    `${Math.round(kcal)} kcal in ${tidyNumber(amount)} ${basis} is more than pure fat has, at most ${max} kcal here; is it in kJ, or of another amount?`,
    max,
  );
}

/** Grams of nutrients are part of the grams of the food. */
function refuseImpossible(per100: PartialNutrients, basis: Basis, amount: number): void {
  if (basis === 'ml') return;
  const tooMuch = REGISTRY.flatMap(({ key, unit }) =>
    unit === 'g' && (per100[key] ?? 0) > MAX_MASS_G_PER_100 ? [key] : [],
  );
  const sum = per100.protein! + per100.fat! + per100.carbohydrates!;
  if (tooMuch.length === 0 && sum <= MAX_MASS_G_PER_100) return;
  const fields = tooMuch.length > 0 ? tooMuch : (['protein', 'fat', 'carbohydrates'] as const);
  throw invalid(
    fields.map((key) => `macros.${key}`),
    'The serving would hold more than it weighs; are servingSize and macros of the same amount?',
    Math.round(amount * MAX_MASS_G_PER_100) / 100,
  );
}

function invalid(fields: readonly string[], message: string, max?: number): AppError {
  return new AppError({
    code: 'invalid_request',
    message,
    details: { fields, ...(max !== undefined && { max }) },
  });
}
