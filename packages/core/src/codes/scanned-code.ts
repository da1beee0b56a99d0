/**
 * Reads what scanners and people give for a barcode: the number of the product, and what the code says beside it.
 *
 *     3017620422003                                digits, with spaces and dashes
 *     9771234567003 05                             with an add-on of two or five digits
 *     '590…, ="590…", EAN 590…, ５９０…              as spreadsheets, lists and other scripts write them
 *     (01)03017620422003(10)AB                     element strings, as printed
 *     010301762042200310AB<GS>17230515             or as the symbol holds them
 *     ]C1010301762042200310AB                      after a symbology identifier
 *     https://id.gs1.org/01/03017620422003/10/AB   GS1 Digital Links of any host
 *
 * Sources: GS1 General Specifications; ISO/IEC 15424 (symbology identifiers).
 */

import { AppError } from '../errors.ts';
import { expandUpcE, GTIN_DIGITS, type Gtin, hasValidCheckDigit, toGtin } from '../gtin.ts';
import type { ScannedFacts } from '../scanned-facts.ts';
import { GRAMS_PER, ML_PER } from '../unit-sizes.ts';
import { withPlainDigits } from '../words/plain-digits.ts';
import type { Element } from './application-identifiers.ts';
import { isLink, readDigitalLink } from './digital-link.ts';
import {
  type ReadElements,
  readBracketedElements,
  readPlainElements,
  withSeparators,
} from './element-string.ts';

const DATES = {
  '11': 'productionDate',
  '13': 'packagingDate',
  '15': 'bestBeforeDate',
  '16': 'sellByDate',
  '17': 'expiryDate',
} as const;

/** Sizes of net amounts by the first three digits of the identifier; the fourth one counts the decimals. */
const MEASURES: ReadonlyMap<string, { readonly size: number; readonly unit: 'g' | 'ml' }> = new Map([
  ['310', { size: 1000, unit: 'g' }],
  ['320', { size: GRAMS_PER.lb, unit: 'g' }],
  ['357', { size: GRAMS_PER.oz, unit: 'g' }],
  ['315', { size: 1000, unit: 'ml' }],
  ['360', { size: ML_PER.quart, unit: 'ml' }],
  ['361', { size: ML_PER.gallon, unit: 'ml' }],
]);
/** The product itself. */
const KEYS: ReadonlySet<string> = new Set(['01', '02', '03', '8006', '8026']);
/** Maximum decimals of values, more than any scale has. */
const DECIMALS = 3;

/**
 * Returns the facts of elements beside the product; undefined if there are none. The first of repeated
 * identifiers counts.
 */
function factsOf(elements: readonly Element[], unread?: string): ScannedFacts | undefined {
  const facts: ScannedFacts = {};
  const other: Record<string, string> = {};
  for (const element of elements)
    if (!KEYS.has(element.ai) && !addFact(facts, element)) other[element.ai] ??= element.value;
  if (Object.keys(other).length > 0) facts.other = other;
  if (unread !== undefined) facts.unread = unread;
  return Object.keys(facts).length === 0 ? undefined : facts;
}

/** Whether the element is a fact with a name. */
function addFact(facts: ScannedFacts, { ai, value }: Element): boolean {
  if (ai === '10') facts.batch ??= value;
  else if (ai === '21') facts.serial ??= value;
  else if (ai === '30' || ai === '37') facts.count ??= Number(value);
  else if (ai in DATES) {
    const date = toDate(value);
    if (date === undefined) return false;
    facts[DATES[ai as keyof typeof DATES]] ??= date;
  } else return addMeasure(facts, { ai, value });
  return true;
}

function addMeasure(facts: ScannedFacts, { ai, value }: Element): boolean {
  const kind = ai.slice(0, 3);
  const decimals = Number(ai[3]);
  const measure = ai.length === 4 ? MEASURES.get(kind) : undefined;
  if (measure !== undefined) {
    const quantity = rounded(decimal(value, decimals) * measure.size);
    if (quantity === 0) return false;
    facts.amount ??= { quantity, unit: measure.unit };
    return true;
  }
  if (ai.length !== 4 || (kind !== '392' && kind !== '393')) return false;
  const currency = kind === '393' ? value.slice(0, 3) : undefined;
  const price = decimal(value.slice(currency?.length ?? 0), decimals);
  facts.price ??= { value: price, ...(currency !== undefined && { currency }) };
  return true;
}

/** Converts `260131` to `2026-01-31`; day 00 is the last one of the month. Years are in this century. */
function toDate(value: string): string | undefined {
  const [year, month, day] = [value.slice(0, 2), value.slice(2, 4), value.slice(4)].map(Number) as [
    number,
    number,
    number,
  ];
  const date = new Date(Date.UTC(2000 + year, day === 0 ? month : month - 1, day));
  const isReal = month >= 1 && month <= 12 && date.getUTCMonth() === month - 1;
  return isReal ? date.toISOString().slice(0, 10) : undefined;
}

function decimal(digits: string, decimals: number): number {
  return Number(digits) / 10 ** decimals;
}

function rounded(value: number): number {
  return Number(value.toFixed(DECIMALS));
}

declare const barcodeBrand: unique symbol;

/** A scanned or typed number of 6 to 14 digits. Its length limits what it can mean. */
export type Barcode = string & { readonly [barcodeBrand]: true };

export interface ScannedCode {
  readonly barcode: Barcode;
  /** Facts that the code states beside the number. */
  readonly facts?: ScannedFacts;
}

/** Longest code, in UTF-16 units: Digital Links with many attributes are shorter. */
export const MAX_CODE_LENGTH = 500;

/** A symbology identifier: `]`, then the type of the symbol, such as `]C1` for GS1-128 and `]E0` for EAN-13. */
const SYMBOLOGY = /^\][A-Za-z][0-9A-Za-z]/;
/** An EAN-13 or UPC with its add-on, as one symbol or as two. */
const EAN_WITH_ADD_ON = /^\]E3/;
const ADD_ON_SYMBOL = /\]E[12](\d{2}|\d{5})$/;

const SPACES_AND_DASHES = /[\s\-\u00ad\u200b\u2010-\u2015\u2212]/g;
/** The quotes, the equals sign and the apostrophe of a spreadsheet's text, and the sign of a number. */
const WRITTEN_BEFORE = /^[\s='"‘’“”„«#]+/;
/** A number, and what ends a text or a list. */
const NUMBER_ALONE = /^(\d[^\p{L}()[\]/]*?)[\s'"‘’“”»;,.]*$/u;
/** "EAN-13: ", "GTIN ", "Strichcode ", "code-barres : " before a number. */
const NAME_OF_CODE =
  /^(?:ean|gtin|upc|jan|[\p{L}\s'-]{0,20}(?:c[oó]d|kod|код|コード|条码|條碼|바코드)[\p{L}\s'-]{0,20})(?:-?(?:8|12|13|14|[ae]))?\s*[.:#=]*\s*(?=\d[\d\s-]{5})/iu;
/** A number that a spreadsheet shows in groups. */
const GROUPED = /^\d{1,3}(?:[.,]\d{3}){2,4}$/;
const DIGITS = /^\d{6,14}$/;
/** An add-on that is separate from its number. */
const WRITTEN_ADD_ON = /^(.*\d)[\s+,\-\u2010-\u2015\u2212]+(\d{2}|\d{5})$/s;
/** Lengths of numbers that can have an add-on: EAN-13, UPC-A, UPC-E. */
const EXTENDED_LENGTHS: ReadonlySet<number> = new Set([8, 12, 13]);
/** Total lengths of number and add-on that no other number has. */
const GLUED_ADD_ON = /^(?:(\d{13})(\d{2}|\d{5})|(\d{12})(\d{5}))$/;

/** Symbologies whose data are element strings. */
const GS1_SYMBOLOGY = /^\](?:C1|e0|d2|Q3|J1)$/;
const SEPARATOR = '\u001d';
const EDGES = new RegExp(`^[\\s${SEPARATOR}]+|[\\s${SEPARATOR}]+$`, 'g');

/** Reads a code. Throws `invalid_barcode` if it contains no number. */
export function readScannedCode(text: string): ScannedCode {
  const code = findScannedCode(text);
  if (code === undefined) throw invalidBarcode();
  return code;
}

/** Reads a code; undefined if it contains no number. */
export function findScannedCode(text: string): ScannedCode | undefined {
  if (DIGITS.test(text)) return { barcode: text as Barcode };
  return text.length > MAX_CODE_LENGTH ? undefined : readCode(text.trim());
}

/** The number of a code. Throws `invalid_barcode`. */
export function parseBarcode(text: string): Barcode {
  return readScannedCode(text).barcode;
}

/** Whether a text is not a plain number but looks like a scanned code. */
export function isScannerText(text: string): boolean {
  if (text.length > MAX_CODE_LENGTH) return false;
  return (
    /^\s*(?:\]|[([]\d{2,4}[)\]]|https?:\/\/|['="“#]+\s*\d)/i.test(text) ||
    NAME_OF_CODE.test(withPlainDigits(text.trim()))
  );
}

function readCode(pasted: string): ScannedCode | undefined {
  const text = asTyped(pasted);
  const symbology = SYMBOLOGY.exec(text)?.[0] ?? '';
  const given = withSeparators(text.slice(symbology.length));
  const isGs1 = GS1_SYMBOLOGY.test(symbology) || given.includes(SEPARATOR);
  const data = given.replace(EDGES, '');
  return (
    readDigits(data, symbology) ??
    readElements(readBracketedElements(data)) ??
    readLink(data) ??
    readPlain(data, isGs1)
  );
}

/** A number without what spreadsheets, lists and people write around it; other codes as they are. */
function asTyped(pasted: string): string {
  const named = withPlainDigits(pasted).replace(WRITTEN_BEFORE, '').replace(NAME_OF_CODE, '');
  const number = NUMBER_ALONE.exec(named)?.[1];
  // More digits are element strings.
  if (number === undefined || number.replace(/\D/g, '').length > GTIN_DIGITS) return pasted;
  return GROUPED.test(number) ? number.replace(/[.,]/g, '') : number;
}

function readDigits(data: string, symbology: string): ScannedCode | undefined {
  const apart = ADD_ON_SYMBOL.exec(data);
  if (apart !== null) return withAddOn(data.slice(0, apart.index), apart[1]!);
  const digits = data.replace(SPACES_AND_DASHES, '');
  const glued = GLUED_ADD_ON.exec(digits);
  if (glued !== null || EAN_WITH_ADD_ON.test(symbology)) {
    const [, ean, addOn, upc, price] = glued ?? [];
    const read = withAddOn(ean ?? upc ?? '', addOn ?? price ?? '');
    if (read !== undefined) return read;
  }
  const written = WRITTEN_ADD_ON.exec(data);
  if (written !== null && !isValid(digits)) {
    const read = withAddOn(written[1]!, written[2]!);
    if (read !== undefined) return read;
  }
  return DIGITS.test(digits) ? { barcode: digits as Barcode } : undefined;
}

function withAddOn(number: string, addOn: string): ScannedCode | undefined {
  const digits = number.replace(SPACES_AND_DASHES, '');
  if (!EXTENDED_LENGTHS.has(digits.length) || !DIGITS.test(digits)) return undefined;
  // A UPC-E has the check digit of its UPC-A.
  if (digits.length === 8 ? expandUpcE(digits) === undefined : !isValid(digits)) return undefined;
  return { barcode: digits as Barcode, facts: { addOn } };
}

function isValid(digits: string): boolean {
  return DIGITS.test(digits) && hasValidCheckDigit(toGtin(digits));
}

function readLink(data: string): ScannedCode | undefined {
  return isLink(data) ? readElements(readDigitalLink(data)) : undefined;
}

/** Without brackets or a separator, the elements must include a number with a valid check digit. */
function readPlain(data: string, isGs1: boolean): ScannedCode | undefined {
  const read = readPlainElements(data.replace(/ /g, ''));
  const gtin = gtinOf(read);
  if (gtin === undefined || !(isGs1 || hasValidCheckDigit(gtin))) return undefined;
  const begins = read.elements[0] !== undefined && gtinIn(read.elements[0]) !== undefined;
  return isGs1 || begins || read.unread === undefined ? readElements(read) : undefined;
}

function readElements(read: ReadElements | undefined): ScannedCode | undefined {
  const gtin = gtinOf(read);
  if (read === undefined || gtin === undefined) return undefined;
  const facts = factsOf(read.elements, read.unread);
  return { barcode: asPrinted(gtin), ...(facts !== undefined && { facts }) };
}

function gtinOf(read: ReadElements | undefined): Gtin | undefined {
  return read?.elements.map(gtinIn).find((each) => each !== undefined);
}

/** The product of an element. What a case contains (02) is a product too. */
function gtinIn({ ai, value }: Element): Gtin | undefined {
  return /^(?:0[123]|8006|8026)$/.test(ai) ? toGtin(value.slice(0, GTIN_DIGITS)) : undefined;
}

/**
 * The number with the 12 or 13 digits of packages. If it may have 8 digits, it keeps its padding, since it is
 * not a UPC-E.
 */
function asPrinted(gtin: Gtin): Barcode {
  const padding = gtin.startsWith('000000') ? 0 : gtin.startsWith('00') ? 2 : gtin.startsWith('0') ? 1 : 0;
  return gtin.slice(padding) as string as Barcode;
}

function invalidBarcode(): AppError {
  return new AppError({
    code: 'invalid_barcode',
    message:
      'A barcode is 6 to 14 digits, with spaces and dashes or with an add-on of 2 or 5 digits, or a GS1 element string or ' +
      'Digital Link that names a GTIN.',
  });
}
