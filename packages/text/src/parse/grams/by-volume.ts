import type { Food } from '@larder/core/food.ts';
import type { Described } from './described.ts';
import { type FoodAmount, nameOf } from './food-amount.ts';
import { mlOf, type ServingWords } from './serving-words.ts';
import { piecesOf } from './typical-pieces.ts';

/** The source of an amount of a food without a known volume. */
export const TYPICAL_DENSITY = 'typical density of 1 g/ml';
/** Fit of a density of the table, less than that of a serving. */
const OF_TABLE = 0.8;
/** States that apply to a cup only if the text names them, and their cost. */
const UNUSUAL_STATES: ReadonlySet<string> = new Set([
  'whipped',
  'pureed',
  'mashed',
  'yield',
  'unpacked',
  'shell',
  'hull',
]);
const UNUSUAL_STATE = 0.5;

/**
 * Weighs by the serving with the nearest unit in size: the density of chopped onions in cups differs from that in
 * spoons.
 */
export function byVolume(
  food: Food,
  servings: readonly ServingWords[],
  ml: number,
  { amount, words, name }: Described,
): FoodAmount {
  const heaped = amount?.heaped ? ', heaped' : '';
  const isAssumed = amount?.heaped === true;
  if (food.basis === 'ml') return { basisAmount: ml, source: `volume${heaped}`, fit: 1, isAssumed };
  const typical = piecesOf(food.name, new Set([...words, ...name]))?.get('ml');
  const best =
    typical?.isFirm === true ? undefined : nearestVolume(servings, amount?.unit, ml, { words, name });
  if (best !== undefined) {
    const density = best.serving.basisAmount / (best.count * best.unitMl!);
    return { basisAmount: ml * density, source: `${nameOf(best)}${heaped}`, fit: 1, isAssumed };
  }
  if (typical === undefined) return { basisAmount: ml, source: TYPICAL_DENSITY, fit: 0, isAssumed: true };
  const density = typical.grams[1];
  const source = `typical density of ${density} g/ml (${typical.source})${heaped}`;
  return { basisAmount: ml * density, source, fit: OF_TABLE, isAssumed: true };
}

function nearestVolume(
  servings: readonly ServingWords[],
  unit: string | undefined,
  ml: number,
  { words, name }: Pick<Described, 'words' | 'name'>,
): ServingWords | undefined {
  const unitMl = (unit === undefined ? undefined : mlOf(unit)) ?? ml;
  let best: ServingWords | undefined;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const serving of servings) {
    if (serving.unitMl === undefined) continue;
    const shared = serving.words.filter((word) => words.includes(word)).length;
    const unusual = serving.words.filter(
      (word) => UNUSUAL_STATES.has(word) && !words.includes(word) && !name.has(word),
    ).length;
    const cost =
      2 * Math.abs(Math.log(serving.unitMl / unitMl)) -
      shared +
      0.1 * serving.words.length +
      UNUSUAL_STATE * unusual;
    if (cost >= bestCost) continue;
    bestCost = cost;
    best = serving;
  }
  return best;
}
