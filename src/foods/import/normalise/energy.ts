import { KJ_PER_KCAL } from '@larder/core/nutrients.ts';
import type { RawNutrients } from './raw-food.ts';

/**
 * Energy arithmetic with the general Atwater factors: 4 kcal per g of protein and carbohydrate, 9 of fat, and 7 of
 * alcohol. 1 kcal is 4.184 kJ.
 */

const MAX_KCAL_PER_100 = 905;
const FACTORS = { protein: 4, carbohydrates: 4, fat: 9 } as const;
const KCAL_PER_G_ALCOHOL = 7;

/** Energies within this share agree: labels round, and fibre and sweeteners count less. */
const NEAR = 0.1;
/**
 * Below this, arithmetic proves nothing about a unit: the alcohol of wine or spirits, which many sources omit,
 * explains four times the energy of their few carbohydrates.
 */
const MIN_PROOF_KCAL = 60;

export interface SettledEnergy {
  readonly kcal?: number;
  readonly mended?: string;
}

/** The energy in kcal from the stated kcal and kJ; impossible amounts are dropped. */
export function settleEnergy(stated: RawNutrients): SettledEnergy {
  const { energy: kcal, energyKj: kj } = stated;
  const expected = expectedKcal(stated);
  if (expected !== undefined && expected >= MIN_PROOF_KCAL) {
    const proven = proveUnit(kcal, kj, expected);
    if (proven !== undefined) return proven;
  }
  if (isPossible(kcal)) return { kcal };
  const fromKj = kj === undefined ? undefined : kj / KJ_PER_KCAL;
  const isDropped = kcal !== undefined || (kj !== undefined && !isPossible(fromKj));
  return {
    ...(isPossible(fromKj) && { kcal: fromKj }),
    ...(isDropped && { mended: `energy below 0 or above ${MAX_KCAL_PER_100} kcal per 100 dropped` }),
  };
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
    return { kcal: kcal / KJ_PER_KCAL, mended: 'energy in kJ entered as kcal' };
  }
  if (isNear(fromKj, expected)) {
    return {
      kcal: fromKj!,
      ...(kcal !== undefined && { mended: 'kcal and kJ disagree, kJ fit the nutrients' }),
    };
  }
  if (kcal === undefined && isNear(kj, expected))
    return { kcal: kj!, mended: 'energy in kcal entered as kJ' };
  return undefined;
}

/** Undefined unless protein, carbohydrates and fat are known. */
export function expectedKcal({
  protein,
  carbohydrates,
  fat,
  alcoholG = 0,
}: RawNutrients): number | undefined {
  if (protein === undefined || carbohydrates === undefined || fat === undefined) return undefined;
  return (
    protein * FACTORS.protein +
    carbohydrates * FACTORS.carbohydrates +
    fat * FACTORS.fat +
    alcoholG * KCAL_PER_G_ALCOHOL
  );
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
export function deriveMissing(known: RawNutrients): string[] {
  const mended: string[] = [];
  if (KEYS.some((key) => known[key] === undefined) && weightOf(known) >= FULL_WEIGHT_G) {
    for (const key of KEYS) known[key] ??= 0;
    mended.push('missing nutrients taken as 0 beside others that weigh 100 g');
  }
  const derived = deriveEnergy(known) ?? deriveNutrient(known);
  if (derived !== undefined) mended.push(`${derived} derived by 4-4-9 arithmetic`);
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

function isNear(value: number | undefined, expected: number): boolean {
  return value !== undefined && Math.abs(value - expected) <= NEAR * expected;
}
