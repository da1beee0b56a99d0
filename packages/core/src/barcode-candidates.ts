import { AppError } from './errors.ts';
import { checkDigit, compressUpcA, expandUpcE, type Gtin, hasValidCheckDigit, toGtin } from './gtin.ts';

declare const barcodeBrand: unique symbol;

/** A code as it was scanned or typed: 6 to 14 digits. Its length matters, since it limits what it can mean. */
export type Barcode = string & { readonly [barcodeBrand]: true };

const MAX_TYPED_LENGTH = 64;
/** Few, since a person waits while services are asked one after the other. */
const MAX_ASKABLE = 3;

/** Spaces and dashes, which people type and which print on packages, are dropped. */
export function parseBarcode(text: string): Barcode {
  const digits = text.length > MAX_TYPED_LENGTH ? '' : text.replace(/[\s\-\u2010-\u2015]/g, '');
  if (!/^\d{6,14}$/.test(digits)) {
    throw new AppError({
      code: 'invalid_barcode',
      message: 'A barcode is 6 to 14 digits; spaces and dashes between them are ignored.',
    });
  }
  return digits as Barcode;
}

/**
 * Every trade item number that a code can stand for, the most certain first, without duplicates and at most
 * seven. The first is always the code as given, even with a wrong check digit, because a stored code that is
 * the same is certainly meant. All others are derived by the rules of `docs/barcodes.md`, and only from readings
 * whose check digit holds: a mistyped code never becomes the valid code of something else.
 */
export function candidatesOf(barcode: Barcode): readonly Gtin[] {
  const given = toGtin(barcode);
  const readings = new Set<Gtin>(tradeItemsOf(barcode));
  if (hasValidCheckDigit(given)) for (const zeroed of withoutMeasure(given)) readings.add(zeroed);
  for (const reading of [...readings]) {
    const short = shortForm(reading);
    if (short !== undefined) readings.add(short);
  }
  return [...readings];
}

/**
 * The candidates to ask external services for, at most three: only full numbers that GS1 gives out. Short forms, and
 * numbers whose measure is zeroed, are ways in which some catalogues store a product and may mean anything elsewhere.
 */
export function askableOf(barcode: Barcode): readonly Gtin[] {
  return tradeItemsOf(barcode).filter(hasValidCheckDigit).slice(0, MAX_ASKABLE);
}

/** Whether the code can be meant as it is: a check digit holds, or it is a UPC-E that was typed without one. */
export function isCheckedBarcode(barcode: Barcode): boolean {
  return tradeItemsOf(barcode).some(hasValidCheckDigit);
}

/** The code as given, the UPC-A that it is short for, the unit in the case that it names; without duplicates. */
function tradeItemsOf(barcode: Barcode): Gtin[] {
  const given = toGtin(barcode);
  const readings = new Set<Gtin>([given]);
  // UPC-E as 8 digits, or typed without its check digit, its number system, or both.
  for (const spelling of barcode.length === 7 ? [barcode, `0${barcode}`] : [barcode]) {
    const upcA = spelling.length > 8 ? undefined : expandUpcE(spelling);
    if (upcA !== undefined) readings.add(toGtin(upcA));
  }
  // Packaging indicators 1 to 8 stand before the unit's own digits, which have a check digit of their own. Indicator 9
  // marks a variable measure item, which is not a case of anything.
  if (/^[1-8]/.test(given) && hasValidCheckDigit(given)) {
    const unit = given.slice(1, 13);
    readings.add(toGtin(unit + checkDigit(unit)));
  }
  return [...readings];
}

/**
 * How many digits before the check digit hold price or weight in a restricted circulation number. Stores choose;
 * two layouts are common:
 *
 *     02 or 2x | item, 5 | price or weight, 5 (in the US a verifier and 4)  | check
 *     02 or 2x | item, 4 | verifier, 1 | price or weight, 5                 | check
 *
 * Source: GS1 General Specifications, "Variable measure trade items scanned at retail point-of-sale" (restricted
 * circulation numbers) and "Check digit calculation for price/weight fields".
 */
const MEASURE_DIGITS = [5, 6];

/** The item behind a scale's label, as catalogues store it: the measure zeroed, the check digit computed anew. */
function withoutMeasure(gtin: Gtin): Gtin[] {
  if (!/^0(02|2\d)/.test(gtin)) return [];
  return MEASURE_DIGITS.map((count) => {
    const body = gtin.slice(0, 13 - count) + '0'.repeat(count);
    return toGtin(body + checkDigit(body));
  });
}

/**
 * The eight digits that a source may have stored for a UPC-A printed as UPC-E. Where they are also a GTIN-8
 * that GS1 gives out world-wide (those beginning with 1), they belong to another product and are left out.
 */
function shortForm(gtin: Gtin): Gtin | undefined {
  if (!gtin.startsWith('00') || !hasValidCheckDigit(gtin)) return undefined;
  const short = compressUpcA(gtin.slice(2));
  if (short === undefined) return undefined;
  const key = toGtin(short);
  return short.startsWith('1') && hasValidCheckDigit(key) ? undefined : key;
}

const TYPED_BARCODE = /^\s*\d(?:[\s-]?\d){5,13}\s*$/;

/** The candidates of a search text that is a barcode; undefined when it is none. */
export function typedBarcode(query: string): readonly Gtin[] | undefined {
  return TYPED_BARCODE.test(query) ? candidatesOf(parseBarcode(query)) : undefined;
}
