import type { RawNutrients } from '../normalise/raw-food.ts';

type RawNutrientKey = keyof RawNutrients;

interface NutrientColumn {
  readonly key: RawNutrientKey;
  /** `nutrient.id` of FoodData Central. */
  readonly id: number;
  /** `nutrient.nutrient_nbr`, which some releases and abridged API results give instead of the id. */
  readonly number: number;
}

/**
 * The imported nutrients, by FDC's `nutrient.csv`. If several stand for one key, the first available counts: of the
 * Atwater energies the specific one, on which USDA's 1008 is based.
 */
const COLUMNS: readonly NutrientColumn[] = [
  { key: 'energy', id: 1008, number: 208 },
  { key: 'energy', id: 2048, number: 958 },
  { key: 'energy', id: 2047, number: 957 },
  { key: 'energyKj', id: 1062, number: 268 },
  { key: 'protein', id: 1003, number: 203 },
  { key: 'fat', id: 1004, number: 204 },
  { key: 'carbohydrates', id: 1005, number: 205 },
  { key: 'alcoholG', id: 1018, number: 221 },
  { key: 'fiber', id: 1079, number: 291 },
  { key: 'fiber', id: 2033, number: 293 },
  { key: 'sugars', id: 2000, number: 269 },
  { key: 'sugars', id: 1063, number: 269.3 },
  { key: 'addedSugars', id: 1235, number: 539 },
  { key: 'saturatedFat', id: 1258, number: 606 },
  { key: 'transFat', id: 1257, number: 605 },
  { key: 'cholesterol', id: 1253, number: 601 },
  { key: 'sodium', id: 1093, number: 307 },
  { key: 'potassium', id: 1092, number: 306 },
  { key: 'calcium', id: 1087, number: 301 },
  { key: 'iron', id: 1089, number: 303 },
  { key: 'vitaminD', id: 1114, number: 328 },
  { key: 'vitaminDIu', id: 1110, number: 324 },
];

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
