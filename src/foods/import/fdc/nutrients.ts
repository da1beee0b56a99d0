import type { FoodFacts } from '@larder/core/food-facts.ts';
import { FURTHER_NUTRIENTS, STATED_NUTRIENTS } from '@larder/core/nutrients.ts';
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

/** The further nutrients by the number that facts of a bundle have while it is read: the best column of a nutrient first. */
const FURTHER = FURTHER_NUTRIENTS.flatMap(({ key, fdc = [] }) =>
  fdc.map(([id, number]) => ({ key, id, number })),
);
const FURTHER_BY_ID: ReadonlyMap<number, number> = new Map(
  FURTHER.flatMap(({ id, number }, further) => [
    [id, further],
    [number, further],
  ]),
);

/** The notice of a nutrient without a place in the registry. */
export const NOT_KEPT = 'a nutrient that is not kept';

/** The number of a nutrient beside those of foods; undefined if the registry has none. */
export function furtherNumber(id: number): number | undefined {
  return FURTHER_BY_ID.get(id);
}

/** Further nutrients from pairs of their number and amount; undefined if there are none. */
export function furtherNutrients(
  amounts: Iterable<readonly [further: number, amount: number]>,
): FoodFacts['nutrients'] {
  const nutrients: Record<string, number> = {};
  for (const [further, amount] of [...amounts].sort(([a], [b]) => a - b))
    nutrients[FURTHER[further]!.key] ??= amount;
  return Object.keys(nutrients).length === 0 ? undefined : nutrients;
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
