import type { FoodId } from '../catalogue/food.ts';
import { AppError } from '../errors.ts';
import { parseQuantity } from './convert.ts';
import type { Amounts } from './entry.ts';
import { scaleAmounts } from './snapshot.ts';
import { scale, toDecimal } from './thousandths.ts';
import { sumAmounts, type Totals } from './totals.ts';
import { normaliseUnit } from './unit.ts';

export const MAX_INGREDIENTS = 100;
export const MAX_SERVINGS = 1_000;
export const MAX_RECIPES_PER_USER = 5_000;

/** What an ingredient held when the recipe was written; like an entry it does not follow its food. */
export interface Ingredient {
  readonly name: string;
  readonly foodId?: FoodId;
  readonly barcode?: string;
  readonly quantity?: number;
  readonly unit?: string;
  readonly amounts: Amounts;
}

export interface Recipe {
  readonly id: string;
  readonly name: string;
  /** How many servings the whole recipe makes; may be a fraction. */
  readonly servings: number;
  readonly ingredients: readonly Ingredient[];
  readonly version: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Of the whole recipe. */
export function recipeTotals({ ingredients }: Pick<Recipe, 'ingredients'>): Totals {
  return sumAmounts(ingredients);
}

/** The amounts of one serving, without any limit; fiber and sodium only where every ingredient states them. */
export function servingAmounts(recipe: Pick<Recipe, 'ingredients' | 'servings'>): Amounts {
  const whole = Object.entries(knownTotals(recipe)).map(([key, amount]) => [
    key,
    scale(toDecimal(amount), 1 / recipe.servings),
  ]);
  return Object.fromEntries(whole);
}

/** What `quantity` servings hold; throws `invalid_request` when one entry cannot hold that much. */
export function recipeAmounts(recipe: Recipe, quantity: number, unit: string): Amounts {
  if (normaliseUnit(unit) !== 'serving') {
    throw new AppError({
      code: 'invalid_request',
      message: 'A recipe is counted in servings.',
      details: { fields: ['unit'], possible: ['serving'] },
    });
  }
  return scaleAmounts(knownTotals(recipe), parseQuantity(quantity) / recipe.servings);
}

function knownTotals(recipe: Pick<Recipe, 'ingredients'>): Amounts {
  const { fiber, sodium, ...required } = recipeTotals(recipe);
  const known = (key: 'fiber' | 'sodium') =>
    recipe.ingredients.every(({ amounts }) => amounts[key] !== undefined);
  return { ...required, ...(known('fiber') && { fiber }), ...(known('sodium') && { sodium }) };
}
