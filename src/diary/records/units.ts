import type { Basis } from '@larder/core/food.ts';
import { sizeOfUnit } from '@larder/core/unit-sizes.ts';
import { singularOf } from '@larder/core/words/singular.ts';

/** A unit of mass (in g) or volume (in ml). */
export interface StandardUnit {
  readonly name: string;
  readonly basis: Basis;
  /** Amount of g or ml in one unit. */
  readonly size: number;
  /**
   * False for kitchen measures. They differ between sources (a legal US cup is 240 ml, a customary one 236.6 ml), so
   * a food's own cup has precedence.
   */
  readonly exact: boolean;
}

/** Keys are in the form of `normaliseUnit`. */
const STANDARD_UNITS: ReadonlyMap<string, StandardUnit> = new Map(
  (
    [
      ['g', true, ['gram', 'gramme', 'gm', 'grm']],
      ['mg', true, ['milligram']],
      ['kg', true, ['kilogram', 'kilo']],
      ['oz', true, ['ounce', 'onz']],
      ['lb', true, ['pound']],
      ['ml', true, ['milliliter', 'millilitre', 'mlt']],
      ['l', true, ['liter', 'litre']],
      ['fl_oz', false, ['fl oz', 'floz', 'fluid ounce', 'fl ounce']],
      ['cup', false, []],
      ['tbsp', false, ['tablespoon', 'tb']],
      ['tsp', false, ['teaspoon']],
    ] as const
  ).flatMap(([name, exact, others]) =>
    [name, ...others].map((key) => [key, { name, exact, ...sizeOfUnit(name)! }] as const),
  ),
);

/** The standard unit of this normalised name. */
export function findStandardUnit(normalised: string): StandardUnit | undefined {
  return STANDARD_UNITS.get(normalised);
}

export function standardUnitNames(basis: Basis): string[] {
  return [
    ...new Set([...STANDARD_UNITS.values()].filter((unit) => unit.basis === basis).map(({ name }) => name)),
  ];
}

/** A number of units, as in "2 slices" or "1 1/2 cups"; the unit is normalised. */
export interface Measure {
  readonly count: number;
  readonly unit: string;
}

/** The number in "6-inch sub" is no count. */
const LEADING_COUNT = /^(\d{1,6}(?:[.,]\d{1,6})?(?![\d-]))?(?:\s*(\d{1,3})\s*\/\s*(\d{1,3}))?\s*/;
const PARENTHESES = /\([^)]*\)?/g;

/** Parses a household text. Without a leading number the count is 1; text in parentheses is ignored. */
export function parseMeasure(text: string): Measure {
  const plain = text.replace(PARENTHESES, ' ').trim();
  // "1/2 cup": the first group must not include the numerator.
  const fraction = /^(\d{1,3})\s*\/\s*(\d{1,3})\s*/.exec(plain);
  if (fraction) return measure(Number(fraction[1]) / Number(fraction[2]), plain.slice(fraction[0].length));
  const [matched, whole, numerator, denominator] = LEADING_COUNT.exec(plain)!;
  if (whole === undefined) return measure(1, plain);
  const part = numerator === undefined ? 0 : Number(numerator) / Number(denominator);
  return measure(Number(whole.replace(',', '.')) + part, plain.slice(matched.length));
}

function measure(count: number, unit: string): Measure {
  return { count: Number.isFinite(count) && count > 0 ? count : 1, unit: normaliseUnit(unit) };
}

/** One spelling for each unit: "Slices, thin" becomes "slice, thin", and "Fluid ounces" becomes "fl_oz". */
export function normaliseUnit(text: string): string {
  const folded = fold(text);
  return STANDARD_UNITS.get(folded)?.name ?? folded;
}

function fold(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/[\s.]+/g, ' ')
    .trim()
    .replace(/ ,/g, ',')
    .split(' ');
  // "fluid ounces": the noun is the last word; "slices, thin": the word before the comma.
  const noun = words.findIndex((word) => word.endsWith(','));
  const at = noun === -1 ? words.length - 1 : noun;
  const word = words[at]!;
  const comma = word.endsWith(',') ? ',' : '';
  words[at] = singularOf(comma === '' ? word : word.slice(0, -1)) + comma;
  return words.join(' ');
}
