import type { Food, Ingredient, Nutrients, Recipe, RecipeInput } from 'larder-client';
import { nutrientsOf } from '../amounts/food-amounts.ts';
import { sumsOf } from '../offline/entries/day-sums.ts';
import { FIELD_NAMES, FIELDS } from '../parts/nutrients.ts';
import type { LinePart, RecipeLine } from './lines.ts';

/** Who has the recipe, and what it was before. */
type Before = Pick<Recipe, 'id' | 'userId'> & Partial<Recipe>;

/** A recipe as far as this device can tell what the service will make of an input with these lines. */
export function previewOf(input: RecipeInput, lines: readonly RecipeLine[], before: Before): Recipe {
  const { name, servings, yieldGrams } = input;
  const now = new Date().toISOString();
  const ingredients = lines.flatMap(ingredientsOfLine);
  const total = sumsOf(ingredients);
  return {
    ...{ id: before.id, userId: before.userId, version: before.version ?? 0, name, servings },
    ...(yieldGrams !== undefined && { yieldGrams }),
    ...{ ingredients, total, perServing: shareOf(total, servings) },
    ...{ createdAt: before.createdAt ?? now, updatedAt: now },
  };
}

/** What a line has is unknown until the service reads it. */
function ingredientsOfLine({ text, kept, parts }: RecipeLine): readonly Ingredient[] {
  if (kept.length > 0) return kept;
  return parts.length === 0
    ? [{ name: text, text, nutrients: {} }]
    : parts.flatMap((part) => ingredientsOfPart(text, part));
}

/** None of a part that is left out. */
function ingredientsOfPart(text: string, part: LinePart): readonly Ingredient[] {
  const { item, food, amount, unit, energy: calories } = part;
  if (calories === undefined) return [];
  if (food === undefined || amount === undefined)
    return [{ name: item.text, calories, nutrients: { energy: calories }, text }];
  return [{ name: food.name, foodId: food.id, quantity: amount, unit, text, ...amountsOf(food, amount) }];
}

function amountsOf(food: Food, amount: number): Partial<Ingredient> & Pick<Ingredient, 'nutrients'> {
  const known = Object.entries(nutrientsOf(food, amount, food.servingSize.unit)).map(
    ([key, value]) => [key, rounded(value)] as const,
  );
  const nutrients: Nutrients = Object.fromEntries(known);
  const fields = FIELD_NAMES.filter((key) => nutrients[FIELDS[key]] !== undefined);
  return { ...Object.fromEntries(fields.map((key) => [key, nutrients[FIELDS[key]]])), nutrients };
}

/** A sum of nothing that is stated is no amount. */
function shareOf(
  { nutrients, unknown = [], ...sums }: Recipe['total'],
  servings: number,
): Recipe['perServing'] {
  const share = (amounts: object) =>
    Object.fromEntries(
      Object.entries(amounts)
        .filter(([key, value]) => value > 0 || !(unknown as string[]).includes(key))
        .map(([key, value]) => [key, rounded(value / servings)]),
    );
  return { ...share(sums), nutrients: share(nutrients), ...(unknown.length > 0 && { unknown }) };
}

function rounded(amount: number): number {
  return Math.round(amount * 1_000) / 1_000;
}
