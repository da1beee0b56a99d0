import type { Basis, StatedNutrients } from '@larder/core/food.ts';
import type { FoodNote } from '@larder/core/food-notes.ts';
import { countDecimals, labelAmounts } from '@larder/core/label-amounts.ts';
import {
  KJ_PER_KCAL,
  MG_SODIUM_PER_G_SALT,
  NUTRIENT,
  NUTRIENT_FORMS,
  NUTRIENT_KEYS,
  NUTRIENTS,
  type NutrientKey,
  type Nutrients,
  type PartialNutrients,
  REQUIRED_NUTRIENTS,
  STATED_NUTRIENTS,
} from '@larder/core/nutrients.ts';
import { tidyNumber, toPer100 } from '@larder/core/rounding.ts';
import { roundedZeros } from '@larder/core/tiny-servings.ts';
import { deriveMissing, expectedKcal, isNear, settleEnergy } from './energy.ts';
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
function settleSalt(stated: RawNutrients): FoodNote[] {
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
function settleParts(stated: RawNutrients): FoodNote[] {
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
function settleSums(stated: RawNutrients, basis: 'g' | 'ml'): FoodNote[] {
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
function dropAbovePure(stated: RawNutrients): FoodNote[] {
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

/** Maximum per 100 g; `settleEnergy` checks energies, and 100 g of vitamin D are 4 billion units. */
const MAX_PER_100 = {
  kcal: Number.POSITIVE_INFINITY,
  kj: Number.POSITIVE_INFINITY,
  g: 100,
  mg: 100_000,
  ug: 100_000_000,
  iu: 4_000_000_000,
} as const;
const MAX_STATED: ReadonlyMap<string, number> = new Map(
  STATED_NUTRIENTS.map(({ key, unit }) => [key, MAX_PER_100[unit]]),
);
/** Energy has its own rules: see `settleEnergy`. */
const CONVERTED_FORMS = NUTRIENT_FORMS.filter(({ of }) => of !== 'energy');

/** Factor by which rounding may let fat, protein and carbohydrates exceed the serving's weight. */
const MAX_OVERWEIGHT = 1.05;
const MAX_OVERWEIGHT_G = 0.5;
/** Labels round, and fibre counts less than 4-4-9 assumes. */
const MAX_ENERGY_GAP = 0.25;
const MAX_ENERGY_GAP_KCAL = 20;
/** Maximum difference of floating-point noise: exports write 28.000000000000004. */
const MAX_FLOAT_NOISE = 1e-9;

interface CleanNutrients {
  readonly per100: PartialNutrients;
  /** Present if the source states a serving; `per100` is then computed from it, and complete. */
  readonly stated?: StatedNutrients;
  readonly mended: readonly FoodNote[];
}

interface StatedSource {
  readonly basis: Basis;
  readonly per100?: RawNutrients;
  readonly perServing?: RawNutrients;
  /** Amount of the serving of `perServing` in g or ml. */
  readonly servingAmount?: number;
  /** See `RawFood`. */
  readonly isScaledLabel?: boolean;
  readonly isPerServing?: boolean;
}

/**
 * Amounts per 100 g or ml, from those that a source states per 100 and per serving. Impossible ones count as
 * unknown.
 */
export function cleanNutrients(source: StatedSource): CleanNutrients {
  const mended: FoodNote[] = [];
  const { amounts, areOfServing } = scaleServing(source, mended);
  dropImpossible(amounts, mended);
  mended.push(...settleSalt(amounts));
  convert(amounts);
  mended.push(...dropAbovePure(amounts), ...settleParts(amounts), ...settleSums(amounts, source.basis));
  const { kcal, mended: energyMended } = settleEnergy(amounts);
  if (energyMended !== undefined) mended.push(energyMended);
  if (kcal === undefined) delete amounts.energy;
  else amounts.energy = kcal;
  mended.push(...deriveMissing(amounts));
  // A derived value may be less than a stated part of it.
  mended.push(...settleParts(amounts));

  const per100: PartialNutrients = {};
  for (const key of NUTRIENT_KEYS) {
    const amount = amounts[key];
    if (amount !== undefined) per100[key] = tidyNumber(amount);
  }
  const { servingAmount, isScaledLabel = false, isPerServing = false } = source;
  if (servingAmount === undefined || !isComplete(per100)) return { per100, mended };
  const stated = areOfServing
    ? servingNutrients(amounts, servingAmount)
    : isScaledLabel
      ? labelAmounts(per100, servingAmount)
      : undefined;
  const isOfLabel = areOfServing || isScaledLabel || isPerServing;
  if (isOfLabel)
    mended.push(...settleRoundedZeros(stated ?? servingNutrients(per100, servingAmount), per100));
  if (stated === undefined) return { per100, mended };
  return { per100: toPer100(stated), stated, mended };
}

/**
 * Drops zeros of a tiny serving, there and per 100. Required ones are kept and noted: they are correct for
 * the serving.
 */
function settleRoundedZeros({ amount, nutrients }: StatedNutrients, per100: PartialNutrients): FoodNote[] {
  const zeros = roundedZeros(nutrients, amount);
  const dropped = zeros.filter((key) => !NUTRIENT[key].isRequired);
  for (const key of dropped) {
    delete per100[key];
    delete (nutrients as PartialNutrients)[key];
  }
  return [
    ...(dropped.length > 0 ? (['rounded_zeros_dropped'] as const) : []),
    ...(dropped.length < zeros.length ? (['rounded_zeros_kept'] as const) : []),
  ];
}

export function isComplete(nutrients: PartialNutrients): nutrients is Nutrients {
  return REQUIRED_NUTRIENTS.every((key) => nutrients[key] !== undefined);
}

/** Converts back to the serving that was scaled to 100, using its stated amounts. */
function servingNutrients(per100: RawNutrients, amount: number): StatedNutrients {
  const nutrients: PartialNutrients = {};
  for (const key of NUTRIENT_KEYS) {
    const value = per100[key];
    if (value !== undefined) nutrients[key] = tidyNumber((value * amount) / 100);
  }
  return { amount, nutrients: nutrients as Nutrients };
}

interface ScaledServing {
  /** Amounts per 100, not rounded. */
  readonly amounts: RawNutrients;
  /** Whether most amounts were stated for the serving. */
  readonly areOfServing: boolean;
}

/** Takes unknown and scaled values from the serving. */
function scaleServing(
  { per100 = {}, perServing, servingAmount }: StatedSource,
  mended: FoodNote[],
): ScaledServing {
  const asStated = { amounts: { ...per100 }, areOfServing: false };
  if (perServing === undefined || servingAmount === undefined) return asStated;
  const weight = (perServing.protein ?? 0) + (perServing.carbohydrates ?? 0) + (perServing.fat ?? 0);
  if (weight > servingAmount * MAX_OVERWEIGHT + MAX_OVERWEIGHT_G) {
    if (weight > 100 * MAX_OVERWEIGHT) return asStated;
    mended.push('values_of_100_in_serving');
    return { amounts: withTrustedEnergy(perServing), areOfServing: false };
  }
  const wasScaled = isScaledFrom(perServing, per100, servingAmount);
  const amounts: RawNutrients = { ...per100 };
  let scaled = 0;
  let isMended = false;
  for (const key of Object.keys(perServing) as (keyof RawNutrients)[]) {
    const amount = perServing[key];
    if (amount === undefined || (amounts[key] !== undefined && !wasScaled)) continue;
    if (amounts[key] === undefined) isMended = true;
    amounts[key] = (amount * 100) / servingAmount;
    scaled++;
  }
  if (isMended) mended.push('scaled_from_serving');
  return { amounts, areOfServing: scaled * 2 > Object.keys(amounts).length };
}

/**
 * Whether `per100` was computed from `perServing`, and not the reverse: they agree within their digits, and those of
 * the serving are shorter. 3.3333 g per 100 g are 1 g in 30 g; 2.55 g in 30 g are 8.5 g per 100 g.
 */
function isScaledFrom(perServing: RawNutrients, per100: RawNutrients, servingAmount: number): boolean {
  let saved = 0;
  for (const key of Object.keys(perServing) as (keyof RawNutrients)[]) {
    const [amount, each] = [perServing[key], per100[key]];
    if (amount === undefined || each === undefined) continue;
    const places = countDecimals(each);
    const slack = ((0.5 * 10 ** -places + MAX_FLOAT_NOISE) * servingAmount) / 100;
    if (Math.abs((each * servingAmount) / 100 - amount) > slack) return false;
    saved += places - countDecimals(amount);
  }
  return saved > 0;
}

/**
 * A serving cannot contain more than its weight. Numbers that do are per 100 g: true for 182 of the 184 such products
 * of Open Food Facts with known values from 2019, before the mix-up. The energy was often scaled nevertheless, so it
 * counts only if arithmetic agrees.
 */
function withTrustedEnergy(values: RawNutrients): RawNutrients {
  const { energy, energyKj, ...others } = values;
  const expected = expectedKcal(values);
  const kcal = energy ?? (energyKj === undefined ? undefined : energyKj / KJ_PER_KCAL);
  const isTrusted =
    expected === undefined ||
    (kcal !== undefined &&
      Math.abs(kcal - expected) <= Math.max(MAX_ENERGY_GAP_KCAL, expected * MAX_ENERGY_GAP));
  return isTrusted ? { ...values } : others;
}

/** Converts to the catalogue's nutrients and units. */
function convert(stated: RawNutrients): void {
  for (const { key, of, factor = 1 } of CONVERTED_FORMS) {
    const amount = stated[key];
    if (of !== undefined && amount !== undefined) stated[of] ??= amount * factor;
  }
}

function dropImpossible(stated: RawNutrients, mended: FoodNote[]): void {
  let dropped = false;
  for (const key of Object.keys(stated) as (keyof RawNutrients)[]) {
    const [amount, max] = [stated[key], MAX_STATED.get(key)];
    if (amount === undefined || max === undefined || key === 'energy') continue;
    if (amount >= 0 && tidyNumber(amount) <= max) continue;
    delete stated[key];
    dropped = true;
  }
  if (dropped) mended.push('impossible_dropped');
}
