import type { MealType } from 'larder-client';
import { preferences } from '../preferences.ts';
import { texts } from '../texts/texts.ts';

export const MEALS: readonly MealType[] = ['breakfast', 'lunch', 'dinner', 'snacks'];

/** What a meal is called: by a name of one's own, or by that of the language. */
export function mealWords(meal: MealType): { readonly name: string; readonly addTo: string } {
  const { meals, addTo, addToNamed } = texts.value;
  const own = preferences.value.mealNames?.[meal];
  return own === undefined
    ? { name: meals[meal], addTo: addTo[meal] }
    : { name: own, addTo: addToNamed(own) };
}

/** The meal that is usual at this hour of this device's clock. */
export function mealOfHour(hour = new Date().getHours()): MealType {
  if (hour >= 4 && hour < 11) return 'breakfast';
  if (hour >= 11 && hour < 15) return 'lunch';
  return hour >= 17 && hour < 22 ? 'dinner' : 'snacks';
}
