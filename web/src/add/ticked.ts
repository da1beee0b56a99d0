import { signal } from '@preact/signals';
import type { EatenFood, Food } from 'larder-client';
import { amountOf } from '../offline/entries/recipe-food.ts';
import type { NewFood } from '../today/day-store.ts';
import { startAmount } from './units.ts';

/** A food that is added together with others. */
export interface Ticked {
  readonly key: string;
  readonly name: string;
  readonly energy: number | undefined;
  readonly amount: string;
  readonly entry: NewFood;
}

/** Whether a tap ticks a food instead of opening it. */
export const isTicking = signal(false);
export const ticked = signal<readonly Ticked[]>([]);

export function toggle(one: Ticked): void {
  const others = ticked.value.filter(({ key }) => key !== one.key);
  ticked.value = others.length < ticked.value.length ? others : [...others, one];
}

export function isTicked(key: string): boolean {
  return ticked.value.some((each) => each.key === key);
}

export function tickOfFood(food: Food): Ticked {
  const { quantity, unit } = startAmount(food);
  return {
    key: food.id,
    name: food.name,
    energy: food.unknown?.includes('energy') === true ? undefined : food.macros.energy,
    amount: `${quantity} ${unit}`,
    entry: amountOf(food, Number(quantity), unit),
  };
}

export function tickOfEaten(eaten: EatenFood): Ticked {
  return {
    key: keyOfEaten(eaten),
    name: eaten.foodName,
    energy: eaten.calories,
    amount: eaten.quantity === undefined ? '' : `${eaten.quantity} ${eaten.unit ?? ''}`,
    entry: entryAgain(eaten),
  };
}

export function keyOfEaten({ foodId, recipeId, foodName }: EatenFood): string {
  return foodId ?? recipeId ?? foodName;
}

/** Repeats an amount: by its food or recipe, or by its values if it has neither. */
export function entryAgain(eaten: EatenFood): NewFood {
  const { foodId, recipeId, quantity, unit } = eaten;
  if (quantity !== undefined && unit !== undefined) {
    if (foodId !== undefined) return { foodId, quantity, unit };
    if (recipeId !== undefined) return { recipeId, quantity, unit };
  }
  const { foodName, calories, fiber, sodium, nutrients, unknown } = eaten;
  const stated = Object.fromEntries(
    (['protein', 'carbs', 'fat'] as const)
      .filter((key) => unknown?.includes(key) !== true)
      .map((key) => [key, eaten[key]]),
  );
  return { foodName, calories, ...stated, fiber, sodium, nutrients, quantity, unit };
}
