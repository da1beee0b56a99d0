import { partsOf, type TextRow } from '../text/rows.ts';
import { toNumber } from './amounts.ts';
import type { NutrientWords } from './nutrient-words.ts';

/** The amount of the values per serving. */
export interface PrintedServing {
  readonly value: number;
  readonly unit: string;
  /** g or ml. */
  readonly basisAmount: number;
  readonly basis: 'g' | 'ml';
}

/** Units of weight or volume, including misread letters. */
export const WEIGHT_UNIT = String.raw`g|gr|gram\w*|m[lLI1]|mill?ilit\w+`;
/** "Serving size", "Serv. size", also with a lost letter: "Sev.Sie". */
const SIZE_WORDS = String.raw`(?<!\p{L})se?r?v\w{0,4}\.?\s*s[il1]?[zs2]?e(?!\p{L})`;
/** Text between those words and the amount: perhaps a household measure and a parenthesis. */
const BEFORE = String.raw`(?<text>[^\d\n]{0,30}?(?:\n\s*(?=\(\s?\d))?(?:[\d/.,½¼¾⅓⅔ ]+[^\d(\n]{0,30})?(?:\n\s*(?=\())?\(?\s?)`;
/** Words before the amount of one serving. */
const SERVING_AMOUNT = new RegExp(
  String.raw`(?:${SIZE_WORDS}|portion\w*|porci[oó]n\w*|porzione|portie|porcj\w*|por[cç][aã]o|dose|servings?|st[uü]ck|\b(?:per|pour|pro|je|por|par|na|voor|pr|for)\b)${BEFORE}(?<![\d.,])(?<number>\d{1,3}(?:[.,]\d{1,2})?)\s?(?<unit>${WEIGHT_UNIT}|9\))(?![a-z])(?!\s?(?:per|pro|pour|por|par|je|/)\s?100)`,
  'giu',
);
/** Matches "Serving size 1 1/2 oz". Elsewhere ounces are the content of the package. */
const SERVING_OUNCES = new RegExp(
  String.raw`${SIZE_WORDS}${BEFORE}(?<![\d.,/½¼¾⅓⅔]\s?)(?<number>(?:\d{1,2}\s)?\d\s?/\s?\d|\d{0,2}\s?[½¼¾⅓⅔]|\d{1,2}(?:[.,]\d{1,2})?)\s?(?<fluid>f[lI1](?:uid|\.)?\s?)?[o0](?:z|unces?)(?![a-z])`,
  'giu',
);
/** Size of an ounce in g on a label, and of a fluid ounce in ml: 21 CFR 101.9(b)(5)(viii). */
const OUNCE_SIZE = { g: 28, ml: 30 } as const;
const COUNT = /^(?<whole>\d+(?:[.,]\d+)?(?!\s?\/))?\s*(?<fraction>\d\s?\/\s?\d|[½¼¾⅓⅔])?/u;
const HOUSEHOLD =
  /(?<whole>\d+(?!\s?\/))?\s*(?<fraction>\d\s?\/\s?\d|[½¼¾⅓⅔])?\s*(?<unit>[A-Za-z][A-Za-z .]*)/u;
const FRACTIONS: Readonly<Record<string, number>> = {
  '½': 0.5,
  '¼': 0.25,
  '¾': 0.75,
  '⅓': 1 / 3,
  '⅔': 2 / 3,
};
const SIZE = new RegExp(SIZE_WORDS, 'iu');
const SIZE_LINE = new RegExp(`^${SIZE_WORDS}`, 'iu');
/** Maximum distance to the second line of a serving, in row heights. */
const BELOW = 2.2;
/** Maximum rows of other columns in between. */
const NEXT_ROWS = 4;
const MAX_UNIT_LENGTH = 24;
/** In g or ml. */
export const MAX_SERVING = 1500;

const SERVING_NAME = String.raw`(?:servings?|portions?|porci[oó]n|porzione|portie|porcj[aęi]|por[cç][aã]o)(?!\p{L})`;
/** Text that says that the values are of one serving, and text of labels whose values are always of one. */
const OF_SERVING = new RegExp(
  String.raw`${SIZE_WORDS}|tama[nñ]o de (?:la )?porci|(?:\b|amount)(?:per|pro|par|por|je|na|voor|each|1)\P{L}{0,4}${SERVING_NAME}|daily\s*value|valeur quotidienne|valor(?:es)? diarios?`,
  'iu',
);
/** A head of a second column that is not per 100 g. */
const OF_PACKAGE =
  /\b(?:per|par|por)\P{L}{0,4}(?:container|contenant|envase|pack(?:age|et)?|box|bag|pouch|can|bottle|bar|recipe)(?!\p{L})/iu;
/** A hundred that was not understood as a head, and one that lost a 0. */
const NEAR_HUNDRED =
  /(?:(?<![\d.,])[1lI][0Oo]{2}|(?:per|pro|pour|por|par|je|na|su|di)\P{L}{0,3}[1lI][0Oo])\s?(?:g|ml|9)(?!\p{L}{2})/iu;

/**
 * Whether texts of a label without a weight say that the values of the first column are of one serving. With a second one
 * they must say what that is of.
 */
export function statesServing(texts: readonly string[], hasTwoColumns: boolean): boolean {
  const says = (pattern: RegExp) => texts.some((text) => pattern.test(text));
  return says(OF_SERVING) && !says(NEAR_HUNDRED) && (!hasTwoColumns || says(OF_PACKAGE));
}

/** Undefined if no weight or volume is printed. */
export function findServing(rows: readonly TextRow[], words: NutrientWords): PrintedServing | undefined {
  for (const text of sizeTexts(rows)) {
    const serving = servingIn(text, words);
    if (serving !== undefined) return serving;
  }
  return servingIn(rows.map((row) => row.text).join(' \n '), words);
}

/** Texts that begin with "Serving size": alone, with the rest of the row, with the text below, with the next row. */
function sizeTexts(rows: readonly TextRow[]): string[] {
  return rows.flatMap((row, at) => {
    const next = rows.slice(at + 1, at + 1 + NEXT_ROWS).filter(({ y }) => y - row.y <= BELOW * row.height);
    return partsOf(row).flatMap((part) => {
      const from = part.text.search(SIZE);
      if (from < 0) return [];
      const size = part.text.slice(from);
      const below = next
        .flatMap((other) => partsOf(other))
        .find(({ left, right }) => left < part.right && right > part.left);
      const others = [row.text.slice(part.from + part.text.length), below?.text, next[0]?.text];
      return [size, ...others.flatMap((other) => (other ? [`${size} ${other}`] : []))];
    });
  });
}

function servingIn(text: string, words: NutrientWords): PrintedServing | undefined {
  let first: PrintedServing | undefined;
  for (const match of text.matchAll(SERVING_AMOUNT)) {
    const { number = '', unit = '', text: before = '' } = match.groups!;
    const basisAmount = toNumber(number);
    if (basisAmount === undefined || basisAmount <= 0 || basisAmount > MAX_SERVING) continue;
    // "Amount per serving: Total Fat 8g".
    if (words.find(before) !== undefined) continue;
    const basis = /^m/i.test(unit) ? 'ml' : 'g';
    const isSizeLine = SIZE_LINE.test(match[0]);
    if (basisAmount === 100 && !isSizeLine) continue;
    const serving = { basisAmount, basis, ...householdOf(before, basisAmount, basis) } as const;
    if (isSizeLine) return serving;
    first ??= serving;
  }
  return servingInOunces(text) ?? first;
}

function servingInOunces(text: string): PrintedServing | undefined {
  for (const { groups = {} } of text.matchAll(SERVING_OUNCES)) {
    const { number = '', text: before = '', fluid } = groups;
    const { whole = '0', fraction } = COUNT.exec(number)!.groups!;
    const basis = fluid === undefined ? 'g' : 'ml';
    const basisAmount = OUNCE_SIZE[basis] * (toNumber(whole)! + fractionOf(fraction));
    if (basisAmount > 0) return { basisAmount, basis, ...householdOf(before, basisAmount, basis) };
  }
  return undefined;
}

/** The household measure before a weight: "2/3 cup (" before "55 g)". An ounce is a weight too. */
function householdOf(before: string, basisAmount: number, basis: 'g' | 'ml') {
  const byWeight = { value: basisAmount, unit: basis };
  if (!/(?:^|\s)[\d½¼¾⅓⅔]/u.test(before) || !before.includes('(')) return byWeight;
  const found = HOUSEHOLD.exec(before.replace(/^[^\d½¼¾⅓⅔]*/u, ''))?.groups;
  if (found === undefined) return byWeight;
  const { whole, fraction, unit = '' } = found;
  const value = (whole === undefined ? 0 : Number(whole)) + fractionOf(fraction);
  const name = unit.trim();
  const isUnit =
    name.length > 1 && name.length <= MAX_UNIT_LENGTH && !/^(?:g|ml|per|[o0]z|ounces?)\b/iu.test(name);
  return value > 0 && isUnit ? { value, unit: name } : byWeight;
}

function fractionOf(text: string | undefined): number {
  if (text === undefined) return 0;
  const [above, below] = text.split('/').map(Number);
  return FRACTIONS[text] ?? (above! > 0 && below! > 0 ? above! / below! : 0);
}
