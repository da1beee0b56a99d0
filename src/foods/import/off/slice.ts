import { OperatorError } from '@larder/core/errors.ts';
import type { SegmentSlice } from '../../catalogue/segment.ts';

/**
 * A part of the products of Open Food Facts: sold in one of the countries (`de`, ISO 3166) or all over the world, with a name in one
 * of the languages (`de`, ISO 639-1), and scanned by at least so many people within a year.
 */
export type OffSlice = SegmentSlice;

/** What a product says of where it is sold. */
export interface OffMarket {
  /** Tags such as `en:germany`. */
  readonly countries: readonly string[];
  readonly languages: readonly string[];
}

/** An `OffSlice` that was checked. */
export interface SliceFilter {
  readonly slice: OffSlice;
  readonly countries: ReadonlySet<string> | undefined;
  readonly languages: ReadonlySet<string> | undefined;
  readonly popular: number;
}

/** Throws an `OperatorError` for a code that does not exist. */
export function openSlice(slice: OffSlice): SliceFilter {
  const { countries, languages, popular = 0 } = slice;
  return {
    slice,
    countries: countries && new Set([WORLD, ...countries.flatMap(countryTags)]),
    languages: languages && new Set(languages.map(requireLanguage)),
    popular,
  };
}

/** Why a product is outside of the slice; undefined if it is in it. */
export function outsideOf(
  { countries, languages, popular }: SliceFilter,
  scans: number | undefined,
  market: OffMarket,
): string | undefined {
  if (countries !== undefined && !market.countries.some((tag) => countries.has(tag)))
    return 'outside of the chosen countries';
  if (languages !== undefined && !market.languages.some((language) => languages.has(language)))
    return 'without a name in the chosen languages';
  return (scans ?? 0) < popular ? 'scanned by fewer people than was asked for' : undefined;
}

/** Throws an `OperatorError` for a file without the columns by which its products are chosen. */
export function requireMarket(
  path: string,
  filter: SliceFilter | undefined,
  file: { readonly columns: readonly string[]; readonly languages: string },
): void {
  const needed = [
    ['countries', filter?.countries !== undefined, 'countries_tags'],
    ['languages', filter?.languages !== undefined, file.languages],
    ['scans', (filter?.popular ?? 0) > 0, 'unique_scans_n'],
  ] as const;
  const lacking = needed.find(([, isNeeded, column]) => isNeeded && !file.columns.includes(column));
  if (lacking === undefined) return;
  throw new OperatorError(
    `${path} does not tell the ${lacking[0]} of its products. The exports in JSON lines and Parquet do.`,
  );
}

const WORLD = 'en:world';
const COUNTRY_NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
const LANGUAGE_NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** Countries whose tag has another name than the Unicode locale data, of now or earlier. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  bs: ['the-bahamas'],
  cd: ['democratic-republic-of-the-congo'],
  cg: ['republic-of-the-congo'],
  cz: ['czech-republic'],
  fm: ['federated-states-of-micronesia'],
  gm: ['the-gambia'],
  gs: ['south-georgia-and-the-south-sandwich-islands'],
  hk: ['hong-kong'],
  mk: ['republic-of-macedonia', 'macedonia'],
  mm: ['myanmar'],
  mo: ['macau'],
  pn: ['pitcairn'],
  ps: ['state-of-palestine'],
  sz: ['swaziland'],
  tf: ['french-southern-and-antarctic-lands'],
  tl: ['east-timor'],
  tr: ['turkey'],
  um: ['united-states-minor-outlying-islands'],
  vc: ['saint-vincent-and-the-grenadines'],
  vi: ['virgin-islands-of-the-united-states'],
};

/** The tags of a country: its English name as Open Food Facts writes it. */
export function countryTags(code: string): readonly string[] {
  if (!isCountry(code))
    throw new OperatorError(
      `"${code}" is no country; name each by its two letters: de for Germany, at for Austria.`,
    );
  return [tagOf(COUNTRY_NAMES.of(code.toUpperCase())!), ...(OTHER_NAMES[code] ?? [])].map(
    (tag) => `en:${tag}`,
  );
}

export function isCountry(code: string): boolean {
  return isCode(code) && COUNTRY_NAMES.of(code.toUpperCase()) !== undefined;
}

export function isLanguage(code: string): boolean {
  return isCode(code) && LANGUAGE_NAMES.of(code) !== undefined;
}

function tagOf(name: string): string {
  return name
    .replaceAll('&', 'and')
    .replaceAll(/\bSt\./g, 'Saint')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-');
}

function requireLanguage(code: string): string {
  if (isLanguage(code)) return code;
  throw new OperatorError(
    `"${code}" is no language; name each by its two letters: de for German, fr for French.`,
  );
}

function isCode(code: string): boolean {
  return /^[a-z]{2}$/.test(code);
}
