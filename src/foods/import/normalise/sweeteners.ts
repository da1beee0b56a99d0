import type { RawNutrients } from './raw-food.ts';

/** Minimum carbohydrates of pure sweeteners. */
const MIN_PURE_G = 90;
const ERYTHRITOL = /(?<!\p{L})(?:[eé]rythrit(?:ol)?|[ei]ritritol[o]?)(?!\p{L})/iu;
const POLYOLS =
  /(?<!\p{L})(?:[xs]ylit(?:ol)?|xilitol[o]?|xilito|sorbit(?:ol|olo)?|maltit(?:ol|olo)?|man+it(?:ol|olo)?|lactit(?:ol)?|isomalt(?:o|ol)?|birkenzucker|birch sugar|sucre de bouleau|az[uú]car de abedul|zucchero di betulla|a[cç][uú]car de b[eé]tula)(?!\p{L})/iu;

/**
 * The polyols of a pure sweetener, by its name in six languages, if the source only states carbohydrates.
 * Undefined for other foods, and for mixtures, whose shares are unknown.
 */
export function sweetenerOf(
  name: string,
  { carbohydrates, polyolsG }: RawNutrients,
): RawNutrients | undefined {
  if (carbohydrates === undefined || carbohydrates < MIN_PURE_G) return undefined;
  const [isErythritol, isOther] = [ERYTHRITOL.test(name), POLYOLS.test(name)];
  if (isErythritol && !isOther) return { polyolsG: polyolsG ?? carbohydrates, erythritolG: carbohydrates };
  return isOther && !isErythritol && polyolsG === undefined ? { polyolsG: carbohydrates } : undefined;
}
