import type { Mention } from '../words/mentions.ts';
import type { PrintedServing } from '../words/serving.ts';
import type { ColumnHeads } from './column-heads.ts';

/** Minimum rows with two amounts that must agree. */
const LEAST_ROWS = 3;
/** Tolerance: rounding of small amounts spreads the ratios; the median of several rows is more exact. */
const TOLERANCE = 0.06;
const HUNDRED = 100;

/**
 * The column per 100 if its head could not be read: the one whose amounts have the ratio of 100 g to the
 * serving. Undefined if neither has, or energy has no unit: labels of the United States have columns of the
 * serving and of the package, which may have the same ratio.
 */
export function inferHundred(mentions: readonly Mention[], serving: PrintedServing): ColumnHeads['hundred'] {
  const pairs = mentions.flatMap(({ nutrient, amounts }) => {
    const masses = amounts.filter(({ readings }) => readings[0]!.unit === 'g' || readings[0]!.unit === 'mg');
    if (nutrient === 'other' || masses.length !== 2) return [];
    const [left, right] = masses.map(({ x, readings }) => ({ x, value: readings[0]!.value }));
    return left!.value > 0 && right!.value > 0 ? [{ left: left!, right: right! }] : [];
  });
  if (pairs.length < LEAST_ROWS || !mentions.some(hasUnit)) return undefined;
  const share = serving.basisAmount / HUNDRED;
  const ratio = median(pairs.map(({ left, right }) => right.value / left.value));
  const isNear = (value: number) => Math.abs(value / share - 1) <= TOLERANCE;
  if (isNear(1) || isNear(ratio) === isNear(1 / ratio)) return undefined;
  const xs = pairs.map(({ left, right }) => (isNear(ratio) ? left.x : right.x));
  return { x: median(xs), basis: serving.basis };
}

function hasUnit({ nutrient, amounts }: Mention): boolean {
  return nutrient === 'energy' && amounts.some(({ readings }) => readings[0]!.unit !== undefined);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
