import type { FoodId } from '../../catalogue/food.ts';
import { restsIn } from '../../diary/amount-basis.ts';
import type { Day } from '../../diary/day.ts';
import {
  type AddedMethod,
  AMOUNT_KEYS,
  type BasisText,
  type DiaryEntry,
  type DiaryOwner,
  type MealType,
} from '../../diary/entry.ts';
import { roundSum } from '../../diary/exact-amount.ts';
import type { Goals } from '../../diary/goals.ts';
import type { Recipe } from '../../diary/recipe.ts';
import type { Thousandths } from '../../diary/thousandths.ts';
import type { DayTotals } from '../../diary/totals.ts';

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

export function toEntry(row: Row): DiaryEntry {
  const [date, id, version, mealType, foodName, calories, protein, carbs, fat, fiber, sodium, addedMethod] =
    row;
  const [foodId, barcode, recipeId, quantity, unit, createdAt, updatedAt, basis] = row.slice(12);
  return {
    id: id as string,
    date: date as Day,
    mealType: mealType as MealType,
    foodName: foodName as string,
    amounts: {
      calories: calories as Thousandths,
      protein: protein as Thousandths,
      carbs: carbs as Thousandths,
      fat: fat as Thousandths,
      ...(fiber !== null && { fiber: fiber as Thousandths }),
      ...(sodium !== null && { sodium: sodium as Thousandths }),
    },
    addedMethod: addedMethod as AddedMethod,
    ...(foodId !== null && { foodId: foodId as FoodId }),
    ...(barcode !== null && { barcode: barcode as string }),
    ...(recipeId !== null && { recipeId: recipeId as string }),
    ...(quantity !== null && { quantity: quantity as number }),
    ...(unit !== null && { unit: unit as string }),
    ...(basis !== null && { basis: basis as BasisText }),
    version: version as number,
    createdAt: createdAt as number,
    updatedAt: updatedAt as number,
  };
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
