import type { Basis } from './food.ts';

/**
 * g in one unit of mass, ml in one unit of volume: the one table of sizes for imports, texts, custom foods and diaries.
 *
 * Sources: NIST Handbook 44, appendix C (avoirdupois pound of 453.59237 g, US gallon of 231 cubic inches, which is
 * 3785.411784 ml). Pinch, dash, the tip of a knife and drop are the sizes of measuring spoons sold under these names: 1/16, 1/8,
 * 1/8 and 1/100 teaspoon.
 */
const GRAMS_PER_POUND = 453.59237;
const ML_PER_GALLON = 3785.411784;
const ML_PER_TEASPOON = ML_PER_GALLON / 768;

export const GRAMS_PER = {
  mg: 0.001,
  g: 1,
  dag: 10,
  /** Italian kitchens: etto. */
  hg: 100,
  kg: 1000,
  oz: GRAMS_PER_POUND / 16,
  lb: GRAMS_PER_POUND,
  /** German and Austrian kitchens: half a kilogram. */
  metric_pound: 500,
} as const;

export const ML_PER = {
  ml: 1,
  cl: 10,
  dl: 100,
  l: 1000,
  tsp: ML_PER_TEASPOON,
  dessertspoon: 2 * ML_PER_TEASPOON,
  tbsp: ML_PER_GALLON / 256,
  fl_oz: ML_PER_GALLON / 128,
  cup: ML_PER_GALLON / 16,
  pint: ML_PER_GALLON / 8,
  quart: ML_PER_GALLON / 4,
  gallon: ML_PER_GALLON,
  pinch: ML_PER_TEASPOON / 16,
  knife_tip: ML_PER_TEASPOON / 8,
  dash: ML_PER_TEASPOON / 8,
  drop: ML_PER_TEASPOON / 100,
} as const;

export type MassUnit = keyof typeof GRAMS_PER;
export type VolumeUnit = keyof typeof ML_PER;

/** The size of a unit in its basis; undefined for a name that is not a unit of mass or volume. */
export function sizeOfUnit(name: string): { readonly basis: Basis; readonly size: number } | undefined {
  if (Object.hasOwn(GRAMS_PER, name)) return { basis: 'g', size: GRAMS_PER[name as MassUnit] };
  if (Object.hasOwn(ML_PER, name)) return { basis: 'ml', size: ML_PER[name as VolumeUnit] };
  return undefined;
}
