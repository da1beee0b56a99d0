import { NUTRIENT_KEYS, NUTRIENT_UNITS, type PartialNutrients } from '../nutrients.ts';
import { deriveMissing, expectedKcal, KJ_PER_KCAL, settleEnergy } from './energy.ts';
import type { RawNutrients } from './raw-food.ts';
import { tidyNumber } from './tidy-number.ts';

/** EU regulation 1169/2011, annex I: salt is 2.5 times its sodium. */
const MG_SODIUM_PER_G_SALT = 400;
const UG_VITAMIN_D_PER_IU = 1 / 40;

/** No more than 100 g of anything is in 100 g. */
const MAX_PER_100 = { kcal: Number.POSITIVE_INFINITY, g: 100, mg: 100_000, ug: 100_000_000 } as const;
/** The same for what is stated, in its units; `settleEnergy` judges energies. */
const MAX_STATED: ReadonlyMap<string, number> = new Map([
  ...NUTRIENT_KEYS.map((key) => [key, MAX_PER_100[NUTRIENT_UNITS[key]]] as const),
  ['saltG', MAX_PER_100.g],
  ['alcoholG', MAX_PER_100.g],
  ['vitaminDIu', MAX_PER_100.ug / UG_VITAMIN_D_PER_IU],
]);

/** Fat, protein and carbohydrates may weigh this many times the serving, because of rounding. */
const MAX_OVERWEIGHT = 1.05;
const MAX_OVERWEIGHT_G = 0.5;
/** Labels round, and fibre counts less than 4-4-9 says. */
const MAX_ENERGY_GAP = 0.25;
const MAX_ENERGY_GAP_KCAL = 20;

export interface CleanNutrients {
  readonly per100: PartialNutrients;
  readonly mended: readonly string[];
}

interface StatedNutrients {
  readonly per100?: RawNutrients;
  readonly perServing?: RawNutrients;
  /** g or ml of the serving that `perServing` is about. */
  readonly servingAmount?: number;
}

/** Amounts per 100 g or ml out of what a source states per 100 and per serving. Impossible ones count as unknown. */
export function cleanNutrients({ per100 = {}, perServing, servingAmount }: StatedNutrients): CleanNutrients {
  const mended: string[] = [];
  const stated = scaleServing(per100, perServing, servingAmount, mended);
  dropImpossible(stated, mended);
  convert(stated);
  const { kcal, mended: energyMended } = settleEnergy(stated);
  if (energyMended !== undefined) mended.push(energyMended);
  if (kcal === undefined) delete stated.energy;
  else stated.energy = kcal;
  mended.push(...deriveMissing(stated));

  const clean: PartialNutrients = {};
  for (const key of NUTRIENT_KEYS) {
    const amount = stated[key];
    if (amount !== undefined) clean[key] = tidyNumber(amount);
  }
  return { per100: clean, mended };
}

/** Takes from the serving what is not known per 100. */
function scaleServing(
  per100: RawNutrients,
  perServing: RawNutrients | undefined,
  servingAmount: number | undefined,
  mended: string[],
): RawNutrients {
  if (perServing === undefined || servingAmount === undefined) return { ...per100 };
  const weight = (perServing.protein ?? 0) + (perServing.carbohydrates ?? 0) + (perServing.fat ?? 0);
  if (weight > servingAmount * MAX_OVERWEIGHT + MAX_OVERWEIGHT_G) {
    if (weight > 100 * MAX_OVERWEIGHT) return { ...per100 };
    mended.push('values per 100 entered as values per serving');
    return withTrustedEnergy(perServing);
  }
  const all: RawNutrients = { ...per100 };
  let scaled = 0;
  for (const key of Object.keys(perServing) as (keyof RawNutrients)[]) {
    const amount = perServing[key];
    if (all[key] !== undefined || amount === undefined) continue;
    all[key] = (amount * 100) / servingAmount;
    scaled++;
  }
  if (scaled > 0) mended.push('values per serving scaled to 100');
  return all;
}

/**
 * A serving cannot hold more than it weighs. Where the numbers claim that, they are per 100 g: true for 182 of the 184
 * such products of Open Food Facts whose values of 2019, before the mix-up, are known. The energy was often scaled
 * nevertheless, so it only counts where arithmetic agrees.
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

/** Into the catalogue's own nutrients and units. */
function convert(stated: RawNutrients): void {
  if (stated.sodium === undefined && stated.saltG !== undefined) {
    stated.sodium = stated.saltG * MG_SODIUM_PER_G_SALT;
  }
  if (stated.vitaminD === undefined && stated.vitaminDIu !== undefined) {
    stated.vitaminD = stated.vitaminDIu * UG_VITAMIN_D_PER_IU;
  }
}

function dropImpossible(stated: RawNutrients, mended: string[]): void {
  let dropped = false;
  for (const key of Object.keys(stated) as (keyof RawNutrients)[]) {
    const [amount, max] = [stated[key], MAX_STATED.get(key)];
    if (amount === undefined || max === undefined || key === 'energy') continue;
    if (amount >= 0 && tidyNumber(amount) <= max) continue;
    delete stated[key];
    dropped = true;
  }
  if (dropped) mended.push('nutrient below 0 or above 100 g per 100 g dropped');
}
