import type { Basis } from '@larder/core/food.ts';
import { MIN_SERVING_AMOUNT, tidyNumber } from '@larder/core/rounding.ts';
import { GRAMS_PER, ML_PER } from '@larder/core/unit-sizes.ts';

/** A unit of mass or volume. */
export interface MeasuredUnit {
  readonly unit: 'g' | 'ml' | 'oz' | 'fl_oz';
  /** The basis of this unit. */
  readonly basis: Basis;
  /** Conversion factor to `unit`: 1,000 for kg. */
  readonly factor: number;
}

/** Factor from each unit to the basis. */
const BASIS_PER_UNIT: Readonly<Record<MeasuredUnit['unit'], number>> = {
  g: 1,
  ml: 1,
  oz: GRAMS_PER.oz,
  fl_oz: ML_PER.fl_oz,
};

const GRAM = 'g|gr|grs|gm|gms|grm|gram|grams|gramme|grammes|gramm|gramos|grammi|г|克|グラム';
const MILLILITRE = 'ml|mls|mlt|m|milliliter|milliliters|millilitre|millilitres|cc|cm3|мл|毫升';
const LITRE = 'l|lt|ltr|liter|liters|litre|litres|л';

/** All spellings of units found in Open Food Facts, FoodData Central and GS1 codes (ONZ, OZA, GRM, MLT). */
const MEASURED: ReadonlyMap<string, MeasuredUnit> = new Map<string, MeasuredUnit>([
  ...spellings(GRAM, { unit: 'g', basis: 'g', factor: 1 }),
  ...spellings('kg|kgs|kgm|kilogram|kilograms|kilo|кг', { unit: 'g', basis: 'g', factor: 1_000 }),
  ...spellings('mg|milligram|milligrams', { unit: 'g', basis: 'g', factor: 0.001 }),
  ...spellings('dag|dkg', { unit: 'g', basis: 'g', factor: 10 }),
  ...spellings('hg', { unit: 'g', basis: 'g', factor: 100 }),
  ...spellings('metric_pound', { unit: 'g', basis: 'g', factor: GRAMS_PER.metric_pound }),
  ...spellings('lb|lbs|lbr|pound|pounds', { unit: 'oz', basis: 'g', factor: 16 }),
  ...spellings('oz|onz|ounce|ounces', { unit: 'oz', basis: 'g', factor: 1 }),
  ...spellings(MILLILITRE, { unit: 'ml', basis: 'ml', factor: 1 }),
  ...spellings('cl|centiliter|centilitre', { unit: 'ml', basis: 'ml', factor: 10 }),
  ...spellings('dl|deciliter|decilitre', { unit: 'ml', basis: 'ml', factor: 100 }),
  ...spellings(LITRE, { unit: 'ml', basis: 'ml', factor: 1_000 }),
  ...spellings('fl oz|fl_oz|floz|oza|fluid ounce|fluid ounces', { unit: 'fl_oz', basis: 'ml', factor: 1 }),
]);

export function findMeasuredUnit(written: string): MeasuredUnit | undefined {
  return MEASURED.get(plain(written));
}

/** An amount in one of the units that servings are stated in. */
export interface MeasuredAmount {
  readonly value: number;
  readonly unit: MeasuredUnit['unit'];
  /** The amount in g or ml. */
  readonly basisAmount: number;
}

/** Maximum amount of a serving. */
const MAX_SERVING_BASIS_AMOUNT = 5_000;

/** Whether an amount in g or ml may be a serving. */
export function isServingAmount(basisAmount: number): boolean {
  return basisAmount >= MIN_SERVING_AMOUNT && basisAmount <= MAX_SERVING_BASIS_AMOUNT;
}

/** A number with its unit, from separate fields. */
export function measuredAmount(value: number, written: string): MeasuredAmount | undefined {
  const found = findMeasuredUnit(written);
  return found && toAmount(value * found.factor, found.unit);
}

/** Undefined for an impossible serving. */
export function timesOf({ value, unit }: MeasuredAmount, times: number): MeasuredAmount | undefined {
  return toAmount(value * times, unit);
}

/** Undefined for the sum of a mass and a volume. */
export function sumOf(a: MeasuredAmount, b: MeasuredAmount): MeasuredAmount | undefined {
  if (a.unit === b.unit) return toAmount(a.value + b.value, a.unit);
  return isMass(a) === isMass(b)
    ? toAmount(a.value + b.basisAmount / BASIS_PER_UNIT[a.unit], a.unit)
    : undefined;
}

export function isMass({ unit }: Pick<MeasuredAmount, 'unit'>): boolean {
  return unit === 'g' || unit === 'oz';
}

function toAmount(value: number, unit: MeasuredUnit['unit']): MeasuredAmount | undefined {
  const basisAmount = tidyNumber(value * BASIS_PER_UNIT[unit]);
  const ownAmount = tidyNumber(value);
  if (!isServingAmount(basisAmount) || ownAmount < MIN_SERVING_AMOUNT) return undefined;
  return { value: ownAmount, unit, basisAmount };
}

/** Normalises to lower case, no full stops, single spaces: "Fl. Oz." -> "fl oz". */
function plain(written: string): string {
  return written.toLowerCase().replaceAll('.', '').replace(/\s+/g, ' ').trim();
}

function spellings<const T>(written: string, meaning: T): [string, T][] {
  return written.split('|').map((word) => [word, meaning]);
}
