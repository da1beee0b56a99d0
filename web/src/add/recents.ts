import { effect, signal } from '@preact/signals';
import type { DiaryEntry, EatenFood, MealType } from 'larder-client';
import { shifted } from '../days.ts';
import type { Diary } from '../diary/diary.ts';
import { diary } from '../diary/shown-diary.ts';
import { day, entriesAt } from '../today/day-store.ts';

/** What was eaten before, by the diary that is shown. */
export const recents = signal<readonly EatenFood[]>([]);
/** Whether they were read once, or could not be. */
export const areRecentsRead = signal(false);
/** What was eaten at the same meal of the day before. */
export const yesterday = signal<readonly DiaryEntry[]>([]);

// Never show one person the recent foods of another.
effect(() => {
  if (diary.value === undefined) return;
  recents.value = [];
  yesterday.value = [];
});

/** Leaves the list as it is where it cannot be read: it is an offer. */
export async function loadRecents(of: Diary): Promise<void> {
  const read = await of.recents().catch(() => undefined);
  if (read !== undefined && of === diary.peek()) recents.value = read;
  areRecentsRead.value = true;
}

/** Reads the day before from this device if it is kept. Leaves the list empty where it cannot be read: it is an offer. */
export async function loadYesterday(of: Diary, meal: MealType): Promise<void> {
  yesterday.value = [];
  const all = await entriesAt(of, shifted(day.peek(), -1)).catch(() => []);
  if (of === diary.peek()) yesterday.value = all.filter(({ mealType }) => mealType === meal);
}

/** Foods of this meal first, each group in the order in which they were eaten last. */
export function recentsFor(meal: MealType, words = ''): EatenFood[] {
  const wanted = folded(words).split(' ').filter(Boolean);
  return recents.value
    .filter(({ foodName }) => {
      const name = ` ${folded(foodName)}`;
      return wanted.every((word) => name.includes(` ${word}`));
    })
    .toSorted((a, b) => Number(b.mealType === meal) - Number(a.mealType === meal));
}

/** The amount of a food or recipe that was eaten last. */
export function recentAmount(id: string): { quantity: number; unit: string } | undefined {
  const eaten = recents.peek().find((each) => each.foodId === id || each.recipeId === id);
  if (eaten?.quantity === undefined || eaten.unit === undefined) return undefined;
  return { quantity: eaten.quantity, unit: eaten.unit };
}

export function wasEaten(foodId: string): boolean {
  return recents.peek().some((each) => each.foodId === foodId);
}

/** Words without accents and signs. */
export function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
