import { type Basis, leadWithMeasure, type Serving } from '@larder/core/food.ts';
import type { FoodNote } from '@larder/core/food-notes.ts';
import type { RawFood } from './raw-food.ts';
import { basisOf, type ReadServing, readServing } from './stated-serving.ts';
import { isMass, type MeasuredAmount } from './units.ts';

const MAX_SERVINGS = 20;
const DEFAULT_BASIS_AMOUNT = 100;

export interface CleanServings {
  readonly basis: Basis;
  readonly servings: readonly [Serving, ...Serving[]];
  /** Weight or volume of the stated serving, in the basis; undefined if none is stated. */
  readonly statedAmount?: number;
  readonly mended: readonly FoodNote[];
}

/**
 * The servings of a food, and its basis: as stated, otherwise that of its first serving. Without a serving of
 * known weight, the serving is 100 g or 100 ml.
 */
export function cleanServings(raw: Pick<RawFood, 'basis' | 'servings'>): CleanServings {
  const read = (raw.servings ?? []).slice(0, MAX_SERVINGS).map((serving) => readServing(serving, raw.basis));
  const basis = raw.basis ?? read.map(basisOf).find((found) => found !== undefined) ?? 'g';
  const servings = read.flatMap((serving) => toServings(serving, basis));
  const [first, ...rest] = uniqueServings(servings);
  const mended = read.flatMap((serving) => serving.mended);
  if (first !== undefined) {
    const led = leadWithMeasure([first, ...rest], basis);
    return { basis, servings: led, statedAmount: first.basisAmount, mended };
  }
  const hadOne = (raw.servings ?? []).some(({ text }) => text !== undefined && text.trim() !== '');
  return {
    basis,
    servings: DEFAULT_SERVING[basis],
    mended: hadOne ? [...mended, 'serving_unknown'] : mended,
  };
}

const DEFAULT_SERVING: Readonly<Record<Basis, readonly [Serving]>> = {
  g: [{ value: DEFAULT_BASIS_AMOUNT, unit: 'g', basisAmount: DEFAULT_BASIS_AMOUNT }],
  ml: [{ value: DEFAULT_BASIS_AMOUNT, unit: 'ml', basisAmount: DEFAULT_BASIS_AMOUNT }],
};

/** The serving by weight or volume, then by household unit. None if the weight is unknown. */
function toServings(read: ReadServing, basis: Basis): Serving[] {
  const { household, label } = read;
  const labelled = label === undefined ? {} : { label };
  if (read.grams !== undefined && basis === 'g') {
    const { value, unit } = household ?? { value: read.grams, unit: 'g' };
    return [{ value, unit, basisAmount: read.grams, ...labelled }];
  }
  const written = basis === 'g' ? read.mass : read.volume;
  const amount = statedAmount(read, basis) ?? written;
  if (amount === undefined) return [];
  const serving = { ...amount, ...labelled };
  return household === undefined
    ? [serving]
    : [serving, { ...household, basisAmount: amount.basisAmount, ...labelled }];
}

function statedAmount(
  { stated, bareNumber, mass, volume }: ReadServing,
  basis: Basis,
): MeasuredAmount | undefined {
  if (stated !== undefined) return isMass(stated) === (basis === 'g') ? stated : undefined;
  // If the text has only the other measure, a number without unit is in that measure.
  const isOther = basis === 'g' ? mass === undefined && volume : volume === undefined && mass;
  if (bareNumber === undefined || isOther) return undefined;
  return { value: bareNumber, unit: basis, basisAmount: bareNumber };
}

function uniqueServings(servings: readonly Serving[]): Serving[] {
  if (servings.length < 2) return [...servings];
  const seen = new Set<string>();
  return servings.filter(({ value, unit, label }) => {
    const key = `${value} ${unit} ${label ?? ''}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
