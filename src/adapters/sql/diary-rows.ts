import type { FoodId } from '../../catalogue/food.ts';
import type { Day } from '../../diary/day.ts';
import type { AddedMethod, AmountKey, DiaryEntry, DiaryOwner, MealType } from '../../diary/entry.ts';
import type { Goals } from '../../diary/goals.ts';
import type { Recipe } from '../../diary/recipe.ts';
import type { Thousandths } from '../../diary/thousandths.ts';
import type { DayTotals } from '../../diary/totals.ts';

/** A row without its owner, as the driver hands it over: values in the order of the column list. */
export type Row = readonly unknown[];

export const ENTRY_COLUMNS =
  'date, id, version, meal_type, food_name, calories, protein, carbs, fat, fiber, sodium, added_method, ' +
  'food_id, barcode, recipe_id, quantity, unit, created_at, updated_at';
export const RECIPE_COLUMNS = 'id, version, name, servings, ingredients, created_at, updated_at';
export const GOALS_COLUMNS = 'from_date, calories, protein, carbs, fat, fiber, sodium';

/** The owner's two columns, then `ENTRY_COLUMNS`. */
export function entryRow({ tenant, userId }: DiaryOwner, entry: DiaryEntry): unknown[] {
  const { amounts } = entry;
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
  ];
}

export function toEntry(row: Row): DiaryEntry {
  const [date, id, version, mealType, foodName, calories, protein, carbs, fat, fiber, sodium, addedMethod] =
    row;
  const [foodId, barcode, recipeId, quantity, unit, createdAt, updatedAt] = row.slice(12);
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
    version: version as number,
    createdAt: createdAt as number,
    updatedAt: updatedAt as number,
  };
}

/** Of a row that begins with the day and goes on with the six sums. */
export function toDayTotals([date, calories, protein, carbs, fat, fiber, sodium]: Row): DayTotals {
  return {
    date: date as Day,
    totals: { calories, protein, carbs, fat, fiber, sodium } as Record<AmountKey, Thousandths>,
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
