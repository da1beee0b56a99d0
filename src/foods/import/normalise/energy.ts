import type { FoodNote } from '@larder/core/food-notes.ts';
import { KJ_PER_KCAL } from '@larder/core/nutrients.ts';
import type { RawNutrients } from './raw-food.ts';

/**
 * Energy arithmetic with the general Atwater factors: 4 kcal per g of protein and carbohydrate, 9 of fat, and 7 of alcohol;
 * of carbohydrates 2.4 per g of polyols and none of erythritol (EU regulation 1169/2011, annex XIV). 1 kcal is 4.184 kJ.
 */

const MAX_KCAL_PER_100 = 905;
const FACTORS = { protein: 4, carbohydrates: 4, fat: 9 } as const;
const KJ = { protein: 17, carbohydrates: 17, fat: 37, fiber: 8 } as const;
/** Tolerance of computed values, which have different decimals. */
const SAME_SHARE = 0.002;
const KCAL_PER_G_ALCOHOL = 7;
const KCAL_PER_G_POLYOLS = 2.4;

/** Energies within this share agree: labels round, and fibre and sweeteners count less. */
const NEAR = 0.1;
/**
 * Below this, arithmetic proves nothing about a unit: the alcohol of wine or spirits, which many sources omit,
 * explains four times the energy of their few carbohydrates.
 */
const MIN_PROOF_KCAL = 60;
/**
 * Limits of the ratio of kJ to kcal, with the rounding of both: labels round 12 kcal of a serving to 10, and
 * sources compute the other value from it.
 */
const MIN_KJ_PER_KCAL = 2.8;
const MAX_KJ_PER_KCAL = 6;
/** Rounding of small energies, in kJ. */
const ROUNDING_KJ = 12;
/** If two energies disagree, one within this factor of the nutrients is kept. */
const NEARER_FACTOR = 1.5;
/** Below this share of the certain energy, the stated energy is wrong, and not one of the nutrients. */
const LEAST_SHARE = 0.25;
/** kcal that labels may round to 0. */
const ROUNDING_KCAL = 5;

export interface SettledEnergy {
  readonly kcal?: number;
  readonly mended?: FoodNote;
}

/** The energy in kcal from the stated kcal and kJ; impossible amounts are dropped. */
export function settleEnergy(stated: RawNutrients): SettledEnergy {
  const { energy: kcal, energyKj: kj } = stated;
  const expected = expectedKcal(stated);
  if (expected !== undefined && expected >= MIN_PROOF_KCAL) {
    const proven = proveUnit(kcal, kj, expected);
    if (proven !== undefined) return proven;
  }
  const fromKj = kj === undefined ? undefined : kj / KJ_PER_KCAL;
  const least = leastKcal(stated);
  if (isBelow(kcal, least) || isBelow(fromKj, least)) {
    const other = isBelow(kcal, least) ? fromKj : kcal;
    const isKept = isPossible(other) && !isBelow(other, least);
    return isKept ? { kcal: other, mended: 'energy_nearer' } : { mended: 'energy_too_low' };
  }
  if (isPossible(kcal) && isPossible(fromKj) && !agree(kcal, kj!))
    return isComputedKj(stated) ? { kcal } : nearer(kcal, fromKj, expected);
  if (isPossible(kcal)) return { kcal };
  const isDropped = kcal !== undefined || (kj !== undefined && !isPossible(fromKj));
  return {
    ...(isPossible(fromKj) && { kcal: fromKj }),
    ...(isDropped && { mended: 'energy_dropped' }),
  };
}

/**
 * Whether a source computed the kJ from the nutrients, with the factors of EU regulation 1169/2011: then they
 * prove nothing.
 */
function isComputedKj({
  energyKj,
  protein = 0,
  carbohydrates = 0,
  fat = 0,
  fiber = 0,
}: RawNutrients): boolean {
  const sum = KJ.protein * protein + KJ.carbohydrates * carbohydrates + KJ.fat * fat;
  if (energyKj === undefined || sum === 0) return false;
  return [sum, sum + KJ.fiber * fiber].some(
    (computed) => Math.abs(energyKj - computed) <= SAME_SHARE * computed,
  );
}

/** Carbohydrates that certainly contain energy: others may be fibre or sweeteners. */
function leastKcal({ protein = 0, fat = 0, sugars = 0 }: RawNutrients): number {
  return (
    LEAST_SHARE * (protein * FACTORS.protein + fat * FACTORS.fat + sugars * FACTORS.carbohydrates) -
    ROUNDING_KCAL
  );
}

function isBelow(kcal: number | undefined, least: number): boolean {
  return kcal !== undefined && kcal >= 0 && kcal < least;
}

function agree(kcal: number, kj: number): boolean {
  if (Math.abs(kj - kcal * KJ_PER_KCAL) <= ROUNDING_KJ) return true;
  return kj >= kcal * MIN_KJ_PER_KCAL && kj <= kcal * MAX_KJ_PER_KCAL;
}

/** Chooses the energy that fits the nutrients if two disagree; neither if nothing shows which is right. */
function nearer(kcal: number, fromKj: number, expected: number | undefined): SettledEnergy {
  const fits = (energy: number) =>
    expected !== undefined &&
    (Math.abs(energy - expected) <= ROUNDING_KCAL ||
      (energy <= expected * NEARER_FACTOR && energy >= expected / NEARER_FACTOR));
  if (fits(kcal) === fits(fromKj)) {
    const isKcal = expected !== undefined && Math.abs(kcal - expected) <= Math.abs(fromKj - expected);
    return fits(kcal)
      ? { kcal: isKcal ? kcal : fromKj, mended: 'energy_nearer' }
      : { mended: 'energies_disagree' };
  }
  return { kcal: fits(kcal) ? kcal : fromKj, mended: 'energy_nearer' };
}

/** Corrects a number that is wrong in its stated unit and right in the other. */
function proveUnit(
  kcal: number | undefined,
  kj: number | undefined,
  expected: number,
): SettledEnergy | undefined {
  const fromKj = kj === undefined ? undefined : kj / KJ_PER_KCAL;
  if (isNear(kcal, expected)) return undefined;
  if (kcal !== undefined && isNear(kcal / KJ_PER_KCAL, expected)) {
    return { kcal: kcal / KJ_PER_KCAL, mended: 'energy_was_kj' };
  }
  if (isNear(fromKj, expected)) {
    return { kcal: fromKj!, ...(kcal !== undefined && { mended: 'energy_from_kj' }) };
  }
  if (kcal === undefined && isNear(kj, expected)) return { kcal: kj!, mended: 'energy_was_kcal' };
  return undefined;
}

/** Undefined unless protein, carbohydrates and fat are known. */
export function expectedKcal(stated: RawNutrients): number | undefined {
  const { protein, carbohydrates, fat, alcoholG = 0 } = stated;
  if (protein === undefined || carbohydrates === undefined || fat === undefined) return undefined;
  const { polyols, erythritol } = polyolsOf(stated, carbohydrates);
  return (
    protein * FACTORS.protein +
    (carbohydrates - polyols) * FACTORS.carbohydrates +
    (polyols - erythritol) * KCAL_PER_G_POLYOLS +
    fat * FACTORS.fat +
    alcoholG * KCAL_PER_G_ALCOHOL
  );
}

function polyolsOf({ polyolsG = 0, erythritolG = 0 }: RawNutrients, carbohydrates: number) {
  const polyols = Math.min(carbohydrates, Math.max(polyolsG, erythritolG));
  return { polyols, erythritol: Math.min(polyols, erythritolG) };
}

/** Tolerance when deriving a nutrient, in g: below 0, or above 100 in total. */
const MAX_DEFICIT_G = 1;
/** From this weight of the known nutrients on (oil, sugar), others can only be traces. */
const FULL_WEIGHT_G = 99.5;
const KEYS = ['protein', 'carbohydrates', 'fat'] as const;

/**
 * Derives missing energy, protein, carbohydrates or fat from the others, and returns how. Does nothing if they are
 * not determined or the result is impossible.
 */
export function deriveMissing(known: RawNutrients): FoodNote[] {
  const mended: FoodNote[] = [];
  if (KEYS.some((key) => known[key] === undefined) && weightOf(known) >= FULL_WEIGHT_G) {
    for (const key of KEYS) known[key] ??= 0;
    mended.push('rest_is_zero');
  }
  const derived = deriveEnergy(known) ?? deriveNutrient(known);
  if (derived !== undefined) {
    const hasPolyols = (known.polyolsG ?? 0) > 0 || (known.erythritolG ?? 0) > 0;
    mended.push(derived === 'energy' && hasPolyols ? 'energy_of_polyols' : `${derived}_derived`);
  }
  return mended;
}

function deriveEnergy(known: RawNutrients): 'energy' | undefined {
  const kcal = known.energy === undefined ? expectedKcal(known) : undefined;
  if (!isPossible(kcal)) return undefined;
  known.energy = Math.round(kcal * 10) / 10;
  return 'energy';
}

function deriveNutrient(known: RawNutrients): (typeof KEYS)[number] | undefined {
  const [key, ...others] = KEYS.filter((nutrient) => known[nutrient] === undefined);
  if (known.energy === undefined || key === undefined || others.length > 0) return undefined;
  const grams = (known.energy - expectedKcal({ ...known, [key]: 0 })!) / FACTORS[key];
  if (grams < -MAX_DEFICIT_G || grams + weightOf(known) > 100 + MAX_DEFICIT_G) return undefined;
  known[key] = Math.min(100, Math.max(0, Math.round(grams * 10) / 10));
  return key;
}

function weightOf(known: RawNutrients): number {
  return KEYS.reduce((sum, key) => sum + (known[key] ?? 0), known.alcoholG ?? 0);
}

function isPossible(kcal: number | undefined): kcal is number {
  return kcal !== undefined && kcal >= 0 && kcal <= MAX_KCAL_PER_100;
}

export function isNear(value: number | undefined, expected: number): boolean {
  return value !== undefined && Math.abs(value - expected) <= NEAR * expected;
}
