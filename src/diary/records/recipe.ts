import { AppError } from '@larder/core/errors.ts';
import type { FoodId } from '@larder/core/food.ts';
import type { TextItem } from '@larder/text/parse/read-text.ts';
import type { Amounts, Rests } from './entry.ts';
import { splitAmount } from './exact-amount.ts';
import { type Snapshot, snapshotAt, type UnroundedAmounts } from './snapshot.ts';
import { completeSums, type PartSums, type Sums, sumAmounts, toPartSums, toSums } from './totals.ts';
import { normaliseUnit } from './units.ts';

export const MAX_INGREDIENTS = 100;
export const MAX_SERVINGS = 1_000;
export const MIN_YIELD_GRAMS = 1;
export const MAX_YIELD_GRAMS = 1_000_000;
export const MAX_RECIPES_PER_USER = 5_000;

/** An ingredient with its amounts at the time of writing; like an entry it is not updated with its food. */
export interface Ingredient extends Partial<Interpretation> {
  readonly name: string;
  /** The line of text that named the ingredient. */
  readonly text?: string;
  readonly foodId?: FoodId;
  readonly barcode?: string;
  readonly quantity?: number;
  readonly unit?: string;
  readonly amounts: Amounts;
  readonly rests?: Rests;
}

/**
 * The interpretation of a text; absent for ingredients that a person stated. `assumed` is absent if nothing was
 * assumed.
 */
export type Interpretation = Pick<TextItem, 'confidence' | 'note'> & Partial<Pick<TextItem, 'assumed'>>;

export interface Recipe {
  readonly id: string;
  readonly name: string;
  /** Number of servings of the whole recipe; may be a fraction. */
  readonly servings: number;
  /** The weight of the cooked whole. */
  readonly yieldGrams?: number;
  readonly ingredients: readonly Ingredient[];
  readonly version: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The totals of the whole recipe. */
export function recipeTotals({ ingredients }: Pick<Recipe, 'ingredients'>): Sums {
  return toSums(sumAmounts(ingredients));
}

/** The totals of one serving. */
export function servingTotals({ ingredients, servings }: Pick<Recipe, 'ingredients' | 'servings'>): PartSums {
  return toPartSums(sumAmounts(ingredients), servings);
}

/** The amounts of one serving without limits; only those that every ingredient states. */
export function servingAmounts(recipe: Pick<Recipe, 'ingredients' | 'servings'>): Amounts {
  const each = Object.entries(recipeUnroundedTotals(recipe)).map(([key, amount]) => [
    key,
    splitAmount(amount / recipe.servings)[0],
  ]);
  return Object.fromEntries(each);
}

/**
 * The amounts of `quantity` servings, or of a weight if the weight of the whole is known. Throws `invalid_request` if
 * they exceed an entry's limits.
 */
export function recipeAmounts(recipe: Recipe, quantity: number, unit: string): Snapshot {
  const { servings, yieldGrams, name } = recipe;
  const whole = { amounts: recipeUnroundedTotals(recipe), quantity: servings, unit: 'serving' };
  if (yieldGrams !== undefined) {
    const serving = { value: 1, unit: 'serving', basisAmount: yieldGrams / servings };
    return snapshotAt({ ...whole, food: { basis: 'g', servings: [serving] } }, quantity, unit, name);
  }
  if (normaliseUnit(unit) === 'serving') return snapshotAt(whole, quantity, unit, name);
  throw new AppError({
    code: 'invalid_request',
    message: 'A recipe without "yieldGrams" is counted in servings.',
    details: { fields: ['unit'], possible: ['serving'] },
  });
}

/** The totals of the whole recipe, only those that every ingredient states. */
export function recipeUnroundedTotals({ ingredients }: Pick<Recipe, 'ingredients'>): UnroundedAmounts {
  return completeSums(sumAmounts(ingredients));
}
