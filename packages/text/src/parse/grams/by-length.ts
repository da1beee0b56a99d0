import type { Amount } from '../../find-amounts.ts';
import { UNITS } from '../../units.ts';
import type { ServingWords } from './serving-words.ts';

const MM_OF_INCH = 25.4;
const FOOTLONG_INCHES = 12;
/** Matches lengths in labels: `medium pizza (11-12" diameter)`, `(5-1/2" long)`, "6-inch sub". */
const STATED = /(?<!x )\b(\d+)(?:-(\d+)(\/\d+)?)?[ -]?(?:"|inch\b)(?! x)/;

/** The sides of one piece in inches, and the number of pieces: "a 12 inch pizza", "two 7 inch bananas". */
export interface Sized {
  readonly count: number;
  readonly sides: readonly number[];
}

/** Undefined for an amount without a length, or with that of another thing: "a 2 inch slice". */
export function sizedBy(amount: Amount): Sized | undefined {
  const { quantity, unit, each } = amount;
  if (unit !== undefined) return isLength(unit) ? { count: 1, sides: sidesOf(amount) } : undefined;
  return each?.unit !== undefined && isLength(each.unit)
    ? { count: quantity, sides: sidesOf(each) }
    : undefined;
}

function isLength(unit: NonNullable<Amount['unit']>): boolean {
  return UNITS[unit].kind === 'length';
}

function sidesOf({ quantity, unit, by = [] }: Amount): number[] {
  const { mm = MM_OF_INCH } = UNITS[unit!] as { mm?: number };
  return [quantity, ...by].map((side) => Math.round((16 * side * mm) / MM_OF_INCH) / 16);
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
