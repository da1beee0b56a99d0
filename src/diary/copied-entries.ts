import { shareOf } from './change-entry.ts';
import type { NewEntry } from './chosen-entries.ts';
import { MAX_COPIED_ENTRIES, tooManyCopies } from './diary-errors.ts';
import { parseDay } from './records/day.ts';
import type { DiaryEntry, MealType } from './records/entry.ts';

export interface CopyOrder {
  readonly from: string;
  readonly to: string;
  /** Copies only this meal; by default the whole day. */
  readonly mealType?: MealType | undefined;
  /** The meal of the copies; by default their own. */
  readonly toMealType?: MealType | undefined;
  /** The share of each entry that is copied, such as 0.5; by default all of it. */
  readonly portion?: number | undefined;
}

/**
 * Returns copies of these entries of one day, without the times of eating. Copies from another diary have no
 * notes and recipes, because these belong to that diary.
 */
export function copiedEntries(
  entries: readonly DiaryEntry[],
  { to, mealType, toMealType, portion = 1 }: CopyOrder,
  isOwn: boolean,
): NewEntry[] {
  const date = parseDay(to, 'to');
  const chosen = entries.filter((entry) => mealType === undefined || entry.mealType === mealType);
  if (chosen.length > MAX_COPIED_ENTRIES) throw tooManyCopies();
  return chosen.map(({ eatenAt: _, note, recipeId, ...entry }) => ({
    ...shareOf(entry, portion),
    ...(isOwn && note !== undefined && { note }),
    ...(isOwn && recipeId !== undefined && { recipeId }),
    date,
    mealType: toMealType ?? entry.mealType,
  }));
}
