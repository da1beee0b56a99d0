import type { FoodId } from '../catalogue/food/food.ts';
import { restsIn } from '../diary/amount-basis.ts';
import type { Day } from '../diary/day.ts';
import {
  type AddedMethod,
  AMOUNT_KEYS,
  type Amounts,
  type BasisText,
  type DiaryEntry,
  type DiaryOwner,
  type MealType,
} from '../diary/entry.ts';
import { roundSum } from '../diary/exact-amount.ts';
import type { Goals } from '../diary/goals.ts';
import type { Recipe } from '../diary/recipe.ts';
import type { Thousandths } from '../diary/thousandths.ts';
import type { DayTotals } from '../diary/totals.ts';
import { SLICE_ENTRIES, SLICE_RECIPES, slicesOf } from '../slices.ts';

/** A row without its owner, as the driver hands it over: values in the order of the column list. */
export type Row = readonly unknown[];

/** What an entry is read from; `basis` is the last. */
export const ENTRY_COLUMNS =
  'date, id, version, meal_type, food_name, calories, protein, carbs, fat, fiber, sodium, added_method, ' +
  'food_id, barcode, recipe_id, quantity, unit, created_at, updated_at, basis';
/** What was rounded off the amounts, in billionths, for sums; an entry has the same in its basis. */
export const REST_COLUMNS = 'calories_rest, protein_rest, carbs_rest, fat_rest, fiber_rest, sodium_rest';
/**
 * The version of the entry that `basis` and the rests belong to. A node of a version that does not know them leaves them
 * as they are when it changes an entry; they count only while both versions are the same.
 */
export const EXACT_VERSION = 'exact_version';
/** All columns of an entry but its owner's. */
export const WRITTEN_ENTRY_COLUMNS = `${ENTRY_COLUMNS}, ${REST_COLUMNS}, ${EXACT_VERSION}`;
export const RECIPE_COLUMNS = 'id, version, name, servings, ingredients, created_at, updated_at';
export const GOALS_COLUMNS = 'from_date, calories, protein, carbs, fat, fiber, sodium';

const NO_RESTS = AMOUNT_KEYS.map(() => 0);

/** The owner's two columns, then `WRITTEN_ENTRY_COLUMNS`. */
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

/** The owner's two columns, then `RECIPE_COLUMNS`. */
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

/** The owner's two columns, then `GOALS_COLUMNS`. */
export function goalsRow({ tenant, userId }: DiaryOwner, { from, amounts }: Goals): unknown[] {
  const { calories, protein, carbs, fat, fiber, sodium } = amounts;
  return [
    tenant,
    userId,
    from,
    ...[calories, protein, carbs, fat, fiber, sodium].map((goal) => goal ?? null),
  ];
}

export function toGoals([from, ...values]: Row): Goals {
  const keys = ['calories', 'protein', 'carbs', 'fat', 'fiber', 'sodium'] as const;
  const known = keys.flatMap((key, index) => (values[index] === null ? [] : [[key, values[index]] as const]));
  return { from: from as Day, amounts: Object.fromEntries(known) };
}

/** The assignment that notes of a row of `idempotent_requests` that its request was carried out. */
export const REQUEST_DONE = "headers = '{}'";
