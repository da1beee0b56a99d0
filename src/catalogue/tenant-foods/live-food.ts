import type { Food, FoodId } from '../food/food.ts';

/**
 * Owner of the foods that outside services answered with, which all tenants share. No tenant can have this name.
 */
export const EVERY_TENANT = '*';

/** A food that came through the API and not with a catalogue. */
export interface LiveFood {
  readonly tenant: string;
  readonly food: Food;
  /** Grows with every write to any live food; what a client sees as the food's ETag. */
  readonly revision: number;
}

/** One write, as read by those who keep live foods in memory. */
export interface LiveFoodChange {
  readonly tenant: string;
  readonly id: FoodId;
  readonly revision: number;
  /** Absent when the food was deleted. */
  readonly food?: Food;
}
