import { findScannedCode } from '@larder/core/codes/scanned-code.ts';
import { type Food, type FoodId, type KnownProduct, toFoodId } from '@larder/core/food.ts';
import { FOOD_NOTES, type FoodNote, noteText } from '@larder/core/food-notes.ts';
import { type Gtin, hasValidCheckDigit, toGtin } from '@larder/core/gtin.ts';
import type { LanguageBits } from '@larder/core/name-languages.ts';
import { type PartialNutrients, REQUIRED_NUTRIENTS } from '@larder/core/nutrients.ts';
import { cleanText, cutText } from './clean-text.ts';
import { cleanNutrients, isComplete } from './nutrient-values.ts';
import type { RawFood, RawNutrients } from './raw-food.ts';
import { cleanServings } from './servings.ts';
import { repairTwiceEncoded, TWICE_ENCODED_PAIR } from './twice-encoded.ts';

const MAX_IMPORTED_NAME_LENGTH = 300;
const MAX_BRAND_LENGTH = 100;
const MAX_ALIASES = 20;
/** Names with fewer letters may be abbreviations and keep their capitals: "BBQ", "H&M". */
const MIN_SHOUTED_LETTERS = 5;

interface CleanName {
  readonly name: string;
  readonly mended: readonly string[];
}

/** The displayed name; empty if nothing is left. */
function cleanName(raw: string): CleanName {
  const clean = cleanText(raw);
  const softened = softenCapitals(clean);
  const name = cutText(softened, MAX_IMPORTED_NAME_LENGTH);
  if (name === raw && !TWICE_ENCODED_PAIR.test(raw)) return { name, mended: [] };
  const mended: string[] = [];
  const { isRepaired, isDoubtful } = repairTwiceEncoded(raw);
  if (isRepaired) mended.push('name that was encoded twice repaired');
  if (isDoubtful) mended.push('name that may be encoded twice in part kept');
  if (raw.includes('&') && !clean.includes(raw.trim())) mended.push('name with HTML entities decoded');
  if (softened !== clean) mended.push('name in capitals softened');
  if (name !== softened) mended.push(`name cut to ${MAX_IMPORTED_NAME_LENGTH} characters`);
  return { name: /[\p{L}\p{N}]/u.test(name) ? name : '', mended };
}

const SMALL_WORDS = new Set(
  'of and the with in or for de du des la le les et à au aux en y e con di da al und mit von'.split(' '),
);
const WORD = /(?<![\p{L}\p{N}])\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)*(?!\p{N})/gu;
const VOWEL = /[AEIOUYÀ-ÖØ-Ý]/;

/** Converts a name in capitals to capital initials; others stay unchanged. */
function softenCapitals(name: string): string {
  if (name !== name.toUpperCase() || name === name.toLowerCase()) return name;
  if ((name.match(/\p{Lu}/gu)?.length ?? 0) < MIN_SHOUTED_LETTERS) return name;
  return name.replace(WORD, (word, at: number) => {
    const lower = word.toLowerCase();
    if (at > 0 && SMALL_WORDS.has(lower)) return lower;
    if (word.length <= 3 && /^[A-Z]+$/.test(word) && !VOWEL.test(word)) return word;
    const [initial = '', ...rest] = word;
    return initial + rest.join('').toLowerCase();
  });
}

/** Texts that sources write instead of a brand. */
const NO_BRAND = /^(?:null|none|unknown|n\/?a|no brand|not a branded item|sans marque|[-–—.?\s]*)$/i;

/** The first brand of a comma-separated list; undefined if the text means none. */
function cleanBrand(raw: string | undefined): string | undefined {
  if (raw === undefined || raw === '') return undefined;
  const clean = cleanText(raw);
  const comma = firstBrandEnd(clean);
  const brand = cutText(clean.slice(0, comma).trim(), MAX_BRAND_LENGTH);
  return NO_BRAND.test(brand) ? undefined : brand;
}

/** "Kellogg Company, Inc." is one brand, "Ferrero,Nutella" are two. */
const COMPANY_FORM = /^,\s*(?:inc|llc|ltd|l\.l\.c|co|corp|s\.?a|gmbh|limited|incorporated)\b/i;

function firstBrandEnd(brands: string): number {
  const comma = brands.indexOf(',');
  if (comma === -1) return brands.length;
  return COMPANY_FORM.test(brands.slice(comma)) ? brands.length : comma;
}

/** Other names, cleaned, without duplicates and the name itself, and the languages of all if they are stated. */
function cleanAliases(
  raw: readonly string[] | undefined,
  name: string,
  nameLanguages: readonly LanguageBits[] = [],
): Pick<Food, 'aliases' | 'nameLanguages'> {
  const [ofName = 0, ...ofAliases] = nameLanguages;
  if (raw === undefined || raw.length === 0)
    return ofName === 0 ? { aliases: NO_ALIASES } : { aliases: NO_ALIASES, nameLanguages: [ofName] };
  const languages = [ofName];
  const seen = new Set([name.toLowerCase()]);
  const aliases: string[] = [];
  for (const [at, text] of raw.entries()) {
    const alias = cutText(cleanText(text), MAX_IMPORTED_NAME_LENGTH);
    const folded = alias.toLowerCase();
    if (alias === '' || seen.has(folded)) continue;
    seen.add(folded);
    aliases.push(alias);
    languages.push(ofAliases[at] ?? 0);
    if (aliases.length === MAX_ALIASES) break;
  }
  return languages.some((bits) => bits !== 0) ? { aliases, nameLanguages: languages } : { aliases };
}

const NO_ALIASES: readonly string[] = Object.freeze([]);

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
