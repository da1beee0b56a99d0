import {
  type Basis,
  FOOD_SOURCES,
  type Food,
  type FoodId,
  type FoodIdParts,
  type KnownProduct,
  parseFoodId,
  type Serving,
} from '@larder/core/food.ts';
import { FOOD_LANGUAGES, type LocalNames } from '@larder/core/food-languages.ts';
import { toNoteBits } from '@larder/core/food-notes.ts';
import { GTIN_DIGITS, type Gtin } from '@larder/core/gtin.ts';
import { NUTRIENT_KEYS, REQUIRED_NUTRIENTS } from '@larder/core/nutrients.ts';
import {
  BARCODE,
  BARCODE_SHIFT,
  BASIS_ML,
  GTIN,
  GTIN_BYTES,
  GTIN_SHIFT,
  HAS_BRAND,
  HAS_DETAILS,
  HAS_OTHER_NAMES,
  HAS_SERVINGS,
  KNOWN_ONLY,
  LOCAL_NAMES_PART,
  NAME_LANGUAGES_PART,
  NEVER_UPDATED,
  NOTES_NUMBER,
  NUTRIENTS_STATED,
  OPTIONAL_NUTRIENT,
  PLAIN_SERVING_AMOUNT,
  SERVING_HAS_LABEL,
  SERVING_IN_BASIS,
  SERVING_UNIT_WRITTEN,
  SERVING_UNITS,
  SOURCE_SHIFT,
  type StoredFood,
  type StoredRecord,
} from './food-record.ts';
import { MAX_CODE_BYTES, RecordBytesWriter, writeCode } from './record-bytes.ts';

/** Appends the record of a food or product. Throws a RangeError for values that do not fit. */
export function writeRecord(out: RecordBytesWriter, record: StoredRecord): void {
  const { otherIds } = record;
  const details = detailsOf(record);
  if ('food' in record) writeFood(out, record, details);
  else {
    writeHead(out, record.known, { first: KNOWN_ONLY, second: 0, aliases: [], otherIds });
    out.varint(details === undefined ? 0 : HAS_DETAILS);
  }
  if (details === undefined) return;
  out.varint(details.length);
  out.bytesOf(details);
}

/** The languages of names and the names by language, if any are known, before the details of later versions. */
function detailsOf(record: StoredRecord): Buffer | undefined {
  const { details } = record;
  if (!('food' in record)) return details;
  const { nameLanguages, localNames } = record.food;
  const parts = [languagesPart(nameLanguages), localNames && localNamesPart(localNames), details];
  const present = parts.filter((part) => part !== undefined);
  return present.length > 1 ? Buffer.concat(present) : present[0];
}

function languagesPart(languages: Food['nameLanguages'] = []): Buffer | undefined {
  const count = languages.findLastIndex((bits) => bits !== 0) + 1;
  if (count === 0) return undefined;
  if (count > MAX_LANGUAGES) throw new RangeError(`${count} names are too many`);
  return Buffer.from([NAME_LANGUAGES_PART, count, ...languages.slice(0, count)]);
}

function localNamesPart(localNames: LocalNames): Buffer | undefined {
  const out = new RecordBytesWriter();
  const named = [...FOOD_LANGUAGES.entries()].filter(([, code]) => (localNames[code]?.length ?? 0) > 0);
  if (named.length === 0) return undefined;
  out.u8(LOCAL_NAMES_PART);
  out.varint(named.length);
  for (const [number, code] of named) {
    out.u8(number);
    out.varint(localNames[code]!.length);
    for (const name of localNames[code]!) out.text(name);
  }
  return out.bytes;
}

/** The highest number that takes one byte. */
const MAX_LANGUAGES = 127;

function writeFood(out: RecordBytesWriter, record: StoredFood, details: Buffer | undefined): void {
  const { food, otherIds } = record;
  const plain = isPlain(food.servings, food.basis);
  writeHead(out, food, {
    first: (food.basis === 'ml' ? BASIS_ML : 0) | (food.updatedAt === food.createdAt ? NEVER_UPDATED : 0),
    second: (FOOD_SOURCES.indexOf(food.source) << SOURCE_SHIFT) | (plain ? 0 : HAS_SERVINGS),
    popularity: food.popularity,
    aliases: food.aliases,
    otherIds,
  });
  writeNutrients(out, record, details);
  if (!plain) writeServings(out, food.servings);
  out.uint(food.createdAt, 4);
  if (food.updatedAt !== food.createdAt) out.uint(food.updatedAt, 4);
}

interface HeadParts {
  readonly first: number;
  readonly second: number;
  readonly popularity?: number;
  readonly aliases: readonly string[];
  readonly otherIds: readonly FoodId[];
}

function writeHead(out: RecordBytesWriter, food: Food | KnownProduct, parts: HeadParts): void {
  const { id, name, brand, barcode, gtin } = food;
  const { originNumber, key } = getIdParts(id);
  const barcodeForm = formOfBarcode(barcode, key, gtin);
  const gtinForm = formOfGtin(gtin, barcode);
  const hasOtherNames = parts.aliases.length > 0 || parts.otherIds.length > 0;

  out.u8(
    parts.first |
      (barcodeForm << BARCODE_SHIFT) |
      (gtinForm << GTIN_SHIFT) |
      (brand === undefined ? 0 : HAS_BRAND),
  );
  out.u8(parts.second | originNumber | (hasOtherNames ? HAS_OTHER_NAMES : 0));
  out.code(key);
  if (barcodeForm === BARCODE.stored) out.code(barcode!);
  if (gtinForm === GTIN.stored) out.uint(Number(gtin), GTIN_BYTES);
  if (parts.popularity !== undefined) out.u8(parts.popularity);
  out.text(name);
  if (brand !== undefined) out.text(brand);
  if (hasOtherNames) writeOtherNames(out, parts.aliases, parts.otherIds);
}

function writeOtherNames(
  out: RecordBytesWriter,
  aliases: readonly string[],
  otherIds: readonly FoodId[],
): void {
  out.varint(aliases.length);
  for (const alias of aliases) out.text(alias);
  out.varint(otherIds.length);
  for (const id of otherIds) {
    const { originNumber, key } = getIdParts(id);
    out.u8(originNumber);
    out.code(key);
  }
}

/** Size of the largest id in a record. */
export const MAX_ID_BYTES = 1 + MAX_CODE_BYTES;

/**
 * Writes an id in the form of records, a byte for the origin and the key's code, to the start of `target`.
 * Returns its bytes.
 */
export function writeId(target: Buffer, { originNumber, key }: FoodIdParts): Buffer {
  target[0] = originNumber;
  return target.subarray(0, writeCode(target, 1, key));
}

function writeNutrients(
  out: RecordBytesWriter,
  { food, unknownNutrients = [] }: StoredFood,
  details: Buffer | undefined,
): void {
  const { per100, stated, notes = [] } = food;
  const nutrients = stated?.nutrients ?? per100;
  let optional = unknownNutrients.length + (notes.length > 0 ? 1 : 0);
  for (let number = REQUIRED_NUTRIENTS.length; number < NUTRIENT_KEYS.length; number++) {
    if (nutrients[NUTRIENT_KEYS[number]!] !== undefined) optional++;
  }
  const flags = (stated === undefined ? 0 : NUTRIENTS_STATED) | (details === undefined ? 0 : HAS_DETAILS);
  out.varint(flags + optional * OPTIONAL_NUTRIENT);
  if (stated !== undefined) out.decimal(stated.amount);
  for (const key of REQUIRED_NUTRIENTS) out.decimal(nutrients[key]);
  for (let number = REQUIRED_NUTRIENTS.length; number < NUTRIENT_KEYS.length; number++) {
    const amount = nutrients[NUTRIENT_KEYS[number]!];
    if (amount !== undefined) writeAmount(out, number, amount);
  }
  for (const [number, amount] of unknownNutrients) writeAmount(out, number, amount);
  if (notes.length > 0) writeAmount(out, NOTES_NUMBER, toNoteBits(notes));
}

function writeAmount(out: RecordBytesWriter, number: number, amount: number): void {
  out.varint(number);
  out.decimal(amount);
}

function writeServings(out: RecordBytesWriter, servings: readonly Serving[]): void {
  out.varint(servings.length);
  for (const { value, unit, basisAmount, label } of servings) {
    const known = (SERVING_UNITS as readonly string[]).indexOf(unit);
    out.u8(
      (known === -1 ? SERVING_UNIT_WRITTEN : known) |
        (label === undefined ? 0 : SERVING_HAS_LABEL) |
        (basisAmount === value ? SERVING_IN_BASIS : 0),
    );
    if (known === -1) out.text(unit);
    out.decimal(value);
    if (basisAmount !== value) out.decimal(basisAmount);
    if (label !== undefined) out.text(label);
  }
}

function formOfBarcode(barcode: string | undefined, key: string, gtin: Gtin | undefined): number {
  if (barcode === undefined) return BARCODE.none;
  if (barcode === key) return BARCODE.isKey;
  return barcode === gtin ? BARCODE.isGtin : BARCODE.stored;
}

function formOfGtin(gtin: Gtin | undefined, barcode: string | undefined): number {
  if (gtin === undefined) return GTIN.none;
  // If barcode and GTIN are the same digits, only the GTIN is stored.
  return barcode !== undefined && barcode !== gtin && barcode.padStart(GTIN_DIGITS, '0') === gtin
    ? GTIN.ofBarcode
    : GTIN.stored;
}

/** Whether a record without servings implies exactly these. */
function isPlain(servings: readonly Serving[], basis: Basis): boolean {
  const [first] = servings;
  return (
    servings.length === 1 &&
    first?.label === undefined &&
    first?.value === PLAIN_SERVING_AMOUNT &&
    first.basisAmount === PLAIN_SERVING_AMOUNT &&
    first.unit === basis
  );
}

function getIdParts(id: FoodId): FoodIdParts {
  const parts = parseFoodId(id);
  if (parts === undefined) throw new RangeError(`"${id}" is not the id of a food`);
  return parts;
}
