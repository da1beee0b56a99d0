import type { FoodId } from '@larder/core/food.ts';
import { SLICE_ENTRIES, SLICE_RECIPES, slicesOf } from '../../base/background-work.ts';
import type { Columns } from '../../db/dialect.ts';
import type { Row } from '../../db/writer.ts';
import type { Day } from '../records/day.ts';
import {
  type AddedMethod,
  AMOUNT_KEYS,
  type Amounts,
  type BasisText,
  type DiaryEntry,
  type DiaryOwner,
  MAIN_AMOUNTS,
  type MealType,
  OTHER_AMOUNTS,
} from '../records/entry.ts';
import { type Thousandths, toBillionths, wholeOf } from '../records/exact-amount.ts';
import type { Goals } from '../records/goals.ts';
import type { Recipe } from '../records/recipe.ts';
import { restsIn } from '../records/snapshot.ts';
import { type DayTotals, type ExactSums, toSums } from '../records/totals.ts';

const OWNER: Columns = { tenant_id: 'text', user_id: 'text' };
const AMOUNTS = Object.fromEntries(MAIN_AMOUNTS.map((key) => [key, 'bigint'])) as Columns;
const RESTS = Object.fromEntries(MAIN_AMOUNTS.map((key) => [`${key}_rest`, 'int'])) as Columns;
/** In billionths, with nothing rounded off. */
const NUTRIENTS = Object.fromEntries(OTHER_AMOUNTS.map((key) => [columnOf(key), 'bigint'])) as Columns;

/**
 * The version of the entry that `basis`, the rests and `NUTRIENTS` belong to. A node of a version that does not know them
 * leaves them as they are when it changes an entry; they count only while both versions are the same.
 */
export const EXACT_VERSION = 'exact_version';

/** What every entry has. */
const STATED: Columns = {
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
  [EXACT_VERSION]: 'int',
};
/** Null in most entries. */
const RARE: Columns = { eaten_at: 'text', note: 'text', ...NUTRIENTS };

/** What an entry is read from, in the order of `toEntry`. */
export const READ_ENTRY_COLUMNS = Object.keys({ ...STATED, ...RARE });
/** The rests are what was rounded off the amounts, in billionths, for sums; an entry has the same in its basis. */
export const PLAIN_ENTRY_COLUMNS: Columns = { ...OWNER, ...STATED, ...RESTS };
export const ENTRY_COLUMNS: Columns = { ...PLAIN_ENTRY_COLUMNS, ...RARE };

export const READ_RECIPE_COLUMNS =
  'id version name servings ingredients created_at updated_at yield_grams'.split(' ');
export const RECIPE_COLUMNS = [...Object.keys(OWNER), ...READ_RECIPE_COLUMNS];

export const READ_GOALS_COLUMNS = ['from_date', ...AMOUNT_KEYS.map(columnOf)];
export const GOALS_COLUMNS = [...Object.keys(OWNER), ...READ_GOALS_COLUMNS];

/** `addedSugars` is `added_sugars`. */
export function columnOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

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
    entry.version,
  ];
  for (let at = 0; at < MAIN_AMOUNTS.length; at++) row.push(rests[at] ?? 0);
  if (isPlain) return row;
  row.push(entry.eatenAt ?? null, entry.note ?? null);
  for (let at = 0; at < OTHER_AMOUNTS.length; at++) {
    const amount = amounts[OTHER_AMOUNTS[at]!];
    row.push(amount === undefined ? null : toBillionths(amount, rests[MAIN_AMOUNTS.length + at]));
  }
  return row;
}

const NUTRIENTS_AT = READ_ENTRY_COLUMNS.length - OTHER_AMOUNTS.length;

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
  if (row[21] !== null) entry.eatenAt = row[21] as string;
  if (row[22] !== null) entry.note = row[22] as string;
  // The version of the entry and that of what is exact.
  if (row[20] !== row[2]) return entry;
  if (row[19] !== null) entry.basis = row[19] as BasisText;
  for (let at = 0; at < OTHER_AMOUNTS.length; at++) {
    const billionths = row[NUTRIENTS_AT + at] as number | null;
    if (billionths !== null) amounts[OTHER_AMOUNTS[at]!] = wholeOf(billionths);
  }
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
