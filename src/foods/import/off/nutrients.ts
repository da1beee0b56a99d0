import { KJ_PER_KCAL, STATED_NUTRIENTS } from '@larder/core/nutrients.ts';
import type { RawNutrients } from '../normalise/raw-food.ts';

interface Meaning {
  readonly key: keyof RawNutrients;
  /** Factor from the export's unit (g for masses, kJ or kcal, % vol for alcohol) to that of the key. */
  readonly factor: number;
}

/** Amounts in one exported unit; exports state masses in g. */
const PER_EXPORTED_UNIT = { kcal: 1, kj: 1, g: 1, mg: 1e3, ug: 1e6, iu: 1 } as const;

/**
 * Meanings by Open Food Facts' names. In the CSV, in Parquet and in the `_100g` and `_serving` fields of old JSON all
 * masses are in g.
 */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  STATED_NUTRIENTS.flatMap((stated) => {
    const factor = ('offFactor' in stated && stated.offFactor) || PER_EXPORTED_UNIT[stated.unit];
    return (stated.off ?? []).map((name) => [name, { key: stated.key, factor }] as const);
  }),
);

export const OFF_NUTRIENT_NAMES: readonly string[] = [...MEANINGS.keys()];

export function perExportedUnit(unit: keyof typeof PER_EXPORTED_UNIT): number {
  return PER_EXPORTED_UNIT[unit];
}

/** Whether foods have a nutrient of this name. */
export function isOffNutrient(name: string): boolean {
  return MEANINGS.has(name);
}

/** Sets an amount in the export's unit. The first of two names for one nutrient counts. */
export function setOffNutrient(into: RawNutrients, name: string, amount: number | undefined): void {
  const meaning = MEANINGS.get(name);
  if (meaning === undefined || amount === undefined) return;
  into[meaning.key] ??= amount * meaning.factor;
}

/** "400 kcal", "~10", "1,5 g", "<0.5", which is too little to measure: 0. */
const WRITTEN_AMOUNT = /^\s*(<)?\s*[~≈]?\s*(\d+(?:[.,]\d+)?)\s*([a-zµμ]*)\s*$/i;

/** The number in an amount that an export has as text, and its unit, empty if there is none; undefined for other texts. */
export function writtenAmount(text: string): { readonly amount: number; readonly unit: string } | undefined {
  const [, below, digits, unit = ''] = WRITTEN_AMOUNT.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return { amount: below === undefined ? Number(digits.replace(',', '.')) : 0, unit };
}

/** Sets an amount that an export has as text, in the export's unit unless the text has its own. */
export function setWrittenNutrient(into: RawNutrients, name: string, text: string): void {
  const written = writtenAmount(text);
  if (written === undefined) return;
  if (written.unit === '') setOffNutrient(into, name, written.amount);
  else setOffNutrientWithUnit(into, name, written.amount, written.unit);
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

/** Grams in a unit of mass; undefined for others. */
export function gramsIn(unit: string): number | undefined {
  return GRAMS[unit.toLowerCase()];
}

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
    const grams = gramsIn(unit);
    if (grams !== undefined) setOffNutrient(into, name, amount * grams);
  }
}
