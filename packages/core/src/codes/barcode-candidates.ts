import { checkDigit, compressUpcA, expandUpcE, type Gtin, hasValidCheckDigit, toGtin } from '../gtin.ts';
import { withPlainDigits } from '../words/plain-digits.ts';
import { withoutMeasure } from './scale-label.ts';
import { type Barcode, findScannedCode, isScannerText, parseBarcode } from './scanned-code.ts';

/**
 * Maximum candidates for external services. It is small because a person waits while services are asked in
 * sequence.
 */
const MAX_ASKABLE = 3;
const GTIN_8_DIGITS = 8;

/**
 * The trade item numbers that a code can stand for, the most certain first, without duplicates and at most seven. The
 * first is always the given code, even with a wrong check digit, because an equal stored code is certainly meant. All
 * others are derived by the rules of `docs/barcodes.md`, and only from readings with a valid check digit: a mistyped
 * code never becomes the valid code of another product.
 */
export function barcodeCandidates(barcode: Barcode): readonly Gtin[] {
  const given = toGtin(barcode);
  const readings = new Set<Gtin>(tradeItemsOf(barcode));
  for (const zeroed of withoutMeasure(given)) readings.add(zeroed);
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
export function externalCandidates(barcode: Barcode): readonly Gtin[] {
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

/** The number in a search text that is a barcode; undefined for other texts. */
export function typedBarcode(query: string): Barcode | undefined {
  if (TYPED_BARCODE.test(withPlainDigits(query))) return parseBarcode(query);
  return isScannerText(query) ? findScannedCode(query)?.barcode : undefined;
}

/**
 * The form of a stored number. Shops number their own packages: `31233` of one shop and `0000000031233` of another are two
 * products. Full numbers are the same with and without the zeros of EAN-13 and GTIN-14, which some sources also strip.
 */
export function formOf(digits: string): string {
  return digits.length > GTIN_8_DIGITS ? 'full' : digits;
}
