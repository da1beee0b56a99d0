import type { Food, Recipe } from 'larder-client';
import { unitName } from '../../amounts/amount-text.ts';

/** The food, or the recipe that it stands for, as entries and favourites name it. */
export function referenceOf({ id, recipeId }: Food) {
  return recipeId === undefined ? { foodId: id } : { recipeId };
}

/** The id of the food, or of the recipe that it stands for. */
export function keyOf({ id, recipeId }: Food): string {
  return recipeId ?? id;
}

/** An amount of a food, or of the recipe that it stands for, as entries name it. */
export function amountOf(food: Food, quantity: number, unit: string) {
  return { ...referenceOf(food), quantity, unit, food };
}

/** The id of the food that stands for a recipe. */
export function recipeFoodId(recipeId: string): string {
  return `recipe:${recipeId}`;
}

const LABELS = { energy: 'calories', protein: 'protein', fat: 'fat', carbohydrates: 'carbs' } as const;

/**
 * The recipe in the form of a food, by which its entries are shown before the service has computed them. What one of its ingredients
 * does not state is unknown, as in entries.
 */
export function asFood({
  id,
  name,
  servings,
  yieldGrams,
  perServing,
  total,
  createdAt,
  updatedAt,
}: Recipe): Food {
  const keys = Object.keys(LABELS) as (keyof typeof LABELS)[];
  const macrosOf = (amounts: Recipe['perServing'], factor = 1) =>
    Object.fromEntries(keys.map((key) => [key, (amounts[LABELS[key]] ?? 0) * factor])) as Food['macros'];
  const unknown = keys.filter(
    (key) => perServing[LABELS[key]] === undefined || perServing.unknown?.includes(LABELS[key]),
  );
  const macros = macrosOf(perServing);
  const known = keys.filter((key) => !unknown.includes(key));
  const grams = yieldGrams === undefined ? undefined : yieldGrams / servings;
  const serving = { value: 1, unit: 'serving', label: `1 ${unitName('serving')}` };
  return {
    ...{ id: recipeFoodId(id), recipeId: id, name, servingSize: serving, macros },
    nutrients: Object.fromEntries(known.map((key) => [key, macros[key]])),
    servings: [{ ...serving, ...(grams !== undefined && { grams }) }],
    ...(yieldGrams !== undefined && { per100: macrosOf(total, 100 / yieldGrams) }),
    ...(unknown.length > 0 && { unknown }),
    ...{ source: 'manual_entry', createdAt, updatedAt },
  };
}
