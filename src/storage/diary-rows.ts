import type { FoodId } from '../catalogue/food/food.ts';
import { restsIn } from '../diary/amount-basis.ts';
import {
  type AddedMethod,
  AMOUNT_KEYS,
  type Amounts,
  type BasisText,
  type DiaryEntry,
  type DiaryOwner,
  type MealType,
} from '../diary/entry.ts';
import type { Goals } from '../diary/goals.ts';
import type { Recipe } from '../diary/recipe.ts';
import type { DayTotals } from '../diary/totals.ts';
import type { Day } from '../diary/values/day.ts';
import { roundSum } from '../diary/values/exact-amount.ts';
import type { Thousandths } from '../diary/values/thousandths.ts';
import { SLICE_ENTRIES, SLICE_RECIPES, slicesOf } from '../slices.ts';
import type { Columns } from './dialect.ts';
import type { Row } from './writer.ts';

const OWNER: Columns = { tenant_id: 'text', user_id: 'text' };
const AMOUNTS = Object.fromEntries(AMOUNT_KEYS.map((key) => [key, 'bigint'])) as Columns;
const RESTS = Object.fromEntries(AMOUNT_KEYS.map((key) => [`${key}_rest`, 'int'])) as Columns;

/**
 * The version of the entry that `basis` and the rests belong to. A node of a version that does not know them leaves them
 * as they are when it changes an entry; they count only while both versions are the same.
 */
export const EXACT_VERSION = 'exact_version';

/** What an entry is read from, in the order of `toEntry`. */
const READ_ENTRY: Columns = {
  date: 'text',
  id: 'text',
  version: 'int',
  meal_type: 'text',
  food_name: 'text',
  ...AMOUNTS,
  added_method: 'text',
  food_id: 'text',
  barcode: 'text',
  recipe_id: 'text',
  quantity: 'double precision',
  unit: 'text',
  created_at: 'bigint',
  updated_at: 'bigint',
  basis: 'text',
  eaten_at: 'text',
  note: 'text',
};
export const READ_ENTRY_COLUMNS = Object.keys(READ_ENTRY);
/** The rests are what was rounded off the amounts, in billionths, for sums; an entry has the same in its basis. */
export const ENTRY_COLUMNS: Columns = { ...OWNER, ...READ_ENTRY, ...RESTS, [EXACT_VERSION]: 'int' };

export const READ_RECIPE_COLUMNS = 'id version name servings ingredients created_at updated_at'.split(' ');
export const RECIPE_COLUMNS = [...Object.keys(OWNER), ...READ_RECIPE_COLUMNS];

export const READ_GOALS_COLUMNS = ['from_date', ...AMOUNT_KEYS];
export const GOALS_COLUMNS = [...Object.keys(OWNER), ...READ_GOALS_COLUMNS];

const NO_RESTS = AMOUNT_KEYS.map(() => 0);

/** In the order of `ENTRY_COLUMNS`. */
export function entryRow({ tenant, userId }: DiaryOwner, entry: DiaryEntry): unknown[] {
  const { amounts, basis } = entry;
  return [
    tenant,
    userId,
    entry.date,
    entry.id,
    entry.version,
    entry.mealType,
    entry.foodName,
    amounts.calories,
    amounts.protein,
    amounts.carbs,
    amounts.fat,
    amounts.fiber ?? null,
    amounts.sodium ?? null,
    entry.addedMethod,
    entry.foodId ?? null,
    entry.barcode ?? null,
    entry.recipeId ?? null,
    entry.quantity ?? null,
    entry.unit ?? null,
    entry.createdAt,
    entry.updatedAt,
    basis ?? null,
    entry.eatenAt ?? null,
    entry.note ?? null,
    ...(basis === undefined ? NO_RESTS : restsIn(basis)),
    entry.version,
  ];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Assigns what is there, since lists are read thousands of times a second: twice as fast as spreading it. */
export function toEntry(row: Row): DiaryEntry {
  const amounts: Mutable<Amounts> = {
    calories: row[5] as Thousandths,
    protein: row[6] as Thousandths,
    carbs: row[7] as Thousandths,
    fat: row[8] as Thousandths,
  };
  if (row[9] !== null) amounts.fiber = row[9] as Thousandths;
  if (row[10] !== null) amounts.sodium = row[10] as Thousandths;
  const entry: Mutable<DiaryEntry> = {
    id: row[1] as string,
    date: row[0] as Day,
    mealType: row[3] as MealType,
    foodName: row[4] as string,
    amounts,
    addedMethod: row[11] as AddedMethod,
    version: row[2] as number,
    createdAt: row[17] as number,
    updatedAt: row[18] as number,
  };
  if (row[12] !== null) entry.foodId = row[12] as FoodId;
  if (row[13] !== null) entry.barcode = row[13] as string;
  if (row[14] !== null) entry.recipeId = row[14] as string;
  if (row[15] !== null) entry.quantity = row[15] as number;
  if (row[16] !== null) entry.unit = row[16] as string;
  if (row[19] !== null) entry.basis = row[19] as BasisText;
  if (row[20] !== null) entry.eatenAt = row[20] as string;
  if (row[21] !== null) entry.note = row[21] as string;
  return entry;
}

/** Of many rows that were read at once. */
export async function toEntries(rows: readonly Row[]): Promise<DiaryEntry[]> {
  const entries: DiaryEntry[] = [];
  for await (const slice of slicesOf(rows, SLICE_ENTRIES)) entries.push(...slice.map(toEntry));
  return entries;
}

/** Of a row that begins with the day and goes on with the six sums of amounts and those of their rests. */
export function toDayTotals([date, ...sums]: Row): DayTotals {
  const [calories, protein, carbs, fat, fiber, sodium, ...rests] = sums as number[];
  return {
    date: date as Day,
    totals: {
      calories: roundSum(calories!, rests[0]!),
      protein: roundSum(protein!, rests[1]!),
      carbs: roundSum(carbs!, rests[2]!),
      fat: roundSum(fat!, rests[3]!),
      fiber: roundSum(fiber!, rests[4]!),
      sodium: roundSum(sodium!, rests[5]!),
    },
  };
}

/** In the order of `RECIPE_COLUMNS`. */
export function recipeRow({ tenant, userId }: DiaryOwner, recipe: Recipe): unknown[] {
  const { id, version, name, servings, ingredients, createdAt, updatedAt } = recipe;
  return [tenant, userId, id, version, name, servings, JSON.stringify(ingredients), createdAt, updatedAt];
}

export function toRecipe([id, version, name, servings, ingredients, createdAt, updatedAt]: Row): Recipe {
  return {
    id: id as string,
    name: name as string,
    servings: servings as number,
    ingredients: JSON.parse(ingredients as string),
    version: version as number,
    createdAt: createdAt as number,
    updatedAt: updatedAt as number,
  };
}

export async function toRecipes(rows: readonly Row[]): Promise<Recipe[]> {
  const recipes: Recipe[] = [];
  for await (const slice of slicesOf(rows, SLICE_RECIPES)) recipes.push(...slice.map(toRecipe));
  return recipes;
}

/** In the order of `GOALS_COLUMNS`. */
export function goalsRow({ tenant, userId }: DiaryOwner, { from, amounts }: Goals): unknown[] {
  return [tenant, userId, from, ...AMOUNT_KEYS.map((key) => amounts[key] ?? null)];
}

export function toGoals([from, ...values]: Row): Goals {
  const known = AMOUNT_KEYS.flatMap((key, index) =>
    values[index] === null ? [] : [[key, values[index]] as const],
  );
  return { from: from as Day, amounts: Object.fromEntries(known) };
}
