import { GAP, partsOf, type TextRow } from '../text/rows.ts';
import { toNumber } from '../words/amounts.ts';
import type { NutrientWords } from '../words/nutrient-words.ts';
import { MAX_SERVING, type PrintedServing, WEIGHT_UNIT } from '../words/serving.ts';

/** Words in heads of the prepared food, whose values differ from those of the product as sold. */
const PREPARED =
  /\bprep(?:\b|ared\b|d\b|\.)|\bmade up\b|\bas consumed\b|\bcooked\b|\breconstituted\b|zubereite\p{L}+|zubereitung|verzehrfertig|trinkfertig|angerührt|(?<!\p{L})(?:gekocht|gegart)|pr[ée]par[ée]{1,2}(?!\p{L})|prêt à|(?<!\p{L})cuite?s?(?!\p{L})|[rR]econstitu\p{L}+|preparad[oa]|(?<!\p{L})co[cz]id[oa]s?(?!\p{L})|cocinad[oa]|cozinhad[oa]|preparat[oa]|ricostituit[oa]|(?<!\p{L})cott[oaie](?!\p{L})|(?<!\p{L})bereid(?!\p{L})|gekookt|przygotowan\p{L}+|tillagad|tilberedt|\bwith\s(?:[\d/½¼¾ ]+cups?\s(?:of\s)?)?(?:skim|lowfat|whole|2%|1%)?\s?milk|mit\s(?:[\d,]+\s?ml\s)?milch|avec\s(?:du\s)?lait|con\sleche|con\slatte|com\sleite|met\smelk/giu;
/** Preceding text that negates them. */
const NOT = /(?:\bun|\b(?:not|non|nicht|sin|sem|vor|avant|antes de|prima di|não)\s(?:la\s|die\s|der\s)?)$/iu;
/** Words in heads of the food as sold. */
const SOLD =
  /\bas\s(?:sold|packaged|purchased)\b|\bdry(?:\smix)?\b|\b(?:mix|powder|uncooked|raw|unprepared)\b|pulver|trocken\p{L}*|un(?:zubereitet|gekocht)\p{L}*|verkauf\p{L}*|(?<!\p{L})(?:poudre|sec|cru|secco|crudo|seco|polvo|polvere|pó)(?!\p{L})|tel(?:le)?s?\s(?:que\s)?vendue?s?|tal\squal[e]?|vendido|venduto|(?:non|não|sin|sem|not|nicht)\s(?:pr[ée]par|zubereit|cuit|cotto|coci|cozi)\p{L}*/giu;
/** A line with the size of the serving is no head. */
const SERVING_SIZE = /serv\w*\.?\s*size/iu;
/** Texts about the serving or the package are not heads. */
const OTHER = /serv\w*\.?\s*size|\bnet\b|ingred|zutaten/iu;

/** Whether a column is about the food as sold or as prepared. */
export interface FoodState {
  readonly state: 'prepared' | 'sold';
  readonly row: TextRow;
  readonly x: number;
  /** The part of the row's text with these words, alone or with its neighbours. */
  readonly from: number;
  readonly to: number;
}

function foodStatesIn(row: TextRow): FoodState[] {
  const states: FoodState[] = [];
  for (const { text, from, left, right } of partsOf(row)) {
    if (OTHER.test(text)) continue;
    const sold = [...text.matchAll(SOLD)];
    const prepared = [...text.matchAll(PREPARED)].filter(({ index }) => !NOT.test(text.slice(0, index)));
    const found = [
      ...sold.map((match) => ({ state: 'sold' as const, match })),
      ...prepared.map((match) => ({ state: 'prepared' as const, match })),
    ];
    const kinds = new Set(found.map(({ state }) => state));
    for (const { state, match } of found) {
      const at = from + match.index;
      const isAlone = kinds.size === 1;
      const x = isAlone
        ? (left + right) / 2
        : ((row.xs[at] ?? 0) + (row.xs[at + match[0].length - 1] ?? 0)) / 2;
      const bounds = isAlone ? { from, to: from + text.length } : { from: at, to: at + match[0].length };
      states.push({ state, row, x, ...bounds });
    }
  }
  return states;
}

/** The column heads by position along the rows; `x` in pixels. */
export interface ColumnHeads {
  readonly hundred?: { readonly x: number; readonly basis: 'g' | 'ml' };
  /** With its amount if the head states one. */
  readonly serving?: { readonly x: number; readonly amount?: PrintedServing };
  /** All heads per 100 of the product as sold, including `hundred`. */
  readonly hundreds?: readonly number[];
  /** Columns of the prepared food, and of the food as sold. */
  readonly prepared?: readonly number[];
  readonly sold?: readonly number[];
}

const HUNDRED = new RegExp(
  String.raw`(?<!\d)[1lI][0O]{2}\s?(?<unit>${WEIGHT_UNIT}|9(?!\s?k))(?![a-z0-9])`,
  'giu',
);
/** Matches text before a hundred grams that are the package's content, not a basis: "NET WT 3.5 OZ (100g)". */
const CONTENTS = /\b(?:oz|wt|weight|net|nett?o\p{L}*|poids|peso|gewicht)\b\P{L}{0,12}$/iu;
/** Text before a hundred grams of an ingredient's share: "148 g tomatoes per 100 g". */
const INGREDIENT = /\d\s?m?[gl](?:\s\p{L}+){0,4}\s(?:per|pro|pour|por|par|je|auf|na|su|di)\s?$/iu;
/** Text before a hundred grams in a row with a nutrient's name; without it they are the amount: "Sugars 100 g". */
const BASIS = /(?:\b(?:per|pro|pour|por|par|je|na|su|di|w|pr)\b|[/(:])\P{L}{0,4}$/iu;
const SERVING_WORD =
  /servings?|portion\w*|porci[oó]n\w*|porzione|portie|porcj\w*|por[cç][aã]o|dose|st[uü]ck|riegel|scheibe|slice|biscuit|container|pack(?:age)?\b|bottle|serv\b/giu;
/** The end of the words after a head. */
const NEXT_HEAD = new RegExp(
  String.raw`${GAP}|\d|%|\b(?:per|pro|pour|por|par|je|na|w)\b|${SERVING_WORD.source}`,
  'iu',
);
const WEIGHT = new RegExp(String.raw`(?<!\d)\d{1,3}(?:[.,]\d+)?\s?(?:${WEIGHT_UNIT})(?![a-z0-9])`, 'giu');
/** Maximum distance between the column heads of one table, in row heights. */
const SAME_HEAD = 3;
/**
 * Maximum distance of a head to the right of all amounts, in row heights; text further away does not belong
 * to a table.
 */
const BESIDE = 6;
/** Maximum distance of a head above the first row, in row heights; text further away is unrelated. */
const MOST_ABOVE = 6;

/**
 * `table` are the rows with amounts, from the top, at least one: heads are above or within it, and not far to the right of the
 * rightmost amount.
 */
export function findColumnHeads(
  rows: readonly TextRow[],
  table: readonly TextRow[],
  words: NutrientWords,
  rightmostX = Number.POSITIVE_INFINITY,
): ColumnHeads {
  const [first, last] = [table[0]!, table.at(-1)!];
  const hundreds = rows
    .filter((row) => row.y <= last.y && first.y - row.y <= MOST_ABOVE * Math.max(first.height, row.height))
    .flatMap((row) =>
      [...row.text.matchAll(HUNDRED)]
        .filter((match) => !CONTENTS.test(row.text.slice(0, match.index)))
        .filter((match) => !INGREDIENT.test(row.text.slice(0, match.index)))
        .filter((match) => isHead(row.text.slice(0, match.index), words))
        .map((match) => ({
          row,
          x: middleWithRest(row, match),
          at: match.index,
          basis: /^m/i.test(match.groups!['unit']!) ? ('ml' as const) : ('g' as const),
        })),
    )
    .filter(({ x, row }) => x - rightmostX <= BESIDE * row.height);
  const near = rows.filter(
    (row) => row.y <= first.y && first.y - row.y <= MOST_ABOVE * Math.max(first.height, row.height),
  );
  const states = near.flatMap((row) =>
    foodStatesIn(row).map((head) => ({ ...head, ...boundTo(head, hundreds) })),
  );
  const asSold =
    hundreds.length > 1 ? hundreds.filter((head) => !isPrepared(head, hundreds, states)) : hundreds;
  const hundred = asSold.toSorted((a, b) => Math.abs(a.row.y - first.y) - Math.abs(b.row.y - first.y))[0];
  const preparedNear = states.filter(({ state }) => state === 'prepared').map(({ x }) => x);
  const soldNear = states.filter(({ state }) => state === 'sold').map(({ x }) => x);
  const prepared = {
    ...(preparedNear.length > 0 && { prepared: preparedNear }),
    ...(soldNear.length > 0 && { sold: soldNear }),
  };
  if (hundred === undefined) return prepared;
  const rivals = asSold.filter(({ basis }) => basis === hundred.basis).map(({ x }) => x);
  const { x, basis, row: head } = hundred;
  const others = rows
    .filter((row) => Math.abs(row.y - head.y) <= SAME_HEAD * Math.max(head.height, row.height))
    .filter((row) => row === head || !SERVING_SIZE.test(row.text))
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
    hundreds: rivals,
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

/** The nearest preceding part with words determines whether it is an amount of a nutrient. */
function isHead(before: string, words: NutrientWords): boolean {
  const nearest = before.split(GAP).findLast((part) => /\p{L}{3,}/u.test(part));
  return BASIS.test(before) || nearest === undefined || words.find(nearest) === undefined;
}

/**
 * The middle of a head together with the following words, "100 g as sold", up to the next head. Words before a number belong to that
 * one: "100g Prsevng 15g".
 */
function middleWithRest({ text, xs }: TextRow, { index, 0: head }: RegExpExecArray): number {
  const rest = text.slice(index + head.length);
  const end = rest.search(NEXT_HEAD);
  const own = end < 0 ? rest : /^\d/.test(rest.slice(end)) ? '' : rest.slice(0, end);
  const to = index + head.length + own.trimEnd().length - 1;
  return ((xs[index] ?? 0) + (xs[to] ?? 0)) / 2;
}

interface HundredHead {
  readonly row: TextRow;
  /** Position in the row's text. */
  readonly at: number;
  readonly x: number;
}

/** Words about the food are in the head itself, "100 g (prepared)", or above or below it. */
function boundTo({ row, from, to }: FoodState, hundreds: readonly HundredHead[]): { x?: number } {
  const own = hundreds.filter((head) => head.row === row && head.at >= from && head.at < to);
  return own.length === 1 ? { x: own[0]!.x } : {};
}

/** The nearest words count; if only one column has words, they do not apply to the others. */
function isPrepared(
  { x }: HundredHead,
  hundreds: readonly HundredHead[],
  states: readonly Pick<FoodState, 'x' | 'state'>[],
): boolean {
  const isNearest = (at: number) => hundreds.every((other) => Math.abs(other.x - at) >= Math.abs(x - at));
  const own = states.filter((state) => isNearest(state.x));
  if (own.length > 0) return own.every(({ state }) => state === 'prepared');
  return states.length > 0 && states.every(({ state }) => state === 'sold');
}

function middle(row: TextRow, match: RegExpExecArray): number {
  const from = row.xs[match.index] ?? 0;
  return (from + (row.xs[match.index + match[0].length - 1] ?? from)) / 2;
}
