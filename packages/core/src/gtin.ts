declare const gtinBrand: unique symbol;

/** A trade item number as 14 digits, zero-padded: GTIN-8, UPC-A, EAN-13 and GTIN-14 in one key space. */
export type Gtin = string & { readonly [gtinBrand]: true };

export const GTIN_DIGITS = 14;

/**
 * Pads a code of 1 to 14 digits. Padding on the left keeps different numbers distinct, so it merges no products; a
 * wrong check digit is kept.
 */
export function toGtin(digits: string): Gtin {
  if (!/^\d{1,14}$/.test(digits))
    throw new RangeError(`not 1 to ${GTIN_DIGITS} digits: ${digits.slice(0, 40)}`);
  return digits.padStart(GTIN_DIGITS, '0') as Gtin;
}

/**
 * The check digit for `digits`, which lack it. Weights alternate between 3 and 1, beginning with 3 at the right, so a
 * number has the same check digit in every length it is padded to.
 * Source: GS1 General Specifications, "Standard check digit calculations for GS1 data structures".
 */
export function checkDigit(digits: string): string {
  let sum = 0;
  let weight = 3;
  for (let at = digits.length - 1; at >= 0; at--) {
    sum += (digits.charCodeAt(at) - ZERO) * weight;
    weight = 4 - weight;
  }
  return String((10 - (sum % 10)) % 10);
}

export function hasValidCheckDigit(gtin: Gtin): boolean {
  return checkDigit(gtin.slice(0, -1)) === gtin[GTIN_DIGITS - 1];
}

const ZERO = '0'.charCodeAt(0);

/**
 * UPC-E prints a UPC-A in six digits by leaving out a run of zeros; the sixth digit encodes the position of the run.
 * Number system (first digit) and check digit are those of the UPC-A and often left out when a code is typed.
 *
 *     d1 d2 d3 d4 d5 d6      company and item of the UPC-A
 *     a  b  c  d  e  0..2    a b d6 0 0 | 0 0 c d e
 *     a  b  c  d  e  3       a b c 0 0  | 0 0 0 d e
 *     a  b  c  d  e  4       a b c d 0  | 0 0 0 0 e
 *     a  b  c  d  e  5..9    a b c d e  | 0 0 0 0 d6
 *
 * Source: GS1 General Specifications, "UPC-E barcode" (encoding of a GTIN-12 by zero suppression).
 * The standard allows number system 0 only; 1 is printed too (hundreds of codes in Open Food Facts), so it is read.
 */
const NUMBER_SYSTEMS = ['0', '1'];

/**
 * Expands a UPC-E to the 12 digits of its UPC-A. Takes 8 digits (number system, six, check digit), 7 (number system,
 * six) or 6 (number system 0). Returns undefined if it cannot be a UPC-E: another length, another number system, or a
 * check digit that is not the UPC-A's.
 */
export function expandUpcE(digits: string): string | undefined {
  if (!/^\d{6,8}$/.test(digits)) return undefined;
  const numberSystem = digits.length === 6 ? '0' : digits[0]!;
  if (!NUMBER_SYSTEMS.includes(numberSystem)) return undefined;
  const six = digits.length === 6 ? digits : digits.slice(1, 7);
  const body = numberSystem + restoreZeros(six);
  const check = checkDigit(body);
  return digits.length === 8 && digits[7] !== check ? undefined : body + check;
}

/** Compresses a UPC-A to the 8 digits of its UPC-E; undefined if it has no short form. */
export function compressUpcA(digits: string): string | undefined {
  if (!/^[01]\d{11}$/.test(digits)) return undefined;
  const six = suppressZeros(digits.slice(1, 11));
  return six === undefined ? undefined : digits[0] + six + digits[11];
}

function restoreZeros(six: string): string {
  const mode = six[5]!;
  if (mode <= '2') return `${six.slice(0, 2) + mode}0000${six.slice(2, 5)}`;
  if (mode === '3') return `${six.slice(0, 3)}00000${six.slice(3, 5)}`;
  if (mode === '4') return `${six.slice(0, 4)}00000${six[4]}`;
  return `${six.slice(0, 5)}0000${mode}`;
}

function suppressZeros(ten: string): string | undefined {
  let parts = /^(\d\d)([012])0000(\d{3})$/.exec(ten);
  if (parts !== null) return parts[1]! + parts[3]! + parts[2]!;
  parts = /^(\d{3})00000(\d\d)$/.exec(ten);
  if (parts !== null) return `${parts[1]! + parts[2]!}3`;
  parts = /^(\d{4})00000(\d)$/.exec(ten);
  if (parts !== null) return `${parts[1]! + parts[2]!}4`;
  parts = /^(\d{4}[1-9])0000([5-9])$/.exec(ten);
  return parts === null ? undefined : parts[1]! + parts[2]!;
}
