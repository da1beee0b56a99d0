import type { DiaryEntry, Food, FoodInput, Recipe, RecipeInput } from 'larder-client';
import { furtherOf } from '../../parts/nutrients.ts';
import { newId } from '../ids.ts';
import type { Kind, NewWrite, Shown, ShownEntry, Value } from './writes.ts';

/** An object under a new id. */
export function objectAgain(kind: Kind, value: Value): NewWrite {
  if (kind === 'recipe') return recipeAgain(value as Recipe);
  if (kind === 'food') return foodAgain(value as Food);
  return kind === 'entry' ? additionAgain(value as ShownEntry) : recordAgain(kind, value);
}

/** A measurement, a saved meal or a favourite under a new id. */
export function recordAgain(kind: Kind, value: Value): NewWrite {
  const id = newId();
  const { waiting, version, userId, createdAt, updatedAt, ...fields } = value as Shown<
    Record<string, unknown>
  >;
  return { kind, id, op: 'add', body: { ...fields, id }, preview: { ...value, id, version: 0 } as Value };
}

export function recipeAgain({ waiting, ...recipe }: Shown<Recipe>): NewWrite {
  const id = newId();
  const { name, servings, yieldGrams, ingredients } = recipe;
  const body: RecipeInput = {
    ...{ id, name, servings },
    ...(yieldGrams !== undefined && { yieldGrams }),
    ingredients: ingredients.map((each) => (isRead(each) ? each : each.name)),
  };
  return { kind: 'recipe', id, op: 'add', body, preview: { ...recipe, id, version: 0 } as Recipe };
}

/** Whether the service has read the line of an ingredient; until then nothing but its text is known. */
export function isRead({ calories, foodId }: Recipe['ingredients'][number]): boolean {
  return calories !== undefined || foodId !== undefined;
}

export function foodAgain({ waiting, ...food }: Shown<Food>): NewWrite {
  const key = newId();
  const id = idOfFood(key);
  const body = { ...foodInputOf(food), id: key };
  return { kind: 'food', id, op: 'add', body, preview: { ...food, id, version: 0 } as Food };
}

/** The id of a food whose key this device chose, until the service tells the one that it has. */
export function idOfFood(key: string): string {
  return `manual:${key}`;
}

/** A food as it was entered. */
export function foodInputOf(food: Food): FoodInput {
  const { name, brand, barcode, aliases, servingSize, macros, unknown = [], shared } = food;
  const known = Object.entries(macros).filter(([key]) => !(unknown as string[]).includes(key));
  return {
    name,
    ...(brand !== undefined && { brand }),
    ...(barcode !== undefined && { barcode }),
    ...(aliases !== undefined && aliases.length > 0 && { aliases }),
    servingSize,
    ...(shared !== undefined && { shared }),
    macros: Object.fromEntries(known) as FoodInput['macros'],
  };
}

/** An entry under a new id: by its food, or by its values if its food was deleted. */
export function additionAgain({ waiting, ...entry }: ShownEntry): NewWrite {
  const id = newId();
  const { date, mealType, foodName, calories, protein, carbs, fat, fiber, sodium, nutrients } = entry;
  const { quantity, unit, addedMethod, eatenAt, note, foodId, recipeId, unknown } = entry;
  const rest = { id, date, mealType, addedMethod, eatenAt, note };
  const stated = Object.fromEntries(
    Object.entries({ calories, protein, carbs, fat }).filter(
      ([key]) => !(unknown as string[] | undefined)?.includes(key),
    ),
  );
  const bodyWithoutFood = {
    ...rest,
    foodName,
    ...stated,
    fiber,
    sodium,
    nutrients: furtherOf(nutrients),
    quantity,
    unit,
  };
  const hasFood = quantity !== undefined && unit !== undefined;
  const body =
    hasFood && foodId !== undefined
      ? { ...rest, foodId, quantity, unit }
      : hasFood && recipeId !== undefined
        ? { ...rest, recipeId, quantity, unit }
        : bodyWithoutFood;
  const preview: DiaryEntry = { ...entry, id, version: 0 };
  return { kind: 'entry', id, op: 'add', body, bodyWithoutFood, preview };
}
