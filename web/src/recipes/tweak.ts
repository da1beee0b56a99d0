import type { Ingredient, NutrientsInput, Recipe } from 'larder-client';
import { FIELD_NAMES, furtherOf } from '../parts/nutrients.ts';
import type { NewFood } from '../today/day-store.ts';

const MAX_DECIMALS = 1000;

/** Shares of the ingredients of a recipe: 1 as it is written, 0 left out. */
export type Shares = readonly number[];

/**
 * A portion of a recipe whose amounts differ this once, as an entry of its own. `portion` is the share of the whole recipe. An
 * amount that one of the ingredients does not state is unknown, as in every entry; energy is the sum of what is stated.
 */
export function changedPortion(recipe: Recipe, shares: Shares, portion: number, name: string): NewFood {
  const taken = recipe.ingredients.map((ingredient, at) => ({ ingredient, share: shares[at] ?? 1 }));
  const isUsed = taken.filter(({ share }) => share > 0);
  const sum = (read: (ingredient: Ingredient) => number | undefined) => {
    const values = isUsed.map(({ ingredient, share }) => ({ value: read(ingredient), share }));
    if (values.some(({ value }) => value === undefined)) return undefined;
    return rounded(values.reduce((total, { value, share }) => total + value! * share, 0) * portion);
  };
  const amounts = Object.fromEntries(
    FIELD_NAMES.map((key) => [key, sum((ingredient) => ingredient[key])]).filter(
      ([, value]) => value !== undefined,
    ),
  );
  const keys = new Set(recipe.ingredients.flatMap(({ nutrients }) => Object.keys(furtherOf(nutrients))));
  const nutrients = Object.fromEntries(
    [...keys]
      .map((key) => [key, sum(({ nutrients }) => nutrients?.[key as keyof NutrientsInput])] as const)
      .filter(([, value]) => value !== undefined),
  );
  const calories = rounded(
    isUsed.reduce((total, { ingredient, share }) => total + (ingredient.calories ?? 0) * share, 0) * portion,
  );
  return { foodName: name, ...amounts, calories, nutrients };
}

function rounded(value: number): number {
  return Math.round(value * MAX_DECIMALS) / MAX_DECIMALS;
}
