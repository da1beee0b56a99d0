import { parseMeasure } from '../../diary/records/units.ts';
import { type DecimalMark, readNumber } from '../../foods/import/table/numbers.ts';

/** The eaten amount of a food, as far as it is stated. */
export interface StatedAmount {
  readonly quantity?: number;
  readonly unit?: string;
}

const WEIGHT_AT_END = /,\s*(\d+(?:[.,]\d+)?)\s*(g|ml)$/i;
const COUNT = /^\s*(?:\d+\s+)?\d+\s*\/\s*\d+|^\s*\d+(?:[.,]\d+)?/;

/** Reads "150.00 g", "1 1/2 cupcakes (2-3/4" dia)" or "2 x 1 oz, 56 g". A weight at the end takes precedence. */
export function readAmount(text: string, mark: DecimalMark): StatedAmount {
  const tidy = text.trim().replace(/\s+/g, ' ');
  const [, weight, measure] = WEIGHT_AT_END.exec(tidy) ?? [];
  if (weight !== undefined) {
    const quantity = readNumber(weight, weight.includes(',') ? ',' : '.');
    if (typeof quantity === 'number') return { quantity, unit: measure!.toLowerCase() };
  }
  const found = COUNT.exec(tidy)?.[0];
  if (found === undefined) return tidy === '' ? {} : { quantity: 1, unit: tidy };
  const unit = tidy
    .slice(found.length)
    .replace(/^\s*x\s+/i, '')
    .trim();
  const plain = readNumber(found, mark);
  const quantity = typeof plain === 'number' ? plain : parseMeasure(`${found} x`).count;
  return { quantity, ...(unit !== '' && { unit }) };
}
