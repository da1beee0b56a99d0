import { AppError } from './errors.ts';
import { checkDigit, compressUpcA, expandUpcE, type Gtin, hasValidCheckDigit, toGtin } from './gtin.ts';

declare const barcodeBrand: unique symbol;

/** A scanned or typed code of 6 to 14 digits. Its length limits what it can mean. */
export type Barcode = string & { readonly [barcodeBrand]: true };

const MAX_TYPED_LENGTH = 64;
/** The number is small because a person waits while services are asked in sequence. */
const MAX_ASKABLE = 3;

/** Drops spaces and dashes, which people type and which are printed on packages. */
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
 * The trade item numbers that a code can stand for, the most certain first, without duplicates and at most seven. The
 * first is always the given code, even with a wrong check digit, because an equal stored code is certainly meant. All
 * others are derived by the rules of `docs/barcodes.md`, and only from readings with a valid check digit: a mistyped
 * code never becomes the valid code of another product.
 */
export function barcodeCandidates(barcode: Barcode): readonly Gtin[] {
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
 * The candidates for external services, at most three: only full numbers that GS1 assigns. Short forms, and numbers
 * with a zeroed measure, are conventions of some catalogues and may mean anything elsewhere.
 */
export function askableOf(barcode: Barcode): readonly Gtin[] {
  return tradeItemsOf(barcode).filter(hasValidCheckDigit).slice(0, MAX_ASKABLE);
}

/** Whether the code is plausible: a check digit is valid, or it is a UPC-E typed without one. */
export function isCheckedBarcode(barcode: Barcode): boolean {
  return tradeItemsOf(barcode).some(hasValidCheckDigit);
}

/** The given code, the UPC-A that it abbreviates, and the unit in the case that it names; without duplicates. */
function tradeItemsOf(barcode: Barcode): Gtin[] {
  const given = toGtin(barcode);
  const readings = new Set<Gtin>([given]);
  // A UPC-E has 8 digits, or lacks its check digit, its number system, or both.
  for (const spelling of barcode.length === 7 ? [barcode, `0${barcode}`] : [barcode]) {
    const upcA = spelling.length > 8 ? undefined : expandUpcE(spelling);
    if (upcA !== undefined) readings.add(toGtin(upcA));
  }
  // Packaging indicators 1 to 8 precede the unit's own digits, which have their own check digit. Indicator 9 marks a
  // variable measure item, which is not a case.
  if (/^[1-8]/.test(given) && hasValidCheckDigit(given)) {
    const unit = given.slice(1, 13);
    readings.add(toGtin(unit + checkDigit(unit)));
  }
  return [...readings];
}

/**
 * Number of digits before the check digit that hold price or weight in a restricted circulation number. Stores choose
 * the layout; two are common:
 *
 *     02 or 2x | item, 5 | price or weight, 5 (in the US a verifier and 4)  | check
 *     02 or 2x | item, 4 | verifier, 1 | price or weight, 5                 | check
 *
 * Source: GS1 General Specifications, "Variable measure trade items scanned at retail point-of-sale" (restricted
 * circulation numbers) and "Check digit calculation for price/weight fields".
 */
const MEASURE_DIGITS = [5, 6];

/** The item of a scale's label, as catalogues store it: with the measure zeroed and a new check digit. */
function withoutMeasure(gtin: Gtin): Gtin[] {
  if (!/^0(02|2\d)/.test(gtin)) return [];
  return MEASURE_DIGITS.map((count) => {
    const body = gtin.slice(0, 13 - count) + '0'.repeat(count);
    return toGtin(body + checkDigit(body));
  });
}

/**
 * The eight digits under which a source may have stored a UPC-A printed as UPC-E. If they are also a GTIN-8 that GS1
 * assigns world-wide (those beginning with 1), they belong to another product and are left out.
 */
function shortForm(gtin: Gtin): Gtin | undefined {
  if (!gtin.startsWith('00') || !hasValidCheckDigit(gtin)) return undefined;
  const short = compressUpcA(gtin.slice(2));
  if (short === undefined) return undefined;
  const key = toGtin(short);
  return short.startsWith('1') && hasValidCheckDigit(key) ? undefined : key;
}

const TYPED_BARCODE = /^\s*\d(?:[\s-]?\d){5,13}\s*$/;

/** The candidates of a search text that is a barcode; undefined for other texts. */
export function typedBarcode(query: string): readonly Gtin[] | undefined {
  return TYPED_BARCODE.test(query) ? barcodeCandidates(parseBarcode(query)) : undefined;
}
