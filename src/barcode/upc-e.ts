import { checkDigit } from './gtin.ts';

/**
 * UPC-E prints a UPC-A in six digits by leaving out a run of zeros; the sixth says where the run was. Number
 * system (first digit) and check digit are those of the UPC-A and often left out when a code is typed.
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
 * The 12 digits of the UPC-A that a UPC-E stands for. Takes 8 digits (number system, six, check digit),
 * 7 (number system, six) or 6 (number system 0). Undefined when it cannot be a UPC-E: another length, another
 * number system, or a check digit that is not the UPC-A's.
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

/** The 8 digits of the UPC-E that is printed for a UPC-A, or undefined when it has no short form. */
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
