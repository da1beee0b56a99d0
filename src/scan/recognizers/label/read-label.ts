import {
  NUTRIENT,
  NUTRIENT_KEYS,
  type NutrientKey,
  type Nutrients,
  type PartialNutrients,
} from '@larder/core/nutrients.ts';
import { roundedZeros } from '@larder/core/tiny-servings.ts';
import type { LabelProposal, ServingLabelProposal } from '../../recognizer.ts';
import { type OutsideTable, type SettledColumn, settleColumn } from './columns/choose-column.ts';
import { type ColumnHeads, findColumnHeads } from './columns/column-heads.ts';
import {
  type Candidate,
  type Column,
  type Columns,
  hasTwoColumns,
  isEmpty,
  toColumns,
} from './columns/columns.ts';
import { GAP, type TextRow, toRows } from './text/rows.ts';
import type { TextLine } from './text/text-line.ts';
import { alignCells } from './words/align-cells.ts';
import { COST_LOST_POINT, findPrintedAmounts, toNumber } from './words/amounts.ts';
import { findMentions, type Mention } from './words/mentions.ts';
import type { LabelNutrient, NutrientWords } from './words/nutrient-words.ts';
import { polyolsNamed } from './words/polyols.ts';
import { findServing, MAX_SERVING, type PrintedServing, statesServing } from './words/serving.ts';

/** A column, and the nutrients that were taken from the other column. */
export interface CompletedColumn {
  readonly column: Column;
  readonly scaled: readonly RequiredNutrient[];
}

type RequiredNutrient = 'protein' | 'fat' | 'carbohydrates';

const COMPLETED = NUTRIENT_KEYS.filter(
  (key) => NUTRIENT[key].isRequired && key !== 'energy',
) as RequiredNutrient[];
/** Minimum nutrients above zero that must agree in both columns before one is computed from the other. */
const LEAST_ALIKE = 3;
/** Maximum difference between the columns of one label beside their rounding, as a share. */
const SUM_TOLERANCE = 0.03;
/** Tolerance for the rounding of a computed value, in g of 100 and as a share. */
const MOST_ROUNDING = { g: 0.3, share: 0.05 } as const;
/** A computed value is not a reading. */
const COST_SCALED = 0.5;
const HUNDRED = 100;

/**
 * The column per 100, with an unreadable required nutrient computed from the serving: only if all nutrients
 * in both columns agree, and the serving is large enough to determine the value.
 */
export function completed({ hundred, serving }: Columns, servingAmount: number | undefined): CompletedColumn {
  const missing = COMPLETED.filter((key) => !hundred.nutrients.has(key));
  if (missing.length === 0 || servingAmount === undefined) return { column: hundred, scaled: [] };
  const scale = HUNDRED / servingAmount;
  const pairs = [...hundred.nutrients].flatMap(([key, [own]]) => {
    const other = serving.nutrients.get(key)?.[0];
    return own === undefined || other === undefined || own.value === 0
      ? []
      : [{ own, other: scaled(other, scale) }];
  });
  if (pairs.length < LEAST_ALIKE || !pairs.every(({ own, other }) => isAlike(own, other)))
    return { column: hundred, scaled: [] };
  const nutrients = new Map(hundred.nutrients);
  for (const key of missing) {
    const found = serving.nutrients.get(key)?.[0];
    if (found === undefined) continue;
    const { value, cost, rounding } = scaled(found, scale);
    if (rounding > Math.max(MOST_ROUNDING.g, MOST_ROUNDING.share * value)) continue;
    nutrients.set(key, [{ value, cost: cost + COST_SCALED, rounding }]);
  }
  return { column: { ...hundred, nutrients }, scaled: missing.filter((key) => nutrients.has(key)) };
}

function scaled({ value, cost, rounding }: Candidate, scale: number): Candidate {
  return { value: value * scale, cost, rounding: rounding * scale };
}

function isAlike(own: Candidate, other: Candidate): boolean {
  return Math.abs(own.value - other.value) <= own.rounding + other.rounding + SUM_TOLERANCE * own.value;
}

/** Minimum rows with two amounts that must agree. */
const LEAST_ROWS = 3;
/** Tolerance: rounding of small amounts spreads the ratios; the median of several rows is more exact. */
const TOLERANCE = 0.06;

/**
 * The column per 100 if its head could not be read: the one whose amounts have the ratio of 100 g to the
 * serving. Undefined if neither has, or energy has no unit: labels of the United States have columns of the
 * serving and of the package, which may have the same ratio.
 */
function inferHundred(mentions: readonly Mention[], serving: PrintedServing): ColumnHeads['hundred'] {
  const pairs = mentions.flatMap(({ nutrient, amounts }) => {
    const masses = amounts.filter(({ readings }) => readings[0]!.unit === 'g' || readings[0]!.unit === 'mg');
    if (nutrient === 'other' || masses.length !== 2) return [];
    const [left, right] = masses.map(({ x, readings }) => ({ x, value: readings[0]!.value }));
    return left!.value > 0 && right!.value > 0 ? [{ left: left!, right: right! }] : [];
  });
  if (pairs.length < LEAST_ROWS || !mentions.some(hasUnit)) return undefined;
  const share = serving.basisAmount / HUNDRED;
  const ratio = median(pairs.map(({ left, right }) => right.value / left.value));
  const isNear = (value: number) => Math.abs(value / share - 1) <= TOLERANCE;
  if (isNear(1) || isNear(ratio) === isNear(1 / ratio)) return undefined;
  const xs = pairs.map(({ left, right }) => (isNear(ratio) ? left.x : right.x));
  return { x: median(xs), basis: serving.basis };
}

/** Minimum values in both columns for deciding which column is larger. */
const LEAST_COMPARED = 2;

/** Whether the columns have the ratio of the serving to 100 g: their heads were read in the wrong order. */
function areSwapped({ hundred, serving }: Columns, servingAmount: number): boolean {
  const firsts = ({ kcal, kj, nutrients }: Column) =>
    new Map(
      [...nutrients, ['kcal', kcal] as const, ['kj', kj] as const].map(([key, [own]]) => [key, own?.value]),
    );
  const others = firsts(serving);
  const ratios = [...firsts(hundred)].flatMap(([key, own = 0]) => {
    const other = others.get(key) ?? 0;
    return own > 0 && other > 0 ? [Math.log(other / own)] : [];
  });
  const share = Math.log(servingAmount / HUNDRED);
  if (ratios.length < LEAST_COMPARED || Math.abs(share) <= TOLERANCE) return false;
  const ratio = median(ratios);
  return Math.abs(ratio + share) < Math.abs(ratio - share);
}

function hasUnit({ nutrient, amounts }: Mention): boolean {
  return nutrient === 'energy' && amounts.some(({ readings }) => readings[0]!.unit !== undefined);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

/** Distances in row heights. */
const LINE_SPACING = 2;
const INDENT = 1.5;
/** Spaces between words that the reader separates. */
const WORD_SPACING = 2.5;
/** Minimum rows that continue after an amount in running text; a single one may belong to a table. */
const LEAST_RUNNING_ROWS = 2;
/** An amount of a nutrient with more words after it; percentages of daily values do not count. */
const GOES_ON = /\d\s?(?:m?c?g|kcal|kj)\b.*?(?<!\p{L})(?!kcal)\p{L}{3,}/iu;

/**
 * Joins the rows of running text, in which names and amounts are separated by line breaks: "Fat 8g, Saturated
 * / Fat 3g". Such rows are close together, begin at one margin and continue after amounts.
 */
function joinRunningText(rows: readonly TextRow[]): TextRow[] {
  const joined: TextRow[] = [];
  let block: TextRow[] = [];
  const close = () => {
    if (block.length > 1 && isText(block)) joined.push(joinRows(block));
    else joined.push(...block);
    block = [];
  };
  for (const row of rows) {
    const last = block.at(-1);
    if (last !== undefined && !(isOnePart(row) && isBelow(row, last))) close();
    block.push(row);
    if (!isOnePart(row)) close();
  }
  close();
  return joined;
}

function isBelow(row: TextRow, last: TextRow): boolean {
  const height = Math.min(row.height, last.height);
  return row.y - last.y <= LINE_SPACING * height && Math.abs(row.xs[0]! - last.xs[0]!) <= INDENT * height;
}

function isOnePart({ text, xs, height }: TextRow): boolean {
  for (let at = text.indexOf(GAP); at >= 0; at = text.indexOf(GAP, at + GAP.length)) {
    const to = xs[at + GAP.length];
    if (to !== undefined && to - xs[at]! > WORD_SPACING * height) return false;
  }
  return true;
}

function isText(rows: readonly TextRow[]): boolean {
  const going = rows.filter(({ text }) => GOES_ON.test(text.replaceAll(/\bDV\b/giu, '')));
  return going.length >= Math.max(LEAST_RUNNING_ROWS, (rows.length - 1) / 2);
}

function joinRows(rows: readonly TextRow[]): TextRow {
  const [first] = rows as readonly [TextRow, ...TextRow[]];
  let text = '';
  const xs: number[] = [];
  for (const row of rows) {
    const isHyphenated = /\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(row.text);
    if (isHyphenated) {
      text = text.slice(0, -1);
      xs.pop();
    } else if (text !== '') {
      text += ' ';
      xs.push(row.xs[0]!);
    }
    text += row.text;
    xs.push(...row.xs);
  }
  return {
    ...first,
    text,
    xs,
    pieces: rows.flatMap(({ pieces }) => pieces),
    lines: rows.flatMap(({ lines }) => lines),
  };
}

/** Density of ethanol in g/ml at 20 °C; x % of the volume are x times this many g in 100 ml. */
const GRAMS_PER_PERCENT = 0.789;
const NUMBER = String.raw`(?<![\d.,])(\d{1,2}(?:[.,]\d{1,2})?)\s?%`;
/** "alc. 5.0% vol", "5 % vol.", "Alkohol: 5 %", "5% ABV". */
const STATED = [
  new RegExp(String.raw`${NUMBER}\s?(?:by\s)?(?:vol\b|abv\b|alc\b|alk\b)`, 'iu'),
  new RegExp(
    String.raw`\b(?:alc|alk|alcohol|alkohol|alcool|abv|teor alco[oó]lico)\b\P{L}{0,4}${NUMBER}`,
    'iu',
  ),
];

/** The grams of alcohol in 100 ml of a drink, from the strength that its label states. */
function gramsOfAlcohol(texts: readonly string[]): number | undefined {
  for (const text of texts) {
    for (const pattern of STATED) {
      const percent = toNumber(pattern.exec(text)?.[1] ?? '');
      if (percent !== undefined) return percent * GRAMS_PER_PERCENT;
    }
  }
  return undefined;
}

/** Consistent printed facts. */
export interface LabelFacts {
  readonly basis: LabelProposal['basis'];
  readonly per100: Nutrients;
  readonly serving: LabelProposal['serving'];
  readonly confidence: number;
  /** Present if the label also states the prepared food. */
  readonly column?: 'as sold';
  /** Nutrients without a readable value per 100, computed from that per serving. */
  readonly scaled?: readonly LabelNutrient[];
  /** The lines of these facts. */
  readonly lines: readonly TextLine[];
}

/** Consistent printed facts of one serving, which say nothing of 100 g or ml. */
export interface ServingFacts extends Pick<LabelFacts, 'confidence' | 'column' | 'lines'> {
  readonly perServing: Nutrients;
  readonly serving: ServingLabelProposal['serving'];
}

/** The reason for which a text is not a usable label. */
export interface LabelRefusal {
  readonly refused:
    | 'no_table'
    | 'names_unread'
    | 'no_serving_weight'
    | 'values_missing'
    | 'heads_unread'
    | 'does_not_add_up';
  /** Nutrients that are named, but without a readable amount. */
  readonly unread?: readonly LabelNutrient[];
  /** The lines that name nutrients. */
  readonly lines: readonly TextLine[];
}

/** Minimum nutrients with amounts on a label. */
const MIN_NUTRIENTS = 3;
/**
 * Confidence: `best` for a literal reading without a gap in energy, less for each unit of cost and share of the
 * tolerance.
 */
const CONFIDENCE = { best: 0.97, perCost: 0.1, perGap: 0.15, least: 0.5 } as const;
const DECIMALS = 10_000;
const REQUIRED = NUTRIENT_KEYS.filter((key) => NUTRIENT[key].isRequired);

/** Findings in the lines, before values are chosen. */
interface Table {
  readonly mentions: readonly Mention[];
  readonly lines: readonly TextLine[];
  readonly texts: readonly string[];
  readonly head: ColumnHeads['hundred'];
  /** The amount of the other column's head. */
  readonly besideHead: PrintedServing | undefined;
  readonly serving: PrintedServing | undefined;
  readonly columns: Columns;
  readonly outside: OutsideTable;
  readonly known: Pick<LabelFacts, 'column'>;
}

/** The facts in lines of text, per 100 if they tell them; rejects inconsistent ones. */
export function readLabel(
  lines: readonly TextLine[],
  words: NutrientWords,
): LabelFacts | ServingFacts | LabelRefusal {
  const rows = alignCells(joinRunningText(toRows(lines)), words);
  const mentions = findMentions(rows, words);
  const own = [...new Set(mentions.flatMap(({ row }) => row.lines))];
  const named = new Set(mentions.map(({ nutrient }) => nutrient));
  if (named.size < MIN_NUTRIENTS) {
    const listed = namesIn(rows, words);
    if (listed.size < MIN_NUTRIENTS)
      return { refused: hasAmounts(rows) ? 'names_unread' : 'no_table', lines: own };
    return { refused: 'values_missing', unread: [...listed], lines: own };
  }
  const printed = findColumnHeads(
    rows,
    mentions.map(({ row }) => row),
    words,
    rightmostOf(mentions),
  );
  const serving = findServing(rows, words);
  const inferred = printed.hundred === undefined && serving !== undefined && inferHundred(mentions, serving);
  const heads = inferred ? { ...printed, hundred: inferred } : printed;
  const columns = toColumns(mentions, heads);
  if (columns.isUnclear) return { refused: 'heads_unread', lines: own };
  const texts = rows.map(({ text }) => text);
  const table = {
    mentions,
    lines: own,
    texts,
    head: heads.hundred,
    besideHead: heads.serving?.amount,
    serving,
    columns,
    outside: { alcoholPer100: gramsOfAlcohol(texts), polyols: polyolsNamed(texts) },
    known: heads.prepared === undefined ? {} : ({ column: 'as sold' } as const),
  };
  const isWeighed = serving !== undefined && serving.basis === heads.hundred?.basis;
  if (isWeighed && areSwapped(columns, serving.basisAmount)) return { refused: 'heads_unread', lines: own };
  return factsPer100(table) ?? factsPerServing(table);
}

/** Undefined without a head per 100, or without consistent values below it. */
function factsPer100({ head, columns, serving, besideHead, ...table }: Table): LabelFacts | undefined {
  if (head === undefined) return undefined;
  const { basis } = head;
  const { column, scaled } = completed(columns, serving?.basis === basis ? serving.basisAmount : undefined);
  const settled = settleColumn(column, HUNDRED, table.outside);
  if (settled === undefined) return undefined;
  const beside = serving ?? besideHead;
  // For soup from powder, 100 ml means soup and 25 g means powder.
  const { value, unit, basisAmount } =
    beside?.basis === basis ? beside : { value: HUNDRED, unit: basis, basisAmount: HUNDRED };
  return {
    ...factsOf(settled, HUNDRED, basis),
    serving: { value, unit, basisAmount },
    ...table.known,
    ...(scaled.length > 0 && { scaled }),
    lines: table.lines,
  };
}

function factsPerServing(table: Table): LabelFacts | ServingFacts | LabelRefusal {
  const { head, columns, serving, mentions, lines } = table;
  const refusal = refusalOf(head === undefined ? columns.serving : columns.hundred, mentions);
  if (serving === undefined) {
    return head === undefined ? factsOfUnweighed(table, refusal) : { ...refusal, lines };
  }
  // A column per 100 with a gap reports what is missing; the column of the serving does not replace it.
  const hasGap = refusal.refused === 'values_missing' && !isEmpty(columns.hundred);
  if (head !== undefined && hasGap) return { ...refusal, lines };
  // Labels with kJ state values per 100 g or ml: without a head, these cannot be distinguished from those of
  // the serving.
  const hasHundred = columns.serving.kj.length > 0 && hasTwoColumns(mentions);
  if (head === undefined && hasHundred) return { refused: 'heads_unread', lines };
  const { basis, basisAmount, value, unit } = serving;
  const settled = settleColumn(columns.serving, basisAmount, table.outside);
  if (settled === undefined) return { ...refusal, lines };
  const zeros = roundedZeros(settled.nutrients, basisAmount);
  // The zeros of a spray of oil are true of one spray, not of 100 g.
  if (zeros.some((key) => NUTRIENT[key].isRequired))
    return servingFactsOf(table, settled, { value, unit, basisAmount });
  const nutrients = { ...settled.nutrients };
  for (const key of zeros) delete nutrients[key];
  return {
    ...factsOf({ ...settled, nutrients }, basisAmount, basis),
    serving: { value, unit, basisAmount },
    ...table.known,
    lines,
  };
}

const ONE_SERVING = { value: 1, unit: 'serving' } as const;

/** The values of one serving of unknown weight, only if the label says that they are of a serving. */
function factsOfUnweighed(table: Table, refusal: Omit<LabelRefusal, 'lines'>): ServingFacts | LabelRefusal {
  const { columns, mentions, outside, lines, texts } = table;
  // Labels with kJ state values per 100 g or ml, and an unread head may be one per 100.
  const isServing = columns.serving.kj.length === 0 && statesServing(texts, hasTwoColumns(mentions));
  if (!isServing) return { refused: 'no_serving_weight', lines };
  const settled = settleColumn(columns.serving, MAX_SERVING, { polyols: outside.polyols });
  // Without a weight nothing shows that a decimal point was lost, and not a digit of the energy.
  const isLiteral = settled !== undefined && settled.cost < COST_LOST_POINT;
  return isLiteral ? servingFactsOf(table, settled, ONE_SERVING) : { ...refusal, lines };
}

function servingFactsOf(
  { known, lines }: Table,
  settled: SettledColumn,
  serving: ServingFacts['serving'],
): ServingFacts {
  return { perServing: settled.nutrients, serving, confidence: confidenceOf(settled), ...known, lines };
}

/** Minimum rows with a mass below the energy of a table whose names have letters that the reader does not know. */
const LEAST_MASSES = 4;

/** Whether the text has the amounts of a table: an energy in kcal or kJ, and masses row by row. */
function hasAmounts(rows: readonly TextRow[]): boolean {
  const units = rows.map(({ text }) => findPrintedAmounts(text).map(({ readings }) => readings[0]!.unit));
  const count = (wanted: readonly string[]) =>
    units.filter((own) => own.some((unit) => unit !== undefined && wanted.includes(unit))).length;
  return count(['kcal', 'kj']) > 0 && count(['g', 'mg']) >= LEAST_MASSES;
}

/** The nutrients named in parts of rows, as in the heads of traffic lights, whose amounts are below. */
function namesIn(rows: readonly TextRow[], words: NutrientWords): Set<LabelNutrient> {
  const parts = rows.flatMap(({ text }) => text.split(GAP));
  const found = parts.flatMap((part) => words.find(part) ?? []);
  return new Set(found.filter((nutrient) => nutrient !== 'other'));
}

/** The position of the rightmost amount that is not a percentage. */
function rightmostOf(mentions: readonly Mention[]): number {
  const xs = mentions.flatMap(({ nutrient, amounts }) =>
    nutrient === 'other'
      ? []
      : amounts.filter(({ readings }) => readings[0]!.unit !== 'percent').map(({ x }) => x),
  );
  return xs.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...xs);
}

function refusalOf(column: Column, mentions: readonly Mention[]): Omit<LabelRefusal, 'lines'> {
  const has = (key: NutrientKey) =>
    key === 'energy' ? column.kcal.length + column.kj.length > 0 : column.nutrients.has(key);
  const unread = REQUIRED.filter((key) => !has(key));
  if (unread.length > 0) return { refused: 'values_missing', unread };
  const uncertain = new Set(mentions.map(({ nutrient }) => nutrient));
  return { refused: 'does_not_add_up', unread: REQUIRED.filter((key) => uncertain.has(key)) };
}

function factsOf(
  settled: SettledColumn,
  amount: number,
  basis: LabelFacts['basis'],
): Pick<LabelFacts, 'basis' | 'per100' | 'confidence'> {
  const per100: PartialNutrients = {};
  for (const key of NUTRIENT_KEYS) {
    const value = settled.nutrients[key];
    if (value !== undefined) per100[key] = Math.round(((value * HUNDRED) / amount) * DECIMALS) / DECIMALS;
  }
  return { basis, per100: per100 as Nutrients, confidence: confidenceOf(settled) };
}

function confidenceOf({ cost, gapKcal, toleranceKcal }: SettledColumn): number {
  const { best, perCost, perGap, least } = CONFIDENCE;
  return Math.max(least, best - perCost * cost - perGap * (gapKcal / toleranceKcal));
}
