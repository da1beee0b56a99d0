import type { FoodId } from '@larder/core/food.ts';
import { SLICE_ENTRIES, SLICE_RECIPES, slicesOf } from '../../base/background-work.ts';
import { type Columns, columnOf } from '../../db/dialect.ts';
import type { Row } from '../../db/writer.ts';
import type { Day } from '../records/day.ts';
import {
  type AddedMethod,
  AMOUNT_KEYS,
  type AmountKey,
  type Amounts,
  type BasisText,
  type DiaryEntry,
  type DiaryOwner,
  MAIN_AMOUNTS,
  type MealType,
  OTHER_AMOUNTS,
} from '../records/entry.ts';
import { toBillionths, wholeOf } from '../records/exact-amount.ts';
import type { Goals } from '../records/goals.ts';
import type { Recipe } from '../records/recipe.ts';
import { restsIn } from '../records/snapshot.ts';
import { type DayTotals, type ExactSums, toSums } from '../records/totals.ts';

const OWNER: Columns = { tenant_id: 'text', user_id: 'text' };
/**
 * Amounts are whole billionths of their unit, with nothing rounded off, so that sums are exact. The larger part of an amount is
 * what an entry states; the rest is in its basis, too.
 */
const amounts = (keys: readonly AmountKey[]) =>
  Object.fromEntries(keys.map((key) => [columnOf(key), 'bigint'])) as Columns;

/** What every entry has. */
const STATED: Columns = {
  date: 'text',
  id: 'text',
  version: 'int',
  meal_type: 'text',
  food_name: 'text',
  ...amounts(MAIN_AMOUNTS),
  added_method: 'text',
  food_id: 'text',
  barcode: 'text',
  recipe_id: 'text',
  quantity: 'double precision',
  unit: 'text',
  created_at: 'bigint',
  updated_at: 'bigint',
  basis: 'text',
};
/** Null in most entries. */
const RARE: Columns = { eaten_at: 'text', note: 'text', ...amounts(OTHER_AMOUNTS) };

/** What an entry is read from, in the order of `toEntry`. */
export const READ_ENTRY_COLUMNS = Object.keys({ ...STATED, ...RARE });
export const PLAIN_ENTRY_COLUMNS: Columns = { ...OWNER, ...STATED };
export const ENTRY_COLUMNS: Columns = { ...PLAIN_ENTRY_COLUMNS, ...RARE };

export const READ_RECIPE_COLUMNS =
  'id version name servings ingredients created_at updated_at yield_grams'.split(' ');
export const RECIPE_COLUMNS = [...Object.keys(OWNER), ...READ_RECIPE_COLUMNS];

export const READ_GOALS_COLUMNS = ['from_date', ...AMOUNT_KEYS.map(columnOf)];
export const GOALS_COLUMNS = [...Object.keys(OWNER), ...READ_GOALS_COLUMNS];

/** Whether it has nothing to write into the columns that most entries leave empty, which costs a tenth of the time. */
export function isPlain({ eatenAt, note, amounts }: DiaryEntry): boolean {
  if (eatenAt !== undefined || note !== undefined) return false;
  for (const key of OTHER_AMOUNTS) if (amounts[key] !== undefined) return false;
  return true;
}

/** In the order of `ENTRY_COLUMNS`, or of `PLAIN_ENTRY_COLUMNS` for entries that `isPlain` says so of. */
export function entryRow({ tenant, userId }: DiaryOwner, entry: DiaryEntry, isPlain = false): unknown[] {
  const { amounts, basis } = entry;
  const rests = basis === undefined ? [] : restsIn(basis);
  const row: unknown[] = [
    tenant,
    userId,
    entry.date,
    entry.id,
    entry.version,
    entry.mealType,
    entry.foodName,
  ];
  pushAmounts(row, amounts, rests, 0, MAIN_AMOUNTS.length);
  row.push(
    entry.addedMethod,
    entry.foodId ?? null,
    entry.barcode ?? null,
    entry.recipeId ?? null,
    entry.quantity ?? null,
    entry.unit ?? null,
    entry.createdAt,
    entry.updatedAt,
    basis ?? null,
  );
  if (isPlain) return row;
  row.push(entry.eatenAt ?? null, entry.note ?? null);
  pushAmounts(row, amounts, rests, MAIN_AMOUNTS.length, AMOUNT_KEYS.length);
  return row;
}

/** Amounts number `from` up to `to` of `AMOUNT_KEYS`. */
function pushAmounts(
  row: unknown[],
  amounts: Amounts,
  rests: readonly number[],
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at++) {
    const amount = amounts[AMOUNT_KEYS[at]!];
    row.push(amount === undefined ? null : toBillionths(amount, rests[at]));
  }
}

const MAIN_AT = READ_ENTRY_COLUMNS.indexOf(MAIN_AMOUNTS[0]);
const SOURCE_AT = MAIN_AT + MAIN_AMOUNTS.length;
const RARE_AT = Object.keys(STATED).length;
const OTHER_AT = READ_ENTRY_COLUMNS.length - OTHER_AMOUNTS.length;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Assigns what is there, since lists are read thousands of times a second: twice as fast as spreading it. */
export function toEntry(row: Row): DiaryEntry {
  const amounts: Mutable<Partial<Amounts>> = {};
  for (let at = 0; at < MAIN_AMOUNTS.length; at++) {
    const billionths = row[MAIN_AT + at] as number | null;
    if (billionths !== null) amounts[MAIN_AMOUNTS[at]!] = wholeOf(billionths);
  }
  for (let at = 0; at < OTHER_AMOUNTS.length; at++) {
    const billionths = row[OTHER_AT + at] as number | null;
    if (billionths !== null) amounts[OTHER_AMOUNTS[at]!] = wholeOf(billionths);
  }
  const entry: Mutable<DiaryEntry> = {
    id: row[1] as string,
    date: row[0] as Day,
    mealType: row[3] as MealType,
    foodName: row[4] as string,
    amounts: amounts as Amounts,
    addedMethod: row[SOURCE_AT] as AddedMethod,
    version: row[2] as number,
    createdAt: row[SOURCE_AT + 6] as number,
    updatedAt: row[SOURCE_AT + 7] as number,
  };
  if (row[SOURCE_AT + 1] !== null) entry.foodId = row[SOURCE_AT + 1] as FoodId;
  if (row[SOURCE_AT + 2] !== null) entry.barcode = row[SOURCE_AT + 2] as string;
  if (row[SOURCE_AT + 3] !== null) entry.recipeId = row[SOURCE_AT + 3] as string;
  if (row[SOURCE_AT + 4] !== null) entry.quantity = row[SOURCE_AT + 4] as number;
  if (row[SOURCE_AT + 5] !== null) entry.unit = row[SOURCE_AT + 5] as string;
  if (row[SOURCE_AT + 8] !== null) entry.basis = row[SOURCE_AT + 8] as BasisText;
  if (row[RARE_AT] !== null) entry.eatenAt = row[RARE_AT] as string;
  if (row[RARE_AT + 1] !== null) entry.note = row[RARE_AT + 1] as string;
  return entry;
}

/** Of many rows that were read at once. */
export async function toEntries(rows: readonly Row[]): Promise<DiaryEntry[]> {
  const entries: DiaryEntry[] = [];
  for await (const slice of slicesOf(rows, SLICE_ENTRIES)) entries.push(...slice.map(toEntry));
  return entries;
}

interface SummedDay {
  sums?: readonly number[];
  readonly meals: Map<MealType, readonly number[]>;
}

/** Adds up rows of `SUM_DAYS`, of which a day may have several. */
export class SummedRows {
  readonly #days = new Map<Day, SummedDay>();

  add(rows: readonly Row[]): this {
    for (const [date, meal, ...values] of rows) {
      const sums = values.slice(0, SUM_COUNT) as number[];
      const day: SummedDay = this.#days.get(date as Day) ?? { meals: new Map() };
      day.sums = plus(day.sums, sums);
      if (meal !== null) day.meals.set(meal as MealType, plus(day.meals.get(meal as MealType), sums));
      this.#days.set(date as Day, day);
    }
    return this;
  }

  toDays(): DayTotals[] {
    return Array.from(this.#days, ([date, { sums, meals }]) => ({
      date,
      ...toSums(exactSums(sums!)),
      ...(meals.size > 0 && {
        meals: Object.fromEntries(Array.from(meals, ([meal, of]) => [meal, toSums(exactSums(of))])),
      }),
    }));
  }
}

/** Entries, and of each amount three numbers. */
const SUM_COUNT = 1 + 3 * AMOUNT_KEYS.length;

function plus(a: readonly number[] | undefined, b: readonly number[]): readonly number[] {
  return a === undefined ? b : b.map((sum, at) => sum + a[at]!);
}

function exactSums([items, ...sums]: readonly number[]): ExactSums {
  const part = (from: number) =>
    Object.fromEntries(AMOUNT_KEYS.map((key, at) => [key, sums[from + at]!])) as ExactSums['amounts'];
  const count = AMOUNT_KEYS.length;
  return { items: items!, amounts: part(0), rests: part(count), known: part(2 * count) };
}

/** In the order of `RECIPE_COLUMNS`. */
export function recipeRow({ tenant, userId }: DiaryOwner, recipe: Recipe): unknown[] {
  const { id, version, name, servings, ingredients, createdAt, updatedAt, yieldGrams = null } = recipe;
  return [
    tenant,
    userId,
    id,
    version,
    name,
    servings,
    JSON.stringify(ingredients),
    createdAt,
    updatedAt,
    yieldGrams,
  ];
}

export function toRecipe(row: Row): Recipe {
  const [id, version, name, servings, ingredients, createdAt, updatedAt, yieldGrams] = row;
  return {
    id: id as string,
    name: name as string,
    servings: servings as number,
    ...(yieldGrams !== null && { yieldGrams: yieldGrams as number }),
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
