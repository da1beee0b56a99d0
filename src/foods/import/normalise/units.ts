import type { Basis } from '@larder/core/food.ts';
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
export const BASIS_PER_UNIT: Readonly<Record<MeasuredUnit['unit'], number>> = {
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
  ...spellings('lb|lbs|lbr|pound|pounds', { unit: 'oz', basis: 'g', factor: 16 }),
  ...spellings('oz|onz|ounce|ounces', { unit: 'oz', basis: 'g', factor: 1 }),
  ...spellings(MILLILITRE, { unit: 'ml', basis: 'ml', factor: 1 }),
  ...spellings('cl|centiliter|centilitre', { unit: 'ml', basis: 'ml', factor: 10 }),
  ...spellings('dl|deciliter|decilitre', { unit: 'ml', basis: 'ml', factor: 100 }),
  ...spellings(LITRE, { unit: 'ml', basis: 'ml', factor: 1_000 }),
  ...spellings('fl oz|floz|oza|fluid ounce|fluid ounces', { unit: 'fl_oz', basis: 'ml', factor: 1 }),
]);

/** Household units with several spellings; any other word is its own unit. */
const HOUSEHOLD: ReadonlyMap<string, string> = new Map([
  ...spellings('cup|cups', 'cup'),
  ...spellings('tbsp|tbsps|tbs|tbl|tablespoon|tablespoons', 'tbsp'),
  ...spellings('tsp|tsps|teaspoon|teaspoons', 'tsp'),
  ...spellings('piece|pieces|pc|pcs|pce', 'piece'),
  ...spellings('slice|slices', 'slice'),
  ...spellings('serving|servings|portion|portions', 'serving'),
  ...spellings('package|packages|packet|packets|pkg|pack|packs', 'package'),
  ...spellings('bar|bars', 'bar'),
  ...spellings('bottle|bottles', 'bottle'),
  ...spellings('can|cans', 'can'),
  ...spellings('container|containers', 'container'),
  ...spellings('cookie|cookies', 'cookie'),
  ...spellings('cracker|crackers', 'cracker'),
  ...spellings('scoop|scoops', 'scoop'),
]);

export function findMeasuredUnit(written: string): MeasuredUnit | undefined {
  return MEASURED.get(plain(written));
}

/** The household unit of a word; undefined if it is not a word. */
export function findHouseholdUnit(written: string): string | undefined {
  const word = plain(written);
  return HOUSEHOLD.get(word) ?? (/^\p{L}{2,20}$/u.test(word) ? word : undefined);
}

/** Normalises to lower case, no full stops, single spaces: "Fl. Oz." -> "fl oz". */
function plain(written: string): string {
  return written.toLowerCase().replaceAll('.', '').replace(/\s+/g, ' ').trim();
}

function spellings<const T>(written: string, meaning: T): [string, T][] {
  return written.split('|').map((word) => [word, meaning]);
}
