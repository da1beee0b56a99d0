import type { Amount } from '../../find-amounts.ts';
import { UNITS, type UnitName } from '../../units.ts';
import { type FoodAmount, TYPICAL_PIECE } from './food-amount.ts';
import type { ServingWords } from './serving-words.ts';
import type { Pieces } from './typical-pieces.ts';

const MM_OF_INCH = 25.4;
const FOOTLONG_INCHES = 12;
/** Matches lengths in labels: `medium pizza (11-12" diameter)`, `(5-1/2" long)`, "6-inch sub". */
const STATED = /(?<!x )\b(\d+)(?:-(\d+)(\/\d+)?)?[ -]?(?:"|inch\b)(?! x)/;

/** The sides of one piece in inches, and the number of pieces: "a 12 inch pizza", "two 7 inch bananas". */
export interface Sized {
  readonly count: number;
  readonly sides: readonly number[];
  /** The stated length in centimeters. */
  readonly cm: readonly number[];
}

/** Units of pieces whose length is that of the food: "1 (4-inch) piece", unlike "a 2 inch slice". */
export const LONG_UNITS: ReadonlySet<UnitName> = new Set([
  'piece',
  'knob',
  'stick',
  'stalk',
  'stem',
  'branch',
  'chunk',
  'strip',
  'sprig',
]);

/** Undefined for an amount without a length, or with the length of a slice or the like: "a 2 inch slice". */
export function sizedBy(amount: Amount): Sized | undefined {
  const { quantity, unit, each } = amount;
  if (unit !== undefined && isLength(unit)) return { count: 1, ...sidesOf(amount) };
  if (unit !== undefined && !LONG_UNITS.has(unit)) return undefined;
  return each?.unit !== undefined && isLength(each.unit) ? { count: quantity, ...sidesOf(each) } : undefined;
}

function isLength(unit: NonNullable<Amount['unit']>): boolean {
  return UNITS[unit].kind === 'length';
}

function sidesOf({ quantity, unit, by = [] }: Amount): Pick<Sized, 'sides' | 'cm'> {
  const { mm = MM_OF_INCH } = UNITS[unit!] as { mm?: number };
  const all = [quantity, ...by];
  return {
    sides: all.map((side) => Math.round((16 * side * mm) / MM_OF_INCH) / 16),
    cm: all.map((side) => (side * mm) / 10),
  };
}

/**
 * The weight of pieces of this size, from the weight of a centimeter or square centimeter; a piece with one
 * side is round.
 */
export function weighByCm(pieces: Pieces, { count, cm }: Sized): FoodAmount | undefined {
  const [length, width] = cm as [number, number?];
  const [unit, size] = pieces.has('cm2')
    ? (['cm2', width === undefined ? (Math.PI / 4) * length ** 2 : length * width] as const)
    : (['cm', Math.max(...cm)] as const);
  const piece = pieces.get(unit);
  if (piece === undefined) return undefined;
  const each = piece.grams[1];
  const source = `typical weight of ${each} g/${unit === 'cm' ? 'cm' : 'cm²'} (${piece.source})`;
  return { basisAmount: count * size * each, source, fit: TYPICAL_PIECE, isAssumed: true };
}

/** The weight of pieces of this size, by a serving of the same length, or of one inch. */
export function weighSized(
  servings: readonly ServingWords[],
  { count, sides }: Sized,
): { readonly serving: ServingWords; readonly basisAmount: number } | undefined {
  const [length] = sides;
  if (sides.length === 1) {
    const same = servings.find(({ serving }) => states(serving.label ?? '', length!));
    if (same !== undefined) return { serving: same, basisAmount: count * eachOf(same) };
  }
  for (const serving of servings) {
    const inches = inchesOf(serving.words, sides);
    if (inches !== undefined) return { serving, basisAmount: count * inches * eachOf(serving) };
  }
  return undefined;
}

function eachOf({ serving, count }: ServingWords): number {
  return serving.basisAmount / count;
}

/** Linear, square or cubic inches of a piece, by a serving of one inch; a piece with one side is round. */
function inchesOf(words: readonly string[], sides: readonly number[]): number | undefined {
  if (words[1] !== 'inch') return undefined;
  const product = sides.reduce((area, side) => area * side, 1);
  if (words[0] === 'linear') return Math.max(...sides);
  if (words[0] === 'surface') return sides.length === 1 ? (Math.PI / 4) * product ** 2 : product;
  return words[0] === 'cubic' && sides.length === 3 ? product : undefined;
}

function states(label: string, inches: number): boolean {
  if (/\bfootlong\b/.test(label)) return inches === FOOTLONG_INCHES;
  const stated = STATED.exec(label);
  if (stated === null) return false;
  const [, low, high, below] = stated;
  if (below !== undefined) return inches === Number(low) + Number(high) / Number(below.slice(1));
  return inches >= Number(low) && inches <= Number(high ?? low);
}
