import { GTIN_DIGITS, type Gtin, hasValidCheckDigit, toGtin } from '../../../barcode/gtin.ts';

export interface CleanBarcode {
  readonly barcode?: string;
  readonly gtin?: Gtin;
  /** What is doubtful about the code, which is kept nevertheless where its length allows. */
  readonly doubt?: string;
}

const NONE: CleanBarcode = {};

/**
 * The exact code is kept, never trimmed: a wrong check digit may be printed on the package as it is, and cutting
 * zeros could make one of two products.
 */
export function cleanBarcode(raw: string | undefined): CleanBarcode {
  if (raw === undefined || raw === '') return NONE;
  const barcode = /^\d+$/.test(raw) ? raw : raw.replace(/[\s-]/g, '');
  if (!/^\d+$/.test(barcode)) return { doubt: 'barcode that is not made of digits left out' };
  if (/^0+$/.test(barcode)) return { doubt: 'barcode of zeros left out' };
  if (barcode.length > GTIN_DIGITS) return { doubt: 'barcode of more than 14 digits kept as the key only' };
  const gtin = toGtin(barcode);
  if (hasValidCheckDigit(gtin)) return { barcode, gtin };
  return { barcode, gtin, doubt: 'barcode with a wrong check digit kept for exact look-up' };
}
