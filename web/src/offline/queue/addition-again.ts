import type { DiaryEntry } from 'larder-client';
import { newId } from '../ids.ts';
import type { NewWrite, ShownEntry } from './writes.ts';

/** An entry under a new id: by its food, or by its values if its food was deleted. */
export function additionAgain({ waiting, ...entry }: ShownEntry): NewWrite {
  const id = newId();
  const { date, mealType, foodName, calories, protein, carbs, fat, fiber, sodium, nutrients } = entry;
  const { quantity, unit, addedMethod, eatenAt, note, foodId, recipeId, unknown } = entry;
  const rest = { id, date, mealType, addedMethod, eatenAt, note };
  const stated = Object.fromEntries(
    Object.entries({ protein, carbs, fat }).filter(
      ([key]) => !(unknown as string[] | undefined)?.includes(key),
    ),
  );
  const bodyWithoutFood = {
    ...rest,
    foodName,
    calories,
    ...stated,
    fiber,
    sodium,
    nutrients,
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
