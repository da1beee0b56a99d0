import type { FoodId } from '@larder/core/food.ts';
import {
  type AnyNutrientKey,
  FIELD_NUTRIENTS,
  FURTHER_KEYS,
  type FurtherKey,
  NUTRIENT_KEYS,
  type NutrientKey,
} from '@larder/core/nutrients.ts';
import { hasAtMost, isWellFormedText } from '../../base/texts.ts';
import type { Day } from './day.ts';
import { MAX_AMOUNT, type Rest, type Thousandths, toThousandths } from './exact-amount.ts';
import { invalidField } from './invalid-field.ts';
import { MAX_UNIT_CHARACTERS } from './unit-conversion.ts';

export const MEAL_TYPES = ['breakfast', 'lunch', 'dinner', 'snacks'] as const;
export type MealType = (typeof MEAL_TYPES)[number];

export const ADDED_METHODS = ['manual', 'barcode', 'image', 'recipe'] as const;
export type AddedMethod = (typeof ADDED_METHODS)[number];

/** Amounts with fields of their own: kcal, four masses in g, sodium in mg. */
export type MainAmount = keyof typeof FIELD_NUTRIENTS;
export const MAIN_AMOUNTS = Object.keys(FIELD_NUTRIENTS) as readonly MainAmount[];

/** The other nutrients of all foods, in the catalogue's order, under its names and in its units. */
export type OtherAmount = Exclude<NutrientKey, (typeof FIELD_NUTRIENTS)[MainAmount]>;
export const OTHER_AMOUNTS = NUTRIENT_KEYS.filter(
  (key): key is OtherAmount => !(Object.values(FIELD_NUTRIENTS) as string[]).includes(key),
);

/**
 * The amounts with columns of their own in the diary's tables. Append only: the stored basis of an entry has them in this order.
 * All others are stored by their names, in one column, which most entries leave empty.
 */
export const COLUMN_AMOUNTS = [...MAIN_AMOUNTS, ...OTHER_AMOUNTS];

/** All amounts of the diary: every nutrient of the registry. */
export const AMOUNT_KEYS = [...COLUMN_AMOUNTS, ...FURTHER_KEYS];
export type AmountKey = MainAmount | OtherAmount | FurtherKey;

/** The nutrient for each amount. */
export const NUTRIENT_OF = {
  ...Object.fromEntries(AMOUNT_KEYS.map((key) => [key, key])),
  ...FIELD_NUTRIENTS,
} as Readonly<Record<AmountKey, AnyNutrientKey>>;

/** The amount for each nutrient. */
export const AMOUNT_OF = Object.fromEntries(AMOUNT_KEYS.map((key) => [NUTRIENT_OF[key], key])) as Readonly<
  Record<AnyNutrientKey, AmountKey>
>;

const IS_FURTHER: ReadonlySet<string> = new Set(FURTHER_KEYS);

/** Whether the amount has no column of its own. */
export function isFurther(key: string): key is FurtherKey {
  return IS_FURTHER.has(key);
}

/** Fields that an entry must state. */
export const REQUIRED_AMOUNTS = ['calories'] as const;
/** Amounts that every response has as a number; unknown ones are 0 there, and named in `unknown`. */
export const ANSWERED_AMOUNTS = ['calories', 'protein', 'carbs', 'fat'] as const;

/** An unknown amount is absent, never 0. */
export type Amounts = Readonly<Record<'calories', Thousandths> & Partial<Record<AmountKey, Thousandths>>>;

/** Unknown amounts that a response has as 0. */
export function unknownOf(amounts: Partial<Amounts>): AmountKey[] {
  return ANSWERED_AMOUNTS.filter((key) => amounts[key] === undefined);
}

/** The remainders of rounding to thousandths; absent if there are none. */
export type Rests = Readonly<Partial<Record<AmountKey, Rest>>>;

declare const basisBrand: unique symbol;
/**
 * The stored basis of an entry and its rests: see `snapshot.ts`. Read only when an entry is written or changed,
 * because lists have thousands.
 */
export type BasisText = string & { readonly [basisBrand]: true };

/** Amounts as decimal numbers. */
export type DecimalAmounts = Readonly<
  Record<'calories', number> & Partial<Record<AmountKey, number | undefined>>
>;

export const MAX_CALORIES = 20_000;
/** Maximum of each amount except energy and the main ones, in its unit; more than anybody eats. */
export const MAX_OTHER_AMOUNT = 100_000;
export const MAX_NAME_CHARACTERS = 300;
export const MAX_NOTE_CHARACTERS = 500;
export const MAX_BATCH_ENTRIES = 100;
/** Maximum entries of a user on one date, which bounds lists and totals. */
export const MAX_DAY_ENTRIES = 20_000;

/** The owner of a diary: every row and every look-up has both ids. */
export interface DiaryOwner {
  readonly tenant: string;
  readonly userId: string;
}

/** A snapshot of what was eaten: later changes of a food do not change entries. */
export interface DiaryEntry {
  /** See `time-ordered-id.ts`: ids sort in the order of writing. */
  readonly id: string;
  readonly date: Day;
  readonly mealType: MealType;
  readonly foodName: string;
  readonly amounts: Amounts;
  readonly addedMethod: AddedMethod;
  /** The source and amount, for display and later changes. */
  readonly foodId?: FoodId;
  readonly barcode?: string;
  readonly recipeId?: string;
  readonly quantity?: number;
  readonly unit?: string;
  /** The time of eating with its offset from UTC: see `parseMoment`. It is for display; `date` decides the day. */
  readonly eatenAt?: string;
  readonly note?: string;
  /** Absent if amounts, quantity and unit are as stated. */
  readonly basis?: BasisText;
  /** 1 at creation, incremented by each change. */
  readonly version: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

export function isMainAmount(key: AmountKey): key is MainAmount {
  return key in FIELD_NUTRIENTS;
}

/** Maximum of each amount of one entry, in the amount's unit. */
export const AMOUNT_LIMITS = {
  ...Object.fromEntries(AMOUNT_KEYS.map((key) => [key, isMainAmount(key) ? MAX_AMOUNT : MAX_OTHER_AMOUNT])),
  calories: MAX_CALORIES,
} as Readonly<Record<AmountKey, number>>;

/** Amounts of one entry, checked against the rules. */
export function parseAmounts(decimal: DecimalAmounts): Amounts {
  const amounts: Partial<Record<AmountKey, Thousandths>> = {};
  for (const key of AMOUNT_KEYS) {
    const value = decimal[key];
    if (value === undefined) continue;
    const max = AMOUNT_LIMITS[key];
    if (!(value >= 0 && value <= max)) {
      const field = isMainAmount(key) ? key : `nutrients.${key}`;
      throw invalidField(field, `"${field}" must be a number from 0 to ${max}.`, { max });
    }
    amounts[key] = toThousandths(value);
  }
  return amounts as Amounts;
}

export function parseFoodName(text: string, field = 'foodName'): string {
  return parseText(text, field, MAX_NAME_CHARACTERS);
}

export function parseUnit(text: string): string {
  return parseText(text, 'unit', MAX_UNIT_CHARACTERS);
}

export function parseNote(text: string): string {
  return parseText(text, 'note', MAX_NOTE_CHARACTERS);
}

function parseText(text: string, field: string, maxCharacters: number): string {
  const trimmed = text.trim();
  if (trimmed !== '' && hasAtMost(trimmed, maxCharacters) && isWellFormedText(trimmed)) return trimmed;
  throw invalidField(field, `"${field}" must have 1 to ${maxCharacters} characters of valid text.`);
}
