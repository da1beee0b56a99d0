import {
  NUTRIENT,
  NUTRIENT_KEYS,
  type NutrientKey,
  type Nutrients,
  type PartialNutrients,
} from '@larder/core/nutrients.ts';
import { roundedZeros } from '@larder/core/tiny-servings.ts';
import type { LabelProposal } from '../../recognizer.ts';
import { gramsOfAlcohol } from './alcohol.ts';
import { type SettledColumn, settleColumn } from './choose-column.ts';
import { type Column, hasTwoColumns, toColumns } from './columns.ts';
import { inferHundred } from './infer-hundred.ts';
import { findMentions, type Mention } from './mentions.ts';
import type { LabelNutrient, NutrientWords } from './nutrient-words.ts';
import { GAP, type TextRow, toRows } from './rows.ts';
import { findColumnHeads, findServing } from './serving.ts';
import type { TextLine } from './text/text-line.ts';

/** Consistent printed facts. */
export interface LabelFacts {
  readonly basis: LabelProposal['basis'];
  readonly per100: Nutrients;
  readonly serving: LabelProposal['serving'];
  readonly confidence: number;
  /** Present if the label also states the prepared food. */
  readonly column?: 'as sold';
  /** The lines they come from. */
  readonly lines: readonly TextLine[];
}

/** Why a text is not a usable label. */
export interface LabelRefusal {
  readonly refused:
    | 'no_table'
    | 'no_serving_weight'
    | 'serving_too_small'
    | 'values_missing'
    | 'heads_unread'
    | 'does_not_add_up';
  /** What is named, but without a readable amount. */
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

/** The facts in lines of text, per 100; rejects inconsistent ones. */
export function readLabel(lines: readonly TextLine[], words: NutrientWords): LabelFacts | LabelRefusal {
  const rows = toRows(lines);
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
    rightmostOf(mentions),
  );
  const serving = findServing(rows);
  const inferred = printed.hundred === undefined && serving !== undefined && inferHundred(mentions, serving);
  const heads = inferred ? { ...printed, hundred: inferred } : printed;
  const columns = toColumns(mentions, heads);
  const column = heads.prepared !== undefined && ({ column: 'as sold' } as const);
  const alcohol = gramsOfAlcohol(rows.map(({ text }) => text));
  const hundred =
    heads.hundred === undefined ? undefined : settleColumn(withAlcohol(columns.hundred, alcohol), HUNDRED);
  if (hundred !== undefined) {
    const basis = heads.hundred!.basis;
    // For soup from powder, 100 ml are soup and 25 g are powder.
    const beside = serving ?? heads.serving?.amount;
    const stated = beside?.basis === basis ? beside : { value: HUNDRED, unit: basis, basisAmount: HUNDRED };
    const { value, unit, basisAmount } = stated;
    return {
      ...factsOf(hundred, HUNDRED, basis),
      serving: { value, unit, basisAmount },
      ...column,
      lines: own,
    };
  }
  const refusal = refusalOf(heads.hundred === undefined ? columns.serving : columns.hundred, mentions);
  if (serving === undefined)
    return heads.hundred === undefined
      ? { refused: 'no_serving_weight', lines: own }
      : { ...refusal, lines: own };
  // Labels with kJ state values per 100 g or ml: without a head, they are not told from those of the serving.
  const hasHundred = columns.serving.kj.length > 0 && hasTwoColumns(mentions);
  if (heads.hundred === undefined && hasHundred) return { refused: 'heads_unread', lines: own };
  const { basis, basisAmount, value, unit } = serving;
  const inServing = alcohol === undefined ? undefined : (alcohol * basisAmount) / HUNDRED;
  const settled = settleColumn(withAlcohol(columns.serving, inServing), basisAmount);
  if (settled === undefined) return { ...refusal, lines: own };
  const zeros = roundedZeros(settled.nutrients, basisAmount);
  if (zeros.some((key) => NUTRIENT[key].isRequired)) return { refused: 'serving_too_small', lines: own };
  const nutrients = { ...settled.nutrients };
  for (const key of zeros) delete nutrients[key];
  return {
    ...factsOf({ ...settled, nutrients }, basisAmount, basis),
    serving: { value, unit, basisAmount },
    ...column,
    lines: own,
  };
}

/** The nutrients that parts of rows name, as the heads of traffic lights do, whose amounts are below. */
function namesIn(rows: readonly TextRow[], words: NutrientWords): Set<LabelNutrient> {
  const parts = rows.flatMap(({ text }) => text.split(GAP));
  const found = parts.flatMap((part) => words.find(part) ?? []);
  return new Set(found.filter((nutrient) => nutrient !== 'other'));
}

/** The position of the rightmost amount that is no percentage. */
function rightmostOf(mentions: readonly Mention[]): number {
  const xs = mentions.flatMap(({ nutrient, amounts }) =>
    nutrient === 'other'
      ? []
      : amounts.filter(({ readings }) => readings[0]!.unit !== 'percent').map(({ x }) => x),
  );
  return xs.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...xs);
}

/** Drinks state their alcohol in per cent of the volume, outside the table. */
function withAlcohol(column: Column, grams: number | undefined): Column {
  if (grams === undefined || column.nutrients.has('alcohol')) return column;
  const alcohol = [{ value: grams, cost: 0, rounding: 0 }];
  return { ...column, nutrients: new Map([...column.nutrients, ['alcohol', alcohol]]) };
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
