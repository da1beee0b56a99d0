import { NUTRIENT_KEYS, type Nutrients, type PartialNutrients } from '@larder/core/nutrients.ts';
import type { LabelProposal } from '../../recognizer.ts';
import { type SettledColumn, settleColumn } from './choose-column.ts';
import { toColumns } from './columns.ts';
import { findMentions, type Mention } from './mentions.ts';
import type { NutrientWords } from './nutrient-words.ts';
import { toRows } from './rows.ts';
import { findColumnHeads, findServing } from './serving.ts';
import type { TextLine } from './text-line.ts';

/** Consistent printed facts. */
export interface LabelFacts {
  readonly basis: LabelProposal['basis'];
  readonly per100: Nutrients;
  readonly serving: LabelProposal['serving'];
  readonly confidence: number;
  /** The lines they come from. */
  readonly lines: readonly TextLine[];
}

/** Why a text is not a usable label. */
export type LabelRefusal = 'no_table' | 'no_serving_weight' | 'does_not_add_up';

/** Minimum nutrients with amounts on a label. */
const MIN_NUTRIENTS = 3;
const HUNDRED = 100;
/**
 * Confidence: `best` for a literal reading without a gap in energy, less for each unit of cost and share of the
 * tolerance.
 */
const CONFIDENCE = { best: 0.97, perCost: 0.1, perGap: 0.15, least: 0.5 } as const;
const DECIMALS = 10_000;

/** The facts in lines of text, per 100; rejects inconsistent ones. */
export function readLabel(lines: readonly TextLine[], words: NutrientWords): LabelFacts | LabelRefusal {
  const rows = toRows(lines);
  const mentions = findMentions(rows, words);
  const named = new Set(mentions.map(({ nutrient }) => nutrient));
  if (named.size < MIN_NUTRIENTS) return 'no_table';
  const heads = findColumnHeads(
    rows,
    mentions.map(({ row }) => row),
  );
  const serving = findServing(rows);
  const columns = toColumns(mentions, heads);
  const hundred = heads.hundred === undefined ? undefined : settleColumn(columns.hundred, HUNDRED);
  if (hundred !== undefined) {
    const basis = heads.hundred!.basis;
    // For soup from powder, 100 ml are soup and 25 g are powder.
    const own = serving?.basis === basis ? serving : { value: HUNDRED, unit: basis, basisAmount: HUNDRED };
    const { value, unit, basisAmount } = own;
    return factsOf(hundred, HUNDRED, basis, { value, unit, basisAmount }, mentions);
  }
  if (serving === undefined) return heads.hundred === undefined ? 'no_serving_weight' : 'does_not_add_up';
  const { basis, basisAmount, value, unit } = serving;
  const settled = settleColumn(columns.serving, basisAmount);
  if (settled === undefined) return 'does_not_add_up';
  return factsOf(settled, basisAmount, basis, { value, unit, basisAmount }, mentions);
}

function factsOf(
  { nutrients, cost, gapKcal, toleranceKcal }: SettledColumn,
  amount: number,
  basis: LabelFacts['basis'],
  serving: LabelFacts['serving'],
  mentions: readonly Mention[],
): LabelFacts {
  const per100: PartialNutrients = {};
  for (const key of NUTRIENT_KEYS) {
    const value = nutrients[key];
    if (value !== undefined) per100[key] = Math.round(((value * HUNDRED) / amount) * DECIMALS) / DECIMALS;
  }
  const { best, perCost, perGap, least } = CONFIDENCE;
  const confidence = Math.max(least, best - perCost * cost - perGap * (gapKcal / toleranceKcal));
  const lines = [...new Set(mentions.flatMap(({ row }) => row.lines))];
  return { basis, per100: per100 as Nutrients, serving, confidence, lines };
}
