import { texts } from '../texts/texts.ts';

const LENGTHS = [12, 13, 14];

/** Whether the last digit of a GTIN does not fit the others, as after a slip of the keys. Of 8 digits nobody can tell: they may be a UPC-E. */
export function hasWrongCheckDigit(digits: string): boolean {
  if (!LENGTHS.includes(digits.length)) return false;
  const sum = [...digits]
    .toReversed()
    .reduce((all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return sum % 10 !== 0;
}

/** Says that no food has a barcode, and that it may be mistyped where its digits do not fit. */
export function unknownBarcodeText(code: string): string {
  const { unknownBarcode, wrongCheckDigit } = texts.value;
  return hasWrongCheckDigit(code) ? `${unknownBarcode(code)} ${wrongCheckDigit}` : unknownBarcode(code);
}
