import type { MealType } from 'larder-client';
import { MEALS } from './meal-names.ts';

/** Gives the focus to the button that adds to a meal, the first by default, after what had it has gone. */
export function focusMeal(meal: MealType = MEALS[0]!): void {
  const all = document.querySelectorAll<HTMLElement>('.meals .add');
  all[MEALS.indexOf(meal)]?.focus();
}
