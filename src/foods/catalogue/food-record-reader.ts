import {
  type Basis,
  FOOD_SOURCES,
  type Food,
  type FoodId,
  type KnownProduct,
  ORIGINS,
  type Origin,
  type Serving,
  type StatedNutrients,
  toFoodId,
} from '@larder/core/food.ts';
import { FOOD_LANGUAGES, type FoodLanguage, type LocalNames } from '@larder/core/food-languages.ts';
import { type FoodNote, fromNoteBits } from '@larder/core/food-notes.ts';
import { GTIN_DIGITS, type Gtin, toGtin } from '@larder/core/gtin.ts';
import { NUTRIENT_KEYS, type Nutrients } from '@larder/core/nutrients.ts';
import { toPer100 } from '@larder/core/rounding.ts';
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
  type NumberedAmount,
  OPTIONAL_NUTRIENT,
  ORIGIN_MASK,
  PLAIN_SERVING_AMOUNT,
  SERVING_HAS_LABEL,
  SERVING_IN_BASIS,
  SERVING_UNIT_MASK,
  SERVING_UNIT_WRITTEN,
  SERVING_UNITS,
  SOURCE_SHIFT,
  type StoredFood,
  type StoredProduct,
  type StoredRecord,
} from './food-record.ts';
import { RecordBytesReader } from './record-bytes.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Reads the id and the kind of source. */
export function readIdentity(from: RecordBytesReader): Pick<Food, 'id' | 'source'> {
  from.u8();
  const second = from.u8();
  const id = toFoodId(ORIGINS[second & ORIGIN_MASK]!, from.code());
  return { id, source: FOOD_SOURCES[(second >> SOURCE_SHIFT) & 3]! };
}

/** Reads the whole record. */
export function readRecord(from: RecordBytesReader): StoredRecord {
  const first = from.u8();
  const second = from.u8();
  const key = from.code();
  const { barcode, gtin } = readBarcode(from, first, key);
  const known = (first & KNOWN_ONLY) !== 0;
  const popularity = known ? 0 : from.u8();
  const id = toFoodId(ORIGINS[second & ORIGIN_MASK]!, key);
  const name = from.text();
  const brand = (first & HAS_BRAND) === 0 ? undefined : from.text();
  const { aliases, otherIds } = readOtherNames(from, second);
  const contents = from.varint();
  const hasDetails = (contents & HAS_DETAILS) !== 0;

  if (known) {
    const product: Mutable<KnownProduct> = { id, name, barcode: barcode!, gtin: gtin! };
    if (brand !== undefined) product.brand = brand;
    const record: Mutable<StoredProduct> = { known: product, otherIds };
    if (hasDetails) record.details = from.bytesOf(from.varint());
    return record;
  }
  const source = FOOD_SOURCES[(second >> SOURCE_SHIFT) & 3]!;
  const basis: Basis = (first & BASIS_ML) === 0 ? 'g' : 'ml';
  const { per100, stated, unknownNutrients, notes } = readNutrients(from, contents);
  const servings = readServings(from, second, basis);
  const createdAt = from.uint(4);
  const updatedAt = (first & NEVER_UPDATED) === 0 ? from.uint(4) : createdAt;
  const food: Mutable<Food> = {
    id,
    source,
    name,
    aliases,
    basis,
    per100,
    servings,
    popularity,
    createdAt,
    updatedAt,
  };
  if (stated !== undefined) food.stated = stated;
  if (notes !== undefined) food.notes = notes;
  if (brand !== undefined) food.brand = brand;
  if (barcode !== undefined) food.barcode = barcode;
  if (gtin !== undefined) food.gtin = gtin;
  const record: Mutable<StoredFood> = { food, otherIds };
  if (unknownNutrients !== undefined) record.unknownNutrients = unknownNutrients;
  if (hasDetails) readDetails(from, record, food);
  return record;
}

function readDetails(from: RecordBytesReader, record: Mutable<StoredFood>, food: Mutable<Food>): void {
  const details = from.bytesOf(from.varint());
  const [part, count = 0] = details;
  if (part !== NAME_LANGUAGES_PART || count === 0 || details.length < 2 + count) {
    record.details = details;
    return;
  }
  food.nameLanguages = [...details.subarray(2, 2 + count)];
  if (details.length > 2 + count) record.details = details.subarray(2 + count);
}

/** The names by language in the details of a record. */
export function localNamesOf({ details }: StoredRecord): LocalNames {
  if (details?.[0] !== LOCAL_NAMES_PART) return {};
  const from = new RecordBytesReader(details);
  from.position = 1;
  const names: Partial<Record<FoodLanguage, readonly string[]>> = {};
  for (let languages = from.varint(); languages > 0; languages--) {
    const code = FOOD_LANGUAGES[from.u8()];
    const texts: string[] = [];
    for (let left = from.varint(); left > 0; left--) texts.push(from.text());
    if (code !== undefined) names[code] = texts;
  }
  return names;
}

const GTIN_PADDING = '0'.repeat(GTIN_DIGITS);

function readBarcode(
  from: RecordBytesReader,
  first: number,
  key: string,
): { barcode: string | undefined; gtin: Gtin | undefined } {
  const barcodeForm = (first >> BARCODE_SHIFT) & 3;
  let barcode: string | undefined;
  if (barcodeForm === BARCODE.isKey) barcode = key;
  else if (barcodeForm === BARCODE.stored) barcode = from.code();

  const gtinForm = (first >> GTIN_SHIFT) & 3;
  let gtin: Gtin | undefined;
  if (gtinForm === GTIN.stored) gtin = toGtin(String(from.uint(GTIN_BYTES)));
  else if (gtinForm === GTIN.ofBarcode) gtin = (GTIN_PADDING.slice(barcode!.length) + barcode) as Gtin;
  return { barcode: barcodeForm === BARCODE.isGtin ? gtin : barcode, gtin };
}

interface OtherNames {
  readonly aliases: readonly string[];
  readonly otherIds: readonly FoodId[];
}

const NO_OTHER_NAMES: OtherNames = Object.freeze({ aliases: [], otherIds: [] });

function readOtherNames(from: RecordBytesReader, second: number): OtherNames {
  if ((second & HAS_OTHER_NAMES) === 0) return NO_OTHER_NAMES;
  const aliases: string[] = [];
  for (let left = from.varint(); left > 0; left--) aliases.push(from.text());
  const otherIds: FoodId[] = [];
  for (let left = from.varint(); left > 0; left--) otherIds.push(toFoodId(ORIGINS[from.u8()]!, from.code()));
  return { aliases, otherIds };
}

interface RecordNutrients {
  readonly per100: Nutrients;
  readonly stated: StatedNutrients | undefined;
  readonly unknownNutrients: readonly NumberedAmount[] | undefined;
  readonly notes: readonly FoodNote[] | undefined;
}

function readNutrients(from: RecordBytesReader, contents: number): RecordNutrients {
  const isStated = (contents & NUTRIENTS_STATED) !== 0;
  const amount = isStated ? from.decimal() : 100;
  // One literal is faster than four assignments.
  const nutrients: Nutrients = {
    energy: from.decimal(),
    protein: from.decimal(),
    fat: from.decimal(),
    carbohydrates: from.decimal(),
  };
  let unknownNutrients: NumberedAmount[] | undefined;
  let notes: FoodNote[] | undefined;
  for (let left = Math.floor(contents / OPTIONAL_NUTRIENT); left > 0; left--) {
    const number = from.varint();
    const key = NUTRIENT_KEYS[number];
    if (key !== undefined) nutrients[key] = from.decimal();
    else if (number === NOTES_NUMBER) notes = fromNoteBits(from.decimal());
    else {
      unknownNutrients ??= [];
      unknownNutrients.push([number, from.decimal()]);
    }
  }
  const stated = isStated ? { amount, nutrients } : undefined;
  return { per100: stated === undefined ? nutrients : toPer100(stated), stated, unknownNutrients, notes };
}

function readServings(from: RecordBytesReader, second: number, basis: Basis): [Serving, ...Serving[]] {
  if ((second & HAS_SERVINGS) === 0) {
    return [{ value: PLAIN_SERVING_AMOUNT, unit: basis, basisAmount: PLAIN_SERVING_AMOUNT }];
  }
  const servings: Serving[] = [];
  for (let left = from.varint(); left > 0; left--) {
    const head = from.u8();
    const unitNumber = head & SERVING_UNIT_MASK;
    const unit = unitNumber === SERVING_UNIT_WRITTEN ? from.text() : SERVING_UNITS[unitNumber]!;
    const value = from.decimal();
    const basisAmount = (head & SERVING_IN_BASIS) === 0 ? from.decimal() : value;
    if ((head & SERVING_HAS_LABEL) === 0) servings.push({ value, unit, basisAmount });
    else servings.push({ value, unit, basisAmount, label: from.text() });
  }
  return servings as [Serving, ...Serving[]];
}

/** The part of a record needed for ordering and look-ups, readable without creating strings. */
export interface RecordHead {
  readonly known: boolean;
  /** The GTIN as a number; 0 if there is none. */
  readonly gtin: number;
  /** 0 for known products. */
  readonly popularity: number;
}

/** Reads up to the name. */
export function readHead(from: RecordBytesReader): RecordHead {
  const first = from.u8();
  from.position++;
  const keyNumber = from.codeNumber();
  const barcodeNumber = ((first >> BARCODE_SHIFT) & 3) === BARCODE.stored ? from.codeNumber() : keyNumber;
  const gtinForm = (first >> GTIN_SHIFT) & 3;
  let gtin = 0;
  if (gtinForm === GTIN.stored) gtin = from.uint(GTIN_BYTES);
  else if (gtinForm === GTIN.ofBarcode) gtin = barcodeNumber;
  const known = (first & KNOWN_ONLY) !== 0;
  return { known, gtin, popularity: known ? 0 : from.u8() };
}

/** The names and numbers by which a record is found. */
export interface RecordKeys extends RecordHead, OtherNames {
  readonly origin: Origin;
  readonly name: string;
  readonly brand?: string;
}

/** Reads these and nothing after them. */
export function readKeys(from: RecordBytesReader): RecordKeys {
  const first = from.bytes[from.position]!;
  const second = from.bytes[from.position + 1]!;
  const { known, gtin, popularity } = readHead(from);
  const name = from.text();
  const brand = (first & HAS_BRAND) === 0 ? undefined : from.text();
  const { aliases, otherIds } = readOtherNames(from, second);
  const origin = ORIGINS[second & ORIGIN_MASK]!;
  const keys: Mutable<RecordKeys> = { known, gtin, popularity, origin, name, aliases, otherIds };
  if (brand !== undefined) keys.brand = brand;
  return keys;
}

/** Writes the id of a record as `writeId` does. */
export function copyId(from: RecordBytesReader, target: Buffer): Buffer {
  target[0] = from.bytes[from.position + 1]! & ORIGIN_MASK;
  from.position += 2;
  const start = from.position;
  from.skipCode();
  for (let at = start; at < from.position; at++) target[1 + at - start] = from.bytes[at]!;
  return target.subarray(0, 1 + from.position - start);
}

/** Whether the record has this id, its own or a merged one; `id` in the form of `writeId`. */
export function hasId(from: RecordBytesReader, id: Uint8Array): boolean {
  const start = from.position;
  const second = from.bytes[start + 1]!;
  if ((second & ORIGIN_MASK) === id[0] && startsWith(from.bytes, start + 2, id, 1)) return true;
  if ((second & HAS_OTHER_NAMES) === 0) return false;
  return hasOtherId(from, id);
}

function hasOtherId(from: RecordBytesReader, id: Uint8Array): boolean {
  const first = from.bytes[from.position]!;
  readHead(from);
  from.skipText();
  if ((first & HAS_BRAND) !== 0) from.skipText();
  for (let aliases = from.varint(); aliases > 0; aliases--) from.skipText();
  for (let ids = from.varint(); ids > 0; ids--) {
    if (startsWith(from.bytes, from.position, id, 0)) return true;
    from.position++;
    from.skipCode();
  }
  return false;
}

/** Compares all of `part` from `partStart` on. A code begins with its length, so equal bytes are equal codes. */
function startsWith(bytes: Uint8Array, start: number, part: Uint8Array, partStart: number): boolean {
  for (let i = partStart; i < part.length; i++) {
    if (bytes[start + i - partStart] !== part[i]) return false;
  }
  return true;
}
