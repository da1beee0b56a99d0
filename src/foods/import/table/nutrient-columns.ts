import { readFile } from 'node:fs/promises';
import {
  KJ_PER_KCAL,
  MG_SODIUM_PER_G_SALT,
  NUTRIENT_UNITS,
  type NutrientKey,
} from '@larder/core/nutrients.ts';
import { fold } from '@larder/core/words/tokenise.ts';

/** Longer headings are not read: the expressions below take time that grows with the square of the length. */
const MAX_HEADING_CHARACTERS = 200;

/** Units of columns, as an amount in the nutrient's own unit. */
const MASSES: Readonly<Record<string, number>> = {
  g: 1,
  gr: 1,
  gram: 1,
  grams: 1,
  gramm: 1,
  kg: 1e3,
  mg: 1e-3,
  ug: 1e-6,
  mcg: 1e-6,
};
const ENERGIES: Readonly<Record<string, number>> = {
  kcal: 1,
  cal: 1,
  cals: 1,
  calories: 1,
  kj: 1 / KJ_PER_KCAL,
};
const IU_PER_UG_VITAMIN_D = 40;
const UNIT_SIZES: Readonly<Record<string, number>> = { g: 1, mg: 1e-3, ug: 1e-6 };

/** The meaning of a column with amounts. */
export interface NutrientColumn {
  readonly nutrient: NutrientKey;
  /** Amount in the nutrient's own unit in 1 of the column. */
  readonly factor: number;
  /** The unit that the heading states, such as `kj`, `mg` or `ug`. */
  readonly unit?: string;
  /** Unit of the amounts, if the heading states it. */
  readonly per?: '100g' | '100ml' | 'serving';
  /** Whether it is salt, which implies sodium: a column of sodium takes precedence. */
  readonly isSalt?: true;
}

const PER_100 = /(?:(?:per|pro|je|pour|por|a|\/|x)\s*)?\b100\s*(g|gr|gramm?e?s?|ml|milliliters?)?\b/;
const PER_SERVING =
  /(?:per|pro|je|par|por|a|\/)\s*(?:serving|portion|porcion|porcao|porzione|portie|porcja|dose|piece|stuck|pezzo|pieza|unidade?|stuk)\b|\b(?:serving|portion)\b/;

/**
 * Names of nutrients on labels and in tables, as `fold` makes them: a heading, then lines of a nutrient, a tab, and its names separated by bars;
 * `-` for names to skip.
 */
export const NUTRIENT_WORDS = new URL('./label-words.tsv', import.meta.url);
/** Names of columns that do not occur on labels: a heading, then lines of a nutrient or an `@` and another meaning, and the names. */
const HEADING_WORDS = new URL('./heading-words.tsv', import.meta.url);

let reading: Promise<ReadonlyMap<string, string>> | undefined;

/** Reads the words once. */
export async function openNutrientColumns(): Promise<(heading: string) => NutrientColumn | undefined> {
  const names = await headingNames();
  return (heading) => nutrientColumn(heading, names);
}

/** Reads the meanings of other headings, such as `name` and `barcode`; undefined for an unknown one. */
export async function openHeadingMeanings(): Promise<(heading: string) => string | undefined> {
  const names = await headingNames();
  return (heading) => {
    if (heading.length > MAX_HEADING_CHARACTERS) return undefined;
    const words = fold(heading)
      .replaceAll('_', ' ')
      .split(/[^\p{L}]+/u);
    const name = names.get(words.filter((word) => word !== '').join(' '));
    return name?.startsWith('@') ? name.slice(1) : undefined;
  };
}

function headingNames(): Promise<ReadonlyMap<string, string>> {
  reading ??= Promise.all([NUTRIENT_WORDS, HEADING_WORDS].map((file) => readFile(file, 'utf8'))).then(
    (texts) => new Map(texts.flatMap(namesOf)),
  );
  return reading;
}

function namesOf(tsv: string): (readonly [name: string, meaning: string])[] {
  const lines = tsv.trim().split('\n').slice(1);
  return lines.flatMap((line) => {
    const [meaning = '', names = ''] = line.split('\t');
    return names.split('|').map((name) => [fold(name), meaning] as const);
  });
}

/** Parses a heading such as "Sodium (mg)", "Energie kJ / 100 g" or "protein_per_100g"; undefined for other columns. */
function nutrientColumn(heading: string, names: ReadonlyMap<string, string>): NutrientColumn | undefined {
  if (heading.length > MAX_HEADING_CHARACTERS) return undefined;
  const folded = ` ${fold(heading).replace(/[µμ]/g, 'u').replaceAll('_', ' ')} `;
  const per = perOf(folded);
  const { name, unit } = nameAndUnit(folded.replace(PER_100, ' ').replace(PER_SERVING, ' '));
  const named = names.get(name);
  const common = { ...(unit !== undefined && { unit }), ...(per !== undefined && { per }) };
  if (named === 'salt') {
    const grams = unit === undefined ? 1 : sizeIn(MASSES, unit);
    const factor = grams && grams * MG_SODIUM_PER_G_SALT;
    return factor === undefined ? undefined : { nutrient: 'sodium', factor, isSalt: true, ...common };
  }
  if (named === undefined || !Object.hasOwn(NUTRIENT_UNITS, named)) return undefined;
  const nutrient = named as NutrientKey;
  const factor = factorOf(nutrient, unit);
  return factor === undefined ? undefined : { nutrient, factor, ...common };
}

function perOf(folded: string): NutrientColumn['per'] {
  const hundred = PER_100.exec(folded);
  if (hundred !== null) return hundred[1]?.startsWith('m') ? '100ml' : '100g';
  return PER_SERVING.test(folded) ? 'serving' : undefined;
}

/**
 * The unit is in brackets, at the end or alone: "Fat (g)", "Fat, g", "kcal". Percentages of a daily value
 * have no usable unit.
 */
function nameAndUnit(text: string): { readonly name: string; readonly unit: string | undefined } {
  const brackets = [...text.matchAll(/[([]\s*([a-z%]+)\s*[)\]]/g)].map(([, content]) => content);
  const bracketed = brackets.find(isUnit) ?? brackets.at(-1);
  const words = text
    .replace(/[([][^)\]]*[)\]]/g, ' ')
    .split(/[^\p{L}%]+/u)
    .filter((word) => word !== '');
  if (isUnit(bracketed)) return { name: words.join(' '), unit: bracketed };
  // "Kohlenhydrate in g".
  if (words.length > 2 && words.at(-2) === 'in' && isUnit(words.at(-1))) words.splice(-2, 1);
  const last = words.at(-1);
  if (bracketed === '%' || words.includes('%') || !isUnit(last)) {
    return { name: bracketed === '%' ? '%' : words.join(' '), unit: undefined };
  }
  if (words.length > 1) words.pop();
  return { name: words.join(' '), unit: last };
}

function isUnit(word: string | undefined): boolean {
  return (
    word !== undefined &&
    (word === 'iu' || sizeIn(MASSES, word) !== undefined || sizeIn(ENERGIES, word) !== undefined)
  );
}

/** Grams in a unit of mass. */
export function gramsIn(unit: string): number | undefined {
  return sizeIn(MASSES, unit);
}

function sizeIn(sizes: Readonly<Record<string, number>>, unit: string): number | undefined {
  return Object.hasOwn(sizes, unit) ? sizes[unit] : undefined;
}

/** Amount in the nutrient's own unit in 1 of another; 1 without a unit, undefined for one that measures something else. */
export function factorOf(nutrient: NutrientKey, unit: string | undefined): number | undefined {
  if (unit === undefined) return 1;
  if (nutrient === 'energy') return sizeIn(ENERGIES, unit);
  if (unit === 'iu') return nutrient === 'vitaminD' ? 1 / IU_PER_UG_VITAMIN_D : undefined;
  const size = sizeIn(MASSES, unit);
  return size === undefined ? undefined : size / UNIT_SIZES[NUTRIENT_UNITS[nutrient]]!;
}
