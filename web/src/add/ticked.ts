import { signal } from '@preact/signals';
import type { EatenFood, Food } from 'larder-client';
import type { TypedAmount } from '../amounts/amount-inputs.tsx';
import { nutrientsOf } from '../amounts/food-amounts.ts';
import { numberOf, typedAmount } from '../amounts/typed-number.ts';
import { larder } from '../larder.ts';
import { amountOf, keyOf } from '../offline/entries/recipe-food.ts';
import { furtherOf } from '../parts/nutrients.ts';
import type { NewFood } from '../today/day-store.ts';
import { startAmount } from './start-amount.ts';

/** A food that is added together with others. */
export interface Ticked {
  readonly key: string;
  readonly name: string;
  /** Absent for an eaten food that was not read yet, and for an entry without a food. */
  readonly food?: Food;
  readonly eaten?: EatenFood;
  /** Absent for an entry without an amount. */
  readonly amount?: TypedAmount;
}

/** Whether a tap ticks a food instead of opening it. */
export const isTicking = signal(false);
export const ticked = signal<readonly Ticked[]>([]);

export function toggle(one: Ticked): void {
  const others = ticked.value.filter(({ key }) => key !== one.key);
  const isNew = others.length === ticked.value.length;
  ticked.value = isNew ? [...others, one] : others;
  if (isNew && one.food === undefined && one.eaten?.foodId !== undefined)
    void readFood(one.key, one.eaten.foodId);
}

/** Reads the units of a food that was eaten before; without them its amount stays in its unit. */
async function readFood(key: string, id: string): Promise<void> {
  const food = await larder.foods.get(id).catch(() => undefined);
  if (food !== undefined) changeTicked(key, { food });
}

export function changeTicked(key: string, change: Partial<Ticked>): void {
  ticked.value = ticked.value.map((each) => (each.key === key ? { ...each, ...change } : each));
}

export function isTicked(key: string): boolean {
  return ticked.value.some((each) => each.key === key);
}

export function tickOfFood(food: Food): Ticked {
  return { key: keyOf(food), name: food.name, food, amount: startAmount(food) };
}

export function tickOfEaten(eaten: EatenFood): Ticked {
  const { quantity, unit = '' } = eaten;
  const amount = quantity === undefined ? {} : { amount: { quantity: typedAmount(quantity, unit), unit } };
  return { key: keyOfEaten(eaten), name: eaten.foodName, eaten, ...amount };
}

export function keyOfEaten({ foodId, recipeId, foodName }: EatenFood): string {
  return foodId ?? recipeId ?? foodName;
}

/** kcal, where they are known. */
export function energyOfTicked({ food, eaten, amount }: Ticked): number | undefined {
  const quantity = amount && numberOf(amount.quantity);
  if (food !== undefined && quantity !== undefined) {
    const { energy } = nutrientsOf(food, quantity, amount!.unit);
    if (energy !== undefined) return energy;
  }
  if (eaten === undefined || eaten.unknown?.includes('calories') === true) return undefined;
  if (amount !== undefined && amount.unit !== (eaten.unit ?? '')) return undefined;
  return eaten.calories * shareOf(eaten, quantity);
}

export function entryOfTicked({ food, eaten, amount }: Ticked): NewFood {
  if (food !== undefined && amount !== undefined)
    return amountOf(food, numberOf(amount.quantity), amount.unit);
  return entryAgain(eaten!, amount && numberOf(amount.quantity));
}

/** Repeats an amount, or another quantity of it: by its food or recipe, or by its values if it has neither. */
export function entryAgain(eaten: EatenFood, quantity = eaten.quantity): NewFood {
  const { foodId, recipeId, unit } = eaten;
  if (quantity !== undefined && unit !== undefined) {
    if (foodId !== undefined) return { foodId, quantity, unit };
    if (recipeId !== undefined) return { recipeId, quantity, unit };
  }
  const share = shareOf(eaten, quantity);
  const scaled = (value: number | undefined) =>
    value === undefined || share === 1 ? value : Math.round(value * share * 1_000) / 1_000;
  const { foodName, calories, fiber, sodium, nutrients, unknown } = eaten;
  const stated = Object.fromEntries(
    (['protein', 'carbs', 'fat'] as const)
      .filter((key) => unknown?.includes(key) !== true)
      .map((key) => [key, scaled(eaten[key])]),
  );
  return {
    ...{ foodName, calories: scaled(calories)!, ...stated, fiber: scaled(fiber), sodium: scaled(sodium) },
    nutrients: Object.fromEntries(Object.entries(furtherOf(nutrients)).map(([key, of]) => [key, scaled(of)])),
    ...{ quantity, unit },
  };
}

function shareOf(eaten: EatenFood, quantity: number | undefined): number {
  return quantity === undefined || eaten.quantity === undefined ? 1 : quantity / eaten.quantity;
}
