import type { DiaryEntry, DiaryEntryInput, DiaryEntryPatch, EatenFood, Food } from 'larder-client';
import { nutrientsOf } from '../../amounts/food-amounts.ts';
import { FIELD_NAMES, FIELDS, type Field, furtherOf } from '../../parts/nutrients.ts';

const MACROS = ['calories', 'protein', 'carbs', 'fat'] as const;
const AMOUNTS = FIELD_NAMES;

type Amounts = Partial<Record<Field, number>>;

/** What this device knows of foods without asking. */
export interface KnownFoods {
  readonly food: Food | undefined;
  /** Eaten before: entries and recents. */
  readonly eaten: readonly (EatenFood | DiaryEntry)[];
}

/** The entry that the service will make of an input, as far as this device can tell. What it cannot tell is unknown. */
export function previewOf(id: string, userId: string, input: DiaryEntryInput, known: KnownFoods): DiaryEntry {
  const { date, mealType } = input as DiaryEntry;
  const { foodId, recipeId, quantity, unit, note, eatenAt, barcode } = input as Partial<DiaryEntry>;
  const named = input as Partial<DiaryEntry>;
  const amounts =
    named.calories === undefined ? newAmountsOf({ foodId, recipeId, quantity, unit }, known) : pick(named);
  const eaten = known.eaten.find((each) => isOf(each, { foodId, recipeId }));
  const now = new Date().toISOString();
  return {
    ...{ id, version: 0, userId, date, mealType, foodId, recipeId, barcode, quantity, unit, note, eatenAt },
    foodName: named.foodName ?? known.food?.name ?? eaten?.foodName ?? barcode ?? '…',
    ...stated(amounts),
    addedMethod: named.addedMethod ?? 'manual',
    createdAt: now,
    updatedAt: now,
  };
}

/** An entry with a change that the service has not computed. */
export function previewOfChange(entry: DiaryEntry, patch: DiaryEntryPatch, known: KnownFoods): DiaryEntry {
  const fields = Object.fromEntries(Object.entries(patch).map(([key, value]) => [key, value ?? undefined]));
  const changed: DiaryEntry = { ...entry, ...fields };
  const typed = Object.entries(patch).filter(([key]) => (AMOUNTS as readonly string[]).includes(key));
  const isOtherAmount = changed.quantity !== entry.quantity || changed.unit !== entry.unit;
  const isComputed = isOtherAmount && patch.calories === undefined;
  if (!isComputed && typed.length === 0) return changed;
  const amounts = isComputed
    ? amountsOf(changed, { ...known, eaten: [entry, ...known.eaten] })
    : pick(entry as Amounts & Pick<DiaryEntry, 'unknown'>);
  // What is emptied is unknown.
  const all = Object.entries({ ...amounts, ...Object.fromEntries(typed) });
  const after = stated(Object.fromEntries(all.filter(([, value]) => value !== null)));
  return { ...changed, ...after, nutrients: { ...furtherOf(changed.nutrients), ...after.nutrients } };
}

interface Amount {
  readonly foodId?: string | undefined;
  readonly recipeId?: string | undefined;
  readonly quantity?: number | undefined;
  readonly unit?: string | undefined;
}

/** A food is as it is now, whatever it was when it was eaten. */
function newAmountsOf(amount: Amount, known: KnownFoods): Amounts {
  const { quantity, unit } = amount;
  const now = known.food && quantity !== undefined ? ofFood(known.food, quantity, unit!) : {};
  return Object.keys(now).length > 0 ? now : amountsOf(amount, known);
}

function amountsOf(amount: Amount, { food, eaten }: KnownFoods): Amounts {
  const { quantity, unit, foodId, recipeId } = amount;
  if (quantity === undefined) return {};
  const before = eaten.find(
    (each) =>
      each.unit === unit &&
      (each.quantity ?? 0) > 0 &&
      ((foodId === undefined && recipeId === undefined) || isOf(each, amount)),
  );
  if (before !== undefined) return scaled(pick(before), quantity / before.quantity!);
  return food === undefined ? {} : ofFood(food, quantity, unit!);
}

function ofFood(food: Food, quantity: number, unit: string): Amounts {
  const nutrients = nutrientsOf(food, quantity, unit);
  const known = AMOUNTS.filter((key) => nutrients[FIELDS[key]] !== undefined);
  return scaled(Object.fromEntries(known.map((key) => [key, nutrients[FIELDS[key]]])), 1);
}

function isOf(eaten: EatenFood | DiaryEntry, { foodId, recipeId }: Amount): boolean {
  return foodId === undefined
    ? recipeId !== undefined && eaten.recipeId === recipeId
    : eaten.foodId === foodId;
}

/** The amounts that are stated. */
function pick(of: Amounts & { readonly unknown?: readonly string[] | undefined }): Amounts {
  const known = AMOUNTS.filter((key) => typeof of[key] === 'number' && of.unknown?.includes(key) !== true);
  return Object.fromEntries(known.map((key) => [key, of[key]]));
}

function scaled(amounts: Amounts, factor: number): Amounts {
  const entries = Object.entries(amounts).map(([key, value]) => [
    key,
    Math.round(value * factor * 1_000) / 1_000,
  ]);
  return Object.fromEntries(entries);
}

/** The amounts as an entry states them: 0 and a note where one is unknown. */
function stated(amounts: Amounts) {
  const unknown = MACROS.filter((key) => amounts[key] === undefined);
  const { calories = 0, protein = 0, carbs = 0, fat = 0, fiber, sodium } = amounts;
  const known = FIELD_NAMES.filter((key) => amounts[key] !== undefined);
  return {
    ...{ calories, protein, carbs, fat, fiber, sodium },
    nutrients: Object.fromEntries(known.map((key) => [FIELDS[key], amounts[key]])),
    unknown: unknown.length > 0 ? unknown : undefined,
  };
}
