import type { FoodId } from '../catalogue/food/food.ts';
import { AppError } from '../errors.ts';
import type { UnroundedAmounts } from './amount-basis.ts';
import type { Amounts, Rests } from './entry.ts';
import { type Snapshot, snapshotAt } from './snapshot.ts';
import { completeSums, type Sums, sumAmounts, toSums } from './totals.ts';
import { splitAmount } from './values/exact-amount.ts';
import { normaliseUnit } from './values/units.ts';

export const MAX_INGREDIENTS = 100;
export const MAX_SERVINGS = 1_000;
export const MAX_RECIPES_PER_USER = 5_000;

/** An ingredient's amounts at the time of writing; like an entry it does not follow its food. */
export interface Ingredient {
  readonly name: string;
  readonly foodId?: FoodId;
  readonly barcode?: string;
  readonly quantity?: number;
  readonly unit?: string;
  readonly amounts: Amounts;
  readonly rests?: Rests;
}

export interface Recipe {
  readonly id: string;
  readonly name: string;
  /** Number of servings of the whole recipe; may be a fraction. */
  readonly servings: number;
  readonly ingredients: readonly Ingredient[];
  readonly version: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Of the whole recipe. */
export function recipeTotals({ ingredients }: Pick<Recipe, 'ingredients'>): Sums {
  return toSums(sumAmounts(ingredients));
}

/** The amounts of one serving, without limits; only those that every ingredient has. */
export function servingAmounts(recipe: Pick<Recipe, 'ingredients' | 'servings'>): Amounts {
  const each = Object.entries(knownTotals(recipe)).map(([key, amount]) => [
    key,
    splitAmount(amount / recipe.servings)[0],
  ]);
  return Object.fromEntries(each);
}

/** The amounts of `quantity` servings. Throws `invalid_request` if they exceed an entry's limits. */
export function recipeAmounts(recipe: Recipe, quantity: number, unit: string): Snapshot {
  if (normaliseUnit(unit) !== 'serving') {
    throw new AppError({
      code: 'invalid_request',
      message: 'A recipe is counted in servings.',
      details: { fields: ['unit'], possible: ['serving'] },
    });
  }
  const whole = { amounts: knownTotals(recipe), quantity: recipe.servings, unit: 'serving' };
  return snapshotAt(whole, quantity, unit, recipe.name);
}

function knownTotals({ ingredients }: Pick<Recipe, 'ingredients'>): UnroundedAmounts {
  return completeSums(sumAmounts(ingredients));
}
