import {
  NUTRIENT,
  NUTRIENT_KEYS,
  type NutrientKey,
  type Nutrients,
  type PartialNutrients,
} from '@larder/core/nutrients.ts';
import { roundedZeros } from '@larder/core/tiny-servings.ts';
import type { LabelProposal } from '../../recognizer.ts';
import { type OutsideTable, type SettledColumn, settleColumn } from './columns/choose-column.ts';
import { type ColumnHeads, findColumnHeads } from './columns/column-heads.ts';
import { type Column, type Columns, hasTwoColumns, isEmpty, toColumns } from './columns/columns.ts';
import { completed } from './columns/completed-column.ts';
import { inferHundred } from './columns/infer-hundred.ts';
import { GAP, type TextRow, toRows } from './text/rows.ts';
import { joinRunningText } from './text/running-text.ts';
import type { TextLine } from './text/text-line.ts';
import { gramsOfAlcohol } from './words/alcohol.ts';
import { alignCells } from './words/align-cells.ts';
import { findMentions, type Mention } from './words/mentions.ts';
import type { LabelNutrient, NutrientWords } from './words/nutrient-words.ts';
import { polyolsNamed } from './words/polyols.ts';
import { findServing, type PrintedServing } from './words/serving.ts';

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

/** The reason for which a text is not a usable label. */
export interface LabelRefusal {
  readonly refused:
    | 'no_table'
    | 'no_serving_weight'
    | 'serving_too_small'
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
const HUNDRED = 100;
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
  readonly head: ColumnHeads['hundred'];
  /** The amount of the other column's head. */
  readonly besideHead: PrintedServing | undefined;
  readonly serving: PrintedServing | undefined;
  readonly columns: Columns;
  readonly outside: OutsideTable;
  readonly known: Pick<LabelFacts, 'column'>;
}

/** The facts in lines of text, per 100; rejects inconsistent ones. */
export function readLabel(lines: readonly TextLine[], words: NutrientWords): LabelFacts | LabelRefusal {
  const rows = alignCells(joinRunningText(toRows(lines)), words);
  const mentions = findMentions(rows, words);
  const own = [...new Set(mentions.flatMap(({ row }) => row.lines))];
  const named = new Set(mentions.map(({ nutrient }) => nutrient));
  if (named.size < MIN_NUTRIENTS) {
    const listed = namesIn(rows, words);
    if (listed.size < MIN_NUTRIENTS) return { refused: 'no_table', lines: own };
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
    head: heads.hundred,
    besideHead: heads.serving?.amount,
    serving,
    columns,
    outside: { alcoholPer100: gramsOfAlcohol(texts), polyols: polyolsNamed(texts) },
    known: heads.prepared === undefined ? {} : ({ column: 'as sold' } as const),
  };
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

function factsPerServing(table: Table): LabelFacts | LabelRefusal {
  const { head, columns, serving, mentions, lines } = table;
  const refusal = refusalOf(head === undefined ? columns.serving : columns.hundred, mentions);
  if (serving === undefined) {
    return head === undefined ? { refused: 'no_serving_weight', lines } : { ...refusal, lines };
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
  if (zeros.some((key) => NUTRIENT[key].isRequired)) return { refused: 'serving_too_small', lines };
  const nutrients = { ...settled.nutrients };
  for (const key of zeros) delete nutrients[key];
  return {
    ...factsOf({ ...settled, nutrients }, basisAmount, basis),
    serving: { value, unit, basisAmount },
    ...table.known,
    lines,
  };
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
  { nutrients, cost, gapKcal, toleranceKcal }: SettledColumn,
  amount: number,
  basis: LabelFacts['basis'],
): Pick<LabelFacts, 'basis' | 'per100' | 'confidence'> {
  const per100: PartialNutrients = {};
  for (const key of NUTRIENT_KEYS) {
    const value = nutrients[key];
    if (value !== undefined) per100[key] = Math.round(((value * HUNDRED) / amount) * DECIMALS) / DECIMALS;
  }
  const { best, perCost, perGap, least } = CONFIDENCE;
  const confidence = Math.max(least, best - perCost * cost - perGap * (gapKcal / toleranceKcal));
  return { basis, per100: per100 as Nutrients, confidence };
}
