import { KJ_PER_KCAL } from '../normalise/energy.ts';
import type { RawNutrients } from '../normalise/raw-food.ts';

interface Meaning {
  readonly key: keyof RawNutrients;
  /** Factor from the export's unit (g for masses, kJ or kcal, % vol for alcohol) to that of the key. */
  readonly factor: number;
}

const GRAMS_PER_ML_ALCOHOL = 0.789;

/**
 * Open Food Facts' names of nutrients. In the CSV, in Parquet and in the `_100g` and `_serving` fields of old JSON
 * all masses are in g. Source: https://wiki.openfoodfacts.org/Nutrients_handling_in_Open_Food_Facts.
 */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['energy-kcal', { key: 'energy', factor: 1 }],
  ['energy-kj', { key: 'energyKj', factor: 1 }],
  ['energy', { key: 'energyKj', factor: 1 }],
  ['proteins', { key: 'protein', factor: 1 }],
  ['fat', { key: 'fat', factor: 1 }],
  ['carbohydrates', { key: 'carbohydrates', factor: 1 }],
  ['fiber', { key: 'fiber', factor: 1 }],
  ['sugars', { key: 'sugars', factor: 1 }],
  ['added-sugars', { key: 'addedSugars', factor: 1 }],
  ['saturated-fat', { key: 'saturatedFat', factor: 1 }],
  ['trans-fat', { key: 'transFat', factor: 1 }],
  ['cholesterol', { key: 'cholesterol', factor: 1e3 }],
  ['sodium', { key: 'sodium', factor: 1e3 }],
  ['salt', { key: 'saltG', factor: 1 }],
  ['potassium', { key: 'potassium', factor: 1e3 }],
  ['calcium', { key: 'calcium', factor: 1e3 }],
  ['iron', { key: 'iron', factor: 1e3 }],
  ['vitamin-d', { key: 'vitaminD', factor: 1e6 }],
  ['alcohol', { key: 'alcoholG', factor: GRAMS_PER_ML_ALCOHOL }],
]);

export const OFF_NUTRIENT_NAMES: readonly string[] = [...MEANINGS.keys()];

/** Sets an amount in the export's unit. The first of two names for one nutrient counts. */
export function setOffNutrient(into: RawNutrients, name: string, amount: number | undefined): void {
  const meaning = MEANINGS.get(name);
  if (meaning === undefined || amount === undefined) return;
  into[meaning.key] ??= amount * meaning.factor;
}

/** Factors to grams. */
const GRAMS: Readonly<Record<string, number>> = {
  kg: 1e3,
  g: 1,
  mg: 1e-3,
  mcg: 1e-6,
  µg: 1e-6,
  ug: 1e-6,
  μg: 1e-6,
};

/** Sets an amount with its own unit, as in schema 1003. */
export function setOffNutrientWithUnit(
  into: RawNutrients,
  name: string,
  amount: number | undefined,
  unit: string,
): void {
  if (amount === undefined) return;
  if (name === 'vitamin-d' && /^iu$/i.test(unit)) {
    into.vitaminDIu ??= amount;
  } else if (name.startsWith('energy')) {
    const isKcal = /^kcal$/i.test(unit);
    const wantsKcal = name === 'energy-kcal';
    setOffNutrient(
      into,
      name,
      isKcal === wantsKcal ? amount : isKcal ? amount * KJ_PER_KCAL : amount / KJ_PER_KCAL,
    );
  } else if (name === 'alcohol') {
    setOffNutrient(into, name, amount);
  } else {
    const grams = GRAMS[unit.toLowerCase()];
    if (grams !== undefined) setOffNutrient(into, name, amount * grams);
  }
}
