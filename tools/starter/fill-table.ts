import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { NUTRIENT_KEYS, type PartialNutrients } from '@larder/core/nutrients.ts';
import {
  FILLED_COLUMNS,
  HAND_COLUMNS,
  numberIn,
  readTable,
  rowError,
  STARTER_COLUMNS,
  type TableRow,
} from '../../src/foods/starter/starter-table.ts';
import { linesOf } from './diary-lines.ts';
import { popularityOf } from './popularity.ts';
import { formatAmount, getFood, mixDensity, mixPer100, parseRecipe, type RecipePart } from './recipe.ts';
import type { UsdaFood } from './usda-foods.ts';

export interface FillSources {
  readonly foods: ReadonlyMap<string, UsdaFood>;
  readonly diaryLines: ReadonlyMap<string, number>;
}

/**
 * Relation of a table's basis to the USDA values: `weighed` foods are stated per 100 g and converted to 100
 * ml by their density if the table says ml; `labelled` products are stated per 100 of their own basis.
 */
export type FigureKind = 'weighed' | 'labelled';

type HandRow = TableRow<(typeof HAND_COLUMNS)[number]>;

/** Fills the figures of every row, sorts the rows and replaces the file. Throws an error with file and line. */
export function fillTable(url: URL, kind: FigureKind, sources: FillSources): number {
  const rows = readHandColumns(url).sort(byCategoryThenKey);
  const lines = rows.map((row) =>
    [...HAND_COLUMNS.map((column) => row.values[column]), ...filledValues(row, kind, sources)].join('\t'),
  );
  const temporary = new URL(`${url.href}.new`);
  writeFileSync(temporary, `${[STARTER_COLUMNS.join('\t'), ...lines].join('\n')}\n`);
  renameSync(temporary, url);
  return rows.length;
}

/** The values of `FILLED_COLUMNS` for a row. */
export function filledValues(row: HandRow, kind: FigureKind, { foods, diaryLines }: FillSources): string[] {
  const { basis, usda, diary } = row.values;
  try {
    const parts = parseRecipe(usda);
    const density = basis === 'ml' && kind === 'weighed' ? mixDensity(parts, foods) : 1;
    if (density === undefined) throw new RangeError('basis is ml, but the USDA states no weight by volume');
    const per100 = mixPer100(parts, foods);
    const lines = linesOf(diary === '' ? ownCodes(parts, foods) : diary, diaryLines);
    const popularity = popularityOf(numberIn(row, 'everyday') ?? 0, lines);
    return [density === 1 ? '' : density.toFixed(4), String(popularity), ...figures(per100, density)];
  } catch (error) {
    if (error instanceof RangeError) throw rowError(row, error.message);
    throw error;
  }
}

function figures(per100Grams: PartialNutrients, density: number): string[] {
  return NUTRIENT_KEYS.map((key) => {
    const amount = per100Grams[key];
    return amount === undefined ? '' : formatAmount(key, amount * density);
  });
}

function ownCodes(parts: readonly RecipePart[], foods: ReadonlyMap<string, UsdaFood>): string {
  return parts.length === 1 ? (getFood(foods, parts[0]!.fdcId).foodCode ?? '') : '';
}

/** A new table may have the hand-written columns only. */
function readHandColumns(url: URL): HandRow[] {
  const header = readFileSync(url, 'utf8').split('\n', 1)[0]!;
  const isNew = header.split('\t').length < HAND_COLUMNS.length + FILLED_COLUMNS.length;
  return isNew ? readTable(url, HAND_COLUMNS) : readTable(url, STARTER_COLUMNS);
}

function byCategoryThenKey(a: HandRow, b: HandRow): number {
  const order = (row: HandRow) => `${row.values.category}\t${row.values.key}`;
  return order(a) < order(b) ? -1 : 1;
}
