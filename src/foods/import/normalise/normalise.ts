import { findScannedCode } from '@larder/core/codes/scanned-code.ts';
import { type Food, type FoodId, type KnownProduct, toFoodId } from '@larder/core/food.ts';
import { FOOD_NOTES, type FoodNote, noteText } from '@larder/core/food-notes.ts';
import { type Gtin, hasValidCheckDigit, toGtin } from '@larder/core/gtin.ts';
import { type PartialNutrients, REQUIRED_NUTRIENTS } from '@larder/core/nutrients.ts';
import { cleanAliases, cleanBrand, cleanName } from './names.ts';
import { cleanNutrients, isComplete } from './nutrient-values.ts';
import type { RawFood, RawNutrients } from './raw-food.ts';
import { cleanServings } from './servings.ts';

/** Minimum carbohydrates of pure sweeteners. */
const MIN_PURE_G = 90;
const ERYTHRITOL = /(?<!\p{L})(?:[eé]rythrit(?:ol)?|[ei]ritritol[o]?)(?!\p{L})/iu;
const POLYOLS =
  /(?<!\p{L})(?:[xs]ylit(?:ol)?|xilitol[o]?|xilito|sorbit(?:ol|olo)?|maltit(?:ol|olo)?|man+it(?:ol|olo)?|lactit(?:ol)?|isomalt(?:o|ol)?|birkenzucker|birch sugar|sucre de bouleau|az[uú]car de abedul|zucchero di betulla|a[cç][uú]car de b[eé]tula)(?!\p{L})/iu;

/**
 * The polyols of a pure sweetener, by its name in six languages, if the source only states carbohydrates.
 * Undefined for other foods, and for mixtures, whose shares are unknown.
 */
function sweetenerOf(name: string, { carbohydrates, polyolsG }: RawNutrients): RawNutrients | undefined {
  if (carbohydrates === undefined || carbohydrates < MIN_PURE_G) return undefined;
  const [isErythritol, isOther] = [ERYTHRITOL.test(name), POLYOLS.test(name)];
  if (isErythritol && !isOther) return { polyolsG: polyolsG ?? carbohydrates, erythritolG: carbohydrates };
  return isOther && !isErythritol && polyolsG === undefined ? { polyolsG: carbohydrates } : undefined;
}

interface CleanBarcode {
  readonly barcode?: string;
  readonly gtin?: Gtin;
  /** The problem of a code, which is kept if its length is valid. */
  readonly doubt?: string;
}

const NONE: CleanBarcode = {};

/**
 * Keeps the code unchanged: a wrong check digit may be printed on the package, and removing zeros could merge two
 * products.
 */
function cleanBarcode(raw: string | undefined): CleanBarcode {
  if (raw === undefined || raw === '') return NONE;
  const digits = /^\d+$/.test(raw) ? raw : raw.replace(/[\s-]/g, '');
  if (/^0+$/.test(digits)) return { doubt: 'barcode of zeros left out' };
  const isNumber = /^\d{1,14}$/.test(digits);
  const barcode = isNumber ? digits : findScannedCode(raw)?.barcode;
  if (barcode === undefined) {
    return {
      doubt: /^\d+$/.test(digits)
        ? 'barcode of more than 14 digits kept as the key only'
        : 'barcode that is not made of digits left out',
    };
  }
  if (!isNumber) return { barcode, gtin: toGtin(barcode), doubt: 'number read out of a scanned code' };
  const gtin = toGtin(barcode);
  if (hasValidCheckDigit(gtin)) return { barcode, gtin };
  return { barcode, gtin, doubt: 'barcode with a wrong check digit kept for exact look-up' };
}

/** 16 steps for each doubling reach 255 at 65,535 scans. */
const STEPS_PER_DOUBLING = 16;
const MAX_POPULARITY = 255;

/**
 * Popularity of generic foods without counts: that of a product with about 530 scans. "banana" finds the fruit first;
 * only products with thousands of scans rank higher.
 */
const GENERIC_POPULARITY = 145;
/** Minimum diary entries that count. */
const FEW_DIARY_ENTRIES = 8;

/**
 * Popularity from 0 (unknown) to 255 on a logarithmic scale: 16 more for each doubling of the source's count. Counts
 * of one source are comparable, those of different sources roughly.
 */
export function popularityOf({
  scans = 0,
  isGeneric = false,
  diaryEntries = 0,
}: Pick<RawFood, 'scans' | 'isGeneric' | 'diaryEntries'>): number {
  const counted = pointsOf(scans);
  const generic = isGeneric ? GENERIC_POPULARITY + pointsOf(diaryEntries / FEW_DIARY_ENTRIES) : 0;
  return Math.min(MAX_POPULARITY, Math.round(Math.max(counted, generic)));
}

function pointsOf(count: number): number {
  return count > 0 ? STEPS_PER_DOUBLING * Math.log2(1 + count) : 0;
}

/** The result for a raw food. Reasons are from a closed list, so that a report can count them. */
export type Normalised =
  | { readonly kind: 'food'; readonly food: Food; readonly mended: readonly string[] }
  | { readonly kind: 'known'; readonly product: KnownProduct; readonly reason: string }
  | { readonly kind: 'skipped'; readonly reason: string };

/**
 * Converts a reader's raw food, or returns why it cannot. Never throws. `importedAt` (Unix seconds) is used if the
 * source states no times.
 */
export function normalise(raw: RawFood, importedAt: number): Normalised {
  const id = idOf(raw);
  if (id === undefined) return { kind: 'skipped', reason: 'no key' };
  const { name, mended: nameMended } = cleanName(raw.name);
  if (name === '') return { kind: 'skipped', reason: 'no name' };
  const brand = cleanBrand(raw.brand);
  const code = cleanBarcode(raw.barcode);
  const { basis, servings, statedAmount, mended: servingsMended } = cleanServings(raw);
  const {
    per100,
    stated,
    mended: nutrientsMended,
  } = cleanNutrients({
    basis,
    ...(raw.per100 && { per100: { ...raw.per100, ...sweetenerOf(name, raw.per100) } }),
    ...(raw.perServing && { perServing: raw.perServing }),
    ...(statedAmount !== undefined && { servingAmount: statedAmount }),
    ...(raw.isScaledLabel === true && { isScaledLabel: true }),
    ...(raw.isPerServing === true && { isPerServing: true }),
  });
  const named = { id, name, ...(brand !== undefined && { brand }) };
  const notes = [...servingsMended, ...nutrientsMended];
  if (!isComplete(per100)) return withoutNumbers(named, code, per100, notes);

  // A label that only states a serving is not an error.
  const noted = FOOD_NOTES.filter((note) => note !== 'scaled_from_serving' && notes.includes(note));
  const createdAt = timeOf(raw.createdAt, importedAt) ?? importedAt;
  const food: Food = {
    ...named,
    source: 'public_dataset',
    ...cleanAliases(raw.aliases, name, raw.nameLanguages),
    ...(code.barcode !== undefined && { barcode: code.barcode }),
    ...(code.gtin !== undefined && { gtin: code.gtin }),
    basis,
    per100,
    ...(stated !== undefined && { stated }),
    ...(noted.length > 0 && { notes: noted }),
    servings,
    popularity: popularityOf(raw),
    createdAt,
    updatedAt: Math.max(createdAt, timeOf(raw.updatedAt, importedAt) ?? createdAt),
  };
  const doubts = code.doubt === undefined ? [] : [code.doubt];
  return { kind: 'food', food, mended: [...nameMended, ...doubts, ...notes.map(noteText)] };
}

const MAX_KEY_LENGTH = 60;

function idOf({ origin, key }: RawFood): FoodId | undefined {
  if (/^[A-Za-z0-9._-]{1,60}$/.test(key)) return toFoodId(origin, key);
  const safe = key
    .trim()
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, MAX_KEY_LENGTH);
  return /[A-Za-z0-9]/.test(safe) ? toFoodId(origin, safe) : undefined;
}

/** Notes on nutrients that a complete food needs. */
const DROPPED: ReadonlySet<FoodNote> = new Set([
  'energy_dropped',
  'energies_disagree',
  'impossible_dropped',
  'sum_dropped',
]);

function withoutNumbers(
  named: Pick<KnownProduct, 'id' | 'name' | 'brand'>,
  { barcode, gtin }: CleanBarcode,
  per100: PartialNutrients,
  notes: readonly FoodNote[],
): Normalised {
  const missing = REQUIRED_NUTRIENTS.filter((key) => per100[key] === undefined);
  const lacks = missing.length === REQUIRED_NUTRIENTS.length ? 'no nutrients' : `no ${missing.join(', no ')}`;
  const reason = notes.some((note) => DROPPED.has(note))
    ? `${lacks} after impossible ones were dropped`
    : lacks;
  if (barcode === undefined || gtin === undefined)
    return { kind: 'skipped', reason: `${reason} and no barcode` };
  return { kind: 'known', product: { ...named, barcode, gtin }, reason };
}

const EARLIEST = Date.UTC(1990, 0) / 1_000;
const CLOCK_SKEW_S = 86_400;

function timeOf(seconds: number | undefined, now: number): number | undefined {
  const isPlausible = seconds !== undefined && seconds >= EARLIEST && seconds <= now + CLOCK_SKEW_S;
  return isPlausible ? Math.floor(seconds) : undefined;
}
