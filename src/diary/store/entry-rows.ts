import type { FoodId } from '@larder/core/food.ts';
import { SLICE_ENTRIES, slicesOf } from '../../base/background-work.ts';
import { type Columns, columnOf, type Row } from '../../db/dialect.ts';
import type { Day } from '../records/day.ts';
import {
  type AddedMethod,
  type AmountKey,
  type Amounts,
  ANSWERED_AMOUNTS,
  type BasisText,
  COLUMN_AMOUNTS,
  type DiaryEntry,
  type DiaryOwner,
  isFurther,
  isMainAmount,
  MAIN_AMOUNTS,
  type MealType,
  OTHER_AMOUNTS,
  type Rests,
  unknownOf,
} from '../records/entry.ts';
import { toBillionths, wholeOf } from '../records/exact-amount.ts';
import { restsOf } from '../records/snapshot.ts';

/**
 * Most amounts have a column of their own, in whole billionths of their unit with nothing rounded off, so that sums are exact. The
 * larger part of an amount is what an entry states; the rest is in its basis, too. Further amounts share a column: see `writeFurther`.
 */
const AMOUNT_COLUMNS: readonly (readonly [key: AmountKey, column: string])[] = COLUMN_AMOUNTS.map((key) => [
  key,
  columnOf(key),
]);
const NO_AMOUNTS = Object.fromEntries(AMOUNT_COLUMNS.map(([, column]) => [column, null]));
const amounts = (keys: readonly AmountKey[]) =>
  Object.fromEntries(keys.map((key) => [columnOf(key), 'bigint'])) as Columns;

/** Fields of every entry. */
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
const RARE: Columns = {
  eaten_at: 'text',
  note: 'text',
  ...amounts(OTHER_AMOUNTS),
  unknown_amounts: 'bigint',
  further: 'text',
};

export const PLAIN_ENTRY_COLUMNS: Columns = { tenant_id: 'text', user_id: 'text', ...STATED };
export const ENTRY_COLUMNS: Columns = { ...PLAIN_ENTRY_COLUMNS, ...RARE };
/** Columns that an entry is read from. */
export const READ_ENTRY_COLUMNS = Object.keys({ ...STATED, ...RARE });

/** The columns of an entry but those of its amounts, and its owner. */
export interface EntryRow {
  readonly date: Day;
  readonly id: string;
  readonly version: number;
  readonly meal_type: MealType;
  readonly food_name: string;
  readonly added_method: AddedMethod;
  readonly food_id: FoodId | null;
  readonly barcode: string | null;
  readonly recipe_id: string | null;
  readonly quantity: number | null;
  readonly unit: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly basis: BasisText | null;
  readonly eaten_at: string | null;
  readonly note: string | null;
  readonly unknown_amounts: number | null;
  readonly further: string | null;
}

/** The bit of an amount in `unknown_amounts`: its column cannot be null. */
export function unknownBit(key: AmountKey): number {
  const at = (ANSWERED_AMOUNTS as readonly AmountKey[]).indexOf(key);
  return at === -1 ? 0 : 2 ** at;
}

/** Whether it has nothing to write into the columns that most entries leave empty, which costs a tenth of the time. */
export function isPlain({ eatenAt, note, amounts }: DiaryEntry): boolean {
  if (eatenAt !== undefined || note !== undefined || unknownOf(amounts).length > 0) return false;
  for (const key in amounts) if (!isMainAmount(key as AmountKey)) return false;
  return true;
}

/**
 * The billionths of further amounts by name, after the version of the entry: a node of an older version changes entries without this
 * column, whose text then belongs to no entry any more.
 */
function writeFurther(version: number, amounts: Partial<Amounts>, rests: Rests): string | null {
  let further: Record<string, number> | undefined;
  for (const key in amounts) {
    if (!isFurther(key)) continue;
    further ??= {};
    further[key] = toBillionths(amounts[key]!, rests[key]);
  }
  return further === undefined ? null : `${version} ${JSON.stringify(further)}`;
}

/** The billionths of the further amounts of an entry with this version. */
export function readFurther(text: string, version: number): Readonly<Record<string, number>> {
  const prefix = `${version} `;
  return text.startsWith(prefix) ? JSON.parse(text.slice(prefix.length)) : {};
}

export function toEntryRow({ tenant, userId }: DiaryOwner, entry: DiaryEntry): Row {
  const { amounts, basis } = entry;
  const row: Record<string, unknown> = {
    ...NO_AMOUNTS,
    tenant_id: tenant,
    user_id: userId,
    date: entry.date,
    id: entry.id,
    version: entry.version,
    meal_type: entry.mealType,
    food_name: entry.foodName,
    added_method: entry.addedMethod,
    food_id: entry.foodId ?? null,
    barcode: entry.barcode ?? null,
    recipe_id: entry.recipeId ?? null,
    quantity: entry.quantity ?? null,
    unit: entry.unit ?? null,
    created_at: entry.createdAt,
    updated_at: entry.updatedAt,
    basis: basis ?? null,
    eaten_at: entry.eatenAt ?? null,
    note: entry.note ?? null,
    unknown_amounts: null,
    further: null,
  } satisfies EntryRow & Row;
  const rests = basis === undefined ? {} : restsOf(basis);
  for (const [key, column] of AMOUNT_COLUMNS) {
    const amount = amounts[key];
    if (amount !== undefined) row[column] = toBillionths(amount, rests[key]);
  }
  row['further'] = writeFurther(entry.version, amounts, rests);
  const unknown = unknownOf(amounts);
  if (unknown.length === 0) return row;
  for (const key of unknown) row[columnOf(key)] = 0;
  row['unknown_amounts'] = unknown.reduce((bits, key) => bits + unknownBit(key), 0);
  return row;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Assigns what is there, since lists are read thousands of times a second: twice as fast as spreading it. */
export function toEntry(row: EntryRow): DiaryEntry {
  const amounts: Mutable<Partial<Amounts>> = {};
  for (const [key, column] of AMOUNT_COLUMNS) {
    const billionths = (row as unknown as Record<string, number | null>)[column]!;
    if (billionths !== null) amounts[key] = wholeOf(billionths);
  }
  if (row.unknown_amounts !== null) {
    for (const key of ANSWERED_AMOUNTS) if (row.unknown_amounts & unknownBit(key)) delete amounts[key];
  }
  if (row.further !== null) {
    const further = readFurther(row.further, row.version);
    for (const key in further) amounts[key as AmountKey] = wholeOf(further[key]!);
  }
  const entry: Mutable<DiaryEntry> = {
    id: row.id,
    date: row.date,
    mealType: row.meal_type,
    foodName: row.food_name,
    amounts: amounts as Amounts,
    addedMethod: row.added_method,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  if (row.food_id !== null) entry.foodId = row.food_id;
  if (row.barcode !== null) entry.barcode = row.barcode;
  if (row.recipe_id !== null) entry.recipeId = row.recipe_id;
  if (row.quantity !== null) entry.quantity = row.quantity;
  if (row.unit !== null) entry.unit = row.unit;
  if (row.basis !== null) entry.basis = row.basis;
  if (row.eaten_at !== null) entry.eatenAt = row.eaten_at;
  if (row.note !== null) entry.note = row.note;
  return entry;
}

/** Makes entries of many rows that were read at once. */
export async function toEntries(rows: readonly EntryRow[]): Promise<DiaryEntry[]> {
  if (rows.length <= SLICE_ENTRIES) return rows.map(toEntry);
  const entries: DiaryEntry[] = [];
  for await (const slice of slicesOf(rows, SLICE_ENTRIES)) entries.push(...slice.map(toEntry));
  return entries;
}
