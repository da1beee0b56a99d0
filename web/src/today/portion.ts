import type { DiaryEntry, NutrientsInput } from 'larder-client';
import type { NewFood } from './day-store.ts';

const MAX_DECIMALS = 1000;

/**
 * The food of somebody else's entry as an own one, so many times. Foods of the catalogue stay linked; what may be theirs alone, as
 * their recipes are, is copied with its values.
 */
export function portionOf(entry: DiaryEntry, times: number): NewFood {
  const { foodName, foodId, quantity, unit, nutrients = {}, unknown = [] } = entry;
  const scaled = (value: number) => Math.round(value * times * MAX_DECIMALS) / MAX_DECIMALS;
  const amount = quantity === undefined ? {} : { quantity: scaled(quantity), unit };
  if (foodId !== undefined && !foodId.startsWith('manual:') && quantity !== undefined && unit !== undefined)
    return { foodId, quantity: scaled(quantity), unit };
  const { calories, protein, carbs, fat, fiber, sodium } = entry;
  const stated = Object.entries({ protein, carbs, fat, fiber, sodium })
    .filter(([key, value]) => value !== undefined && !(unknown as string[]).includes(key))
    .map(([key, value]) => [key, scaled(value!)]);
  return {
    foodName,
    calories: scaled(calories),
    ...Object.fromEntries(stated),
    nutrients: Object.fromEntries(
      Object.entries(nutrients).map(([key, value]) => [key, scaled(value as number)]),
    ) as NutrientsInput,
    ...amount,
  };
}
