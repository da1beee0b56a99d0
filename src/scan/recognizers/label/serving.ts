import { toNumber } from './amounts.ts';
import type { TextRow } from './rows.ts';

/** The amount of the values per serving. */
export interface PrintedServing {
  readonly value: number;
  readonly unit: string;
  /** g or ml. */
  readonly basisAmount: number;
  readonly basis: 'g' | 'ml';
}

/** The column heads by position along the rows; `x` in pixels. */
export interface ColumnHeads {
  readonly hundred?: { readonly x: number; readonly basis: 'g' | 'ml' };
  /** With its amount if the head states one. */
  readonly serving?: { readonly x: number; readonly amount?: PrintedServing };
  /** Columns of the prepared food. */
  readonly prepared?: readonly number[];
}

/** Units of weight or volume, in the letters they may be recognized as. */
const UNIT = String.raw`g|gr|gram\w*|m[lLI1]|mill?ilit\w+`;
const HUNDRED = new RegExp(String.raw`(?<!\d)[1lI][0O]{2}\s?(?<unit>${UNIT}|9)(?![a-z0-9])`, 'giu');
/** Matches text before a hundred grams that are the package's content, not a basis: "NET WT 3.5 OZ (100g)". */
const CONTENTS = /\b(?:oz|wt|weight|net|nett?o\p{L}*|poids|peso|gewicht)\b\P{L}{0,12}$/iu;
/** Text before a hundred grams of an ingredient's share: "148 g tomatoes per 100 g". */
const INGREDIENT = /\d\s?m?[gl](?:\s\p{L}+){0,4}\s(?:per|pro|pour|por|par|je|auf|na|su|di)\s?$/iu;
const SERVING_WORD =
  /servings?|portion\w*|porci[oó]n\w*|porzione|portie|porcj\w*|por[cç][aã]o|dose|st[uü]ck|riegel|scheibe|slice|biscuit|container|pack(?:age)?\b|bottle|serv\b/giu;
/** Heads of columns of the prepared food, whose values are not those of what is sold. */
const PREPARED =
  /\bprep(?:\b|ared\b|d\b|\.)|\bmade up\b|zubereitet|angerührt|\bpréparée?|\bprepare?e?\b|reconstitu[ée]e?|preparad[oa]|preparat[oa]|bereid\b|\bwith\s(?:[\d/½¼¾ ]+cups?\s(?:of\s)?)?(?:skim|lowfat|whole|2%|1%)?\s?milk|mit\s(?:[\d,]+\s?ml\s)?milch|avec\s(?:du\s)?lait|con\sleche|con\slatte|com\sleite|met\smelk/giu;
/** But these are of what is sold. */
const AS_SOLD = /\b(?:un|not\s|non\s|nicht\s|sin\s|vor\s)$/iu;
/** Between those words and the amount: perhaps a household measure and a parenthesis. */
const BEFORE = String.raw`(?<text>[^\d\n]{0,30}?(?:\n\s*(?=\(\s?\d))?(?:[\d/.,½¼¾⅓⅔ ]+[^\d(\n]{0,30})?\(?\s?)`;
/** Words before the amount of one serving. */
const SERVING_AMOUNT = new RegExp(
  String.raw`(?:serving\s*size|serv\.?\s*size|portion\w*|porci[oó]n\w*|porzione|portie|porcj\w*|por[cç][aã]o|dose|servings?|st[uü]ck|\b(?:per|pour|pro|je|por|par|na|voor|pr|for)\b)${BEFORE}(?<![\d.,])(?<number>\d{1,3}(?:[.,]\d{1,2})?)\s?(?<unit>${UNIT}|9\))(?![a-z])(?!\s?(?:per|pro|pour|por|par|je|/)\s?100)`,
  'giu',
);
/** "Serving size 1 1/2 oz". Elsewhere ounces are what the package holds. */
const SERVING_OUNCES = new RegExp(
  String.raw`serv(?:ing|\.)?\s*size${BEFORE}(?<![\d.,/½¼¾⅓⅔]\s?)(?<number>(?:\d{1,2}\s)?\d\s?/\s?\d|\d{0,2}\s?[½¼¾⅓⅔]|\d{1,2}(?:[.,]\d{1,2})?)\s?(?<fluid>f[lI1](?:uid|\.)?\s?)?[o0](?:z|unces?)(?![a-z])`,
  'giu',
);
/** Size of an ounce in g on a label, and of a fluid ounce in ml: 21 CFR 101.9(b)(5)(viii). */
const OUNCE_SIZE = { g: 28, ml: 30 } as const;
const WEIGHT = new RegExp(String.raw`(?<!\d)\d{1,3}(?:[.,]\d+)?\s?(?:${UNIT})(?![a-z0-9])`, 'giu');
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
const MAX_UNIT_LENGTH = 24;
const MAX_SERVING = 1500;
/** Maximum distance between the column heads of one table, in row heights. */
const SAME_HEAD = 3;
/** Maximum distance of a head to the right of all amounts, in row heights; text further away is of no table. */
const BESIDE = 6;
/** Maximum distance of a head above the first row, in row heights; text further away is unrelated. */
const MOST_ABOVE = 6;

/** Undefined if no weight or volume is printed. */
export function findServing(rows: readonly TextRow[]): PrintedServing | undefined {
  const text = rows.map((row) => row.text).join(' \n ');
  let first: PrintedServing | undefined;
  for (const match of text.matchAll(SERVING_AMOUNT)) {
    const { number = '', unit = '', text: before = '' } = match.groups!;
    const basisAmount = toNumber(number);
    if (basisAmount === undefined || basisAmount <= 0 || basisAmount > MAX_SERVING) continue;
    const basis = /^m/i.test(unit) ? 'ml' : 'g';
    const isSizeLine = /^serv\w*\.?\s*size/iu.test(match[0]);
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

/**
 * `table` are the rows with amounts, from the top, at least one: heads are above or within it, and not far to the right of the
 * rightmost amount.
 */
export function findColumnHeads(
  rows: readonly TextRow[],
  table: readonly TextRow[],
  rightmostX = Number.POSITIVE_INFINITY,
): ColumnHeads {
  const [first, last] = [table[0]!, table.at(-1)!];
  const hundreds = rows
    .filter((row) => row.y <= last.y && first.y - row.y <= MOST_ABOVE * Math.max(first.height, row.height))
    .flatMap((row) =>
      [...row.text.matchAll(HUNDRED)]
        .filter((match) => !CONTENTS.test(row.text.slice(0, match.index)))
        .filter((match) => !INGREDIENT.test(row.text.slice(0, match.index)))
        .map((match) => ({
          row,
          x: middle(row, match),
          basis: /^m/i.test(match.groups!['unit']!) ? ('ml' as const) : ('g' as const),
        })),
    )
    .filter(({ x, row }) => x - rightmostX <= BESIDE * row.height);
  const preparedNear = preparedHeads(rows, first);
  const isPrepared = ({ x }: { x: number }) =>
    hundreds.length > 1 &&
    preparedNear.some((head) => hundreds.every((other) => Math.abs(other.x - head) >= Math.abs(x - head)));
  const hundred = hundreds
    .filter((head) => !isPrepared(head))
    .sort((a, b) => Math.abs(a.row.y - first.y) - Math.abs(b.row.y - first.y))[0];
  const prepared = preparedNear.length === 0 ? {} : { prepared: preparedNear };
  if (hundred === undefined) return prepared;
  const { x, basis, row: head } = hundred;
  const others = rows
    .filter((row) => Math.abs(row.y - head.y) <= SAME_HEAD * Math.max(head.height, row.height))
    .flatMap((row) => {
      // A weight beside a nutrient's name is its amount.
      const weights = row === head || !table.includes(row) ? row.text.matchAll(WEIGHT) : [];
      return [...row.text.matchAll(SERVING_WORD), ...weights]
        .filter((match) => !/^100\s?[gm]/i.test(match[0]))
        .map((match) => ({ x: middle(row, match), off: Math.abs(row.y - head.y), ...amountOf(match[0]) }));
    })
    .filter(
      (other) => Math.abs(other.x - x) > 2 * head.height && other.x - rightmostX <= BESIDE * head.height,
    )
    .sort((a, b) => a.off - b.off || b.x - a.x);
  const serving =
    others.find((other) => !preparedNear.some((at) => Math.abs(at - other.x) < Math.abs(at - x) / 2)) ??
    others[0];
  return {
    ...prepared,
    hundred: { x, basis },
    ...(serving !== undefined && { serving: withAmount(serving, others) }),
  };
}

/** The amount of a head that is a weight. */
function amountOf(text: string): { amount?: PrintedServing } {
  const [, number, unit] = /^([\d.,]+)\s?(\p{L}+)$/u.exec(text) ?? [];
  const value = number === undefined ? undefined : toNumber(number);
  if (value === undefined || value <= 0 || value > MAX_SERVING) return {};
  const basis = /^m/i.test(unit!) ? 'ml' : 'g';
  return { amount: { value, unit: basis, basisAmount: value, basis } };
}

/** A head such as "1 Riegel (25 g)" is a word and a weight. */
function withAmount<Head extends { x: number; amount?: PrintedServing }>(
  { x, amount }: Head,
  all: readonly Head[],
) {
  const stated = amount ?? all.find((other) => other.amount !== undefined)?.amount;
  return { x, ...(stated !== undefined && { amount: stated }) };
}

/** Positions of heads that name the prepared food, near the table's top. */
function preparedHeads(rows: readonly TextRow[], first: TextRow): number[] {
  return rows
    .filter((row) => row.y <= first.y && first.y - row.y <= MOST_ABOVE * Math.max(first.height, row.height))
    .flatMap((row) =>
      [...row.text.matchAll(PREPARED)]
        .filter((match) => !AS_SOLD.test(row.text.slice(0, match.index)))
        .map((match) => middle(row, match)),
    );
}

function middle(row: TextRow, match: RegExpExecArray): number {
  const from = row.xs[match.index] ?? 0;
  return (from + (row.xs[match.index + match[0].length - 1] ?? from)) / 2;
}
