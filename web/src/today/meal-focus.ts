import type { MealType } from 'larder-client';
import { MEALS } from './meal-names.ts';

/** Moves the focus to a meal's "add" button, the first by default, after the focused element was removed. */
export function focusMeal(meal: MealType = MEALS[0]!): void {
  const all = document.querySelectorAll<HTMLElement>('.meals .add');
  all[MEALS.indexOf(meal)]?.focus();
}
