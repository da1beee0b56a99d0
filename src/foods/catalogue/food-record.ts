/**
 * One food as contiguous bytes, about 90 for a packaged food, the same in segments and catalogues. Primitives:
 * `record-bytes.ts`.
 *
 * | Part | Form | Present |
 * | --- | --- | --- |
 * | flags | 2 bytes, see the constants below | always |
 * | key | code: the id without its origin | always |
 * | barcode | code | if it is neither the key nor the GTIN |
 * | GTIN | 6 bytes | if it differs from the barcode's number |
 * | popularity | 1 byte | foods |
 * | name | text | always |
 * | brand | text | flag |
 * | aliases, other ids | varint n, n texts; varint m, m times origin byte and code | flag |
 * | contents | varint: 1 if amounts are stated for another amount than 100, 2 if details follow, 4 for each optional nutrient | always |
 * | nutrients | stated amount as a decimal?; a decimal for each required nutrient; varint number and decimal for each optional one | foods |
 * | servings | varint n; n times head byte, unit text?, decimal value, decimal basis amount?, label? | flag |
 * | createdAt | 4 bytes, Unix seconds | foods |
 * | updatedAt | 4 bytes | foods, if it differs |
 * | details | varint length, bytes | flag in contents |
 *
 * The number of a nutrient is its position in `NUTRIENTS`; number 127 has the notes, a bit each, in place of an amount. Amounts
 * of later versions' nutrients are kept unread. Details may begin with the languages of the names: `NAME_LANGUAGES_PART`, varint
 * n, n bytes, one for the name and each alias. Names by language may follow: `LOCAL_NAMES_PART`, varint n, n times the
 * position in `FOOD_LANGUAGES` as a byte, varint m, m texts. What follows is reserved for other texts by language: whatever it
 * holds, it is copied with its record.
 *
 * A known product has only the parts marked always, its barcode, GTIN, brand and other ids. "Other ids" are those of
 * foods merged into this one; look-ups still find them.
 */
import type { Food, FoodId, KnownProduct } from '@larder/core/food.ts';

/** The content of a record. */
export type StoredRecord = StoredFood | StoredProduct;
export interface StoredFood extends StoredParts {
  readonly food: Food;
  /** Nutrients that a later version added, per `stated.amount` or 100. */
  readonly unknownNutrients?: readonly NumberedAmount[];
}
export interface StoredProduct extends StoredParts {
  readonly known: KnownProduct;
}
interface StoredParts {
  readonly otherIds: readonly FoodId[];
  readonly details?: Buffer;
}
/** The number of a nutrient, and its amount. */
export type NumberedAmount = readonly [number: number, amount: number];

// First byte.
export const KNOWN_ONLY = 0b0000_0001;
export const BARCODE_SHIFT = 1;
export const GTIN_SHIFT = 3;
export const BASIS_ML = 0b0010_0000;
export const HAS_BRAND = 0b0100_0000;
export const NEVER_UPDATED = 0b1000_0000;
// Second byte; its low four bits are the origin.
export const ORIGIN_MASK = 0b0000_1111;
export const SOURCE_SHIFT = 4;
export const HAS_SERVINGS = 0b0100_0000;
export const HAS_OTHER_NAMES = 0b1000_0000;

// Contents; the rest is the number of optional nutrients.
export const NUTRIENTS_STATED = 0b01;
export const HAS_DETAILS = 0b10;
export const OPTIONAL_NUTRIENT = 0b100;

/** The first byte of details that begin with the languages of names. */
export const NAME_LANGUAGES_PART = 1;
/** The first byte of names by language. */
export const LOCAL_NAMES_PART = 2;
/** Stands among the optional nutrients. */
export const NOTES_NUMBER = 127;

export const BARCODE = { none: 0, isKey: 1, isGtin: 2, stored: 3 } as const;
export const GTIN = { none: 0, ofBarcode: 1, stored: 2 } as const;
export const GTIN_BYTES = 6;

/** Append only: the position is part of the file format. Other units are stored as text. */
export const SERVING_UNITS = [
  'g',
  'ml',
  'oz',
  'fl_oz',
  'cup',
  'tbsp',
  'tsp',
  'slice',
  'piece',
  'serving',
  'package',
  'bottle',
  'can',
  'bar',
] as const;
export const SERVING_UNIT_MASK = 0b0000_1111;
export const SERVING_UNIT_WRITTEN = 15;
export const SERVING_HAS_LABEL = 0b0001_0000;
export const SERVING_IN_BASIS = 0b0010_0000;

/** The serving of a food whose source states none; takes no bytes. */
export const PLAIN_SERVING_AMOUNT = 100;
