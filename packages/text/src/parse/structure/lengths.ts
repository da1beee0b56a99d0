import type { Amount } from '../../amount.ts';
import { UNITS } from '../../units.ts';
import { LONG_UNITS } from '../grams/by-length.ts';

/** Maximum characters between a food and the length of its piece: " de aproximadamente ". */
const MAX_BETWEEN = 24;

/** Adds the length after the name to an amount of pieces: "un morceau de gingembre de 3 cm". */
export function withLengthAfter(
  amount: Amount | undefined,
  endOfName: number,
  amounts: readonly Amount[],
): Amount | undefined {
  if (amount?.unit === undefined || !LONG_UNITS.has(amount.unit) || amount.each !== undefined) return amount;
  const length = amounts.find(({ start }) => start >= endOfName);
  const isLength = length?.unit !== undefined && UNITS[length.unit].kind === 'length';
  return isLength && length.start - endOfName <= MAX_BETWEEN ? { ...amount, each: length } : amount;
}
