import { STATED_NUTRIENTS } from '@larder/core/nutrients.ts';
import type { RawNutrients } from '../normalise/raw-food.ts';

/** The imported nutrients, by FDC's `nutrient.csv`. If several have one key, the first available one counts. */
const COLUMNS = STATED_NUTRIENTS.flatMap(({ key, fdc = [] }) =>
  fdc.map(([id, number]) => ({ key, id, number })),
);

export const NUTRIENT_COLUMN_COUNT = COLUMNS.length;

/** Ids and numbers share one map: ids begin at 1001, numbers are lower. */
const COLUMN_BY_ID: ReadonlyMap<number, number> = new Map(
  COLUMNS.flatMap(({ id, number }, column) => [
    [id, column],
    [number, column],
  ]),
);

const MAX_FAST_ID = 4_096;
const COLUMN_BY_SMALL_ID = Int8Array.from({ length: MAX_FAST_ID }, (_, id) => COLUMN_BY_ID.get(id) ?? -1);

/** The column of a nutrient id or number; -1 if it is not imported. */
export function nutrientColumn(id: number): number {
  return COLUMN_BY_SMALL_ID[id] ?? COLUMN_BY_ID.get(id) ?? -1;
}

/** Nutrients from a row of amounts, in which NaN means unknown. */
export function nutrientsFrom(amounts: Float64Array): RawNutrients {
  const nutrients: RawNutrients = {};
  for (let column = 0; column < COLUMNS.length; column++) {
    const amount = amounts[column]!;
    const { key } = COLUMNS[column]!;
    if (!Number.isNaN(amount)) nutrients[key] ??= amount;
  }
  return nutrients;
}
