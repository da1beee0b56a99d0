import { type FoodAmount, nameOf } from './food-amount.ts';
import type { Match } from './serving-match.ts';
import type { ServingWords } from './serving-words.ts';
import { DRUNK_FROM, TYPICAL_DRINK_ML, TYPICAL_SWEET_GRAMS } from './typical-amounts.ts';

const FOOTLONG_OF_SUB = 2;
const FOOTLONG_OF_HOT_DOG = 1.6;

interface AskedSize {
  readonly size: string | undefined;
  readonly unit: string | undefined;
  readonly quantity: number;
  /** Drinks have the sizes of fountain drinks in the United States. */
  readonly isOfFountain: boolean;
}

/** Weighs by the size alone: a large drink, a miniature of a bar, a fun-size pack. */
export function byTypicalSize(
  servings: readonly ServingWords[],
  { serving, hasSize }: Match,
  { size, unit, quantity, isOfFountain }: AskedSize,
): FoodAmount | undefined {
  if (hasSize || (unit !== undefined && unit !== 'serving' && size !== 'fun_size')) return undefined;
  if (size === 'footlong') return byFootlong(servings, serving, quantity);
  const isDrink = isOfFountain && servings.some(({ words: [unit = ''] }) => DRUNK_FROM.has(unit));
  const ml = isDrink ? TYPICAL_DRINK_ML.get(size ?? '') : undefined;
  const each =
    ml ??
    (size === 'fun_size' || serving.words.includes('bar') ? TYPICAL_SWEET_GRAMS.get(size ?? '') : undefined);
  if (each === undefined) return undefined;
  const source =
    ml === undefined
      ? `typical ${size?.replace('_', ' ')} of ${each} g`
      : `typical ${size} drink of ${each} ml`;
  return { basisAmount: quantity * each, source, fit: 0.3, isAssumed: true };
}

/** Weighs a footlong: twice a sub of 6 inches, or a hot dog as FNDDS 2021-2023 states it. */
function byFootlong(servings: readonly ServingWords[], best: ServingWords, quantity: number): FoodAmount {
  const sub = servings.find(({ words }) => words.includes('submarine') || words.includes('sub'));
  const usual = sub ?? best;
  const factor = sub === undefined ? FOOTLONG_OF_HOT_DOG : FOOTLONG_OF_SUB;
  const basisAmount = (quantity * factor * usual.serving.basisAmount) / usual.count;
  return { basisAmount, source: `${factor} times ${nameOf(usual)}`, fit: 0.3, isAssumed: true };
}
