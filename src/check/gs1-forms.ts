import { checkDigit, compressUpcA } from '@larder/core/gtin.ts';

const FORM_LENGTHS = [8, 12, 13, 14];

/** The code as EAN-8, UPC-A, EAN-13 and GTIN-14, if its digits fit, and as UPC-E if it has a short form. */
export function formsOf(barcode: string): string[] {
  const digits = barcode.replace(/^0+/, '');
  const padded = FORM_LENGTHS.filter((length) => length >= digits.length).map((length) =>
    digits.padStart(length, '0'),
  );
  // Eight digits may also be a UPC-E; only unambiguous ones are certain to be found.
  const eights = digits.length === 8 ? padded : padded.filter(({ length }) => length !== 8);
  const short = compressUpcA(digits.padStart(12, '0'));
  const forms = short === undefined || isEan8(short) ? eights : [...eights, short];
  return [...new Set([barcode, ...forms])];
}

/** The code as 13 digits with a valid check digit, which can be printed as bars. */
export function toEan13(barcode: string): string | undefined {
  const significant = barcode.replace(/^0+/, '');
  if (significant === '') return undefined;
  const digits = significant.padStart(13, '0');
  return digits.length === 13 && checkDigit(digits.slice(0, 12)) === digits[12] ? digits : undefined;
}

function isEan8(digits: string): boolean {
  return checkDigit(digits.slice(0, 7)) === digits[7];
}
