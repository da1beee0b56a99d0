import { signal } from '@preact/signals';
import type { DiaryEntry, EatenFood, MealType } from 'larder-client';
import { shifted } from '../days.ts';
import { larder } from '../larder.ts';
import { local } from '../offline/device.ts';
import { day, entriesAt } from '../today/day-store.ts';

export const recents = signal<readonly EatenFood[]>([]);
/** What was eaten at the same meal of the day before. */
export const yesterday = signal<readonly DiaryEntry[]>([]);

const MAX_RECENTS = 50;

/** From what this device keeps, which the feed of changes keeps up to date; from the service where nothing is kept. */
export async function loadRecents(): Promise<void> {
  const { copy, userId } = local();
  const kept = await copy.note('recents').catch(() => undefined);
  const { foods } = larder.user(userId);
  recents.value = kept ?? (await foods.recent({ limit: MAX_RECENTS }).catch(() => recents.peek()));
}

/** Reads the day before from this device if it is kept. Leaves the list empty where it cannot be read: it is an offer. */
export async function loadYesterday(meal: MealType): Promise<void> {
  yesterday.value = [];
  const all = await entriesAt(shifted(day.peek(), -1)).catch(() => []);
  yesterday.value = all.filter(({ mealType }) => mealType === meal);
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
