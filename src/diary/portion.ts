import { findScannedCode, parseBarcode } from '@larder/core/codes/scanned-code.ts';
import { AppError } from '@larder/core/errors.ts';
import { type Food, type FoodId, recipeIdOf } from '@larder/core/food.ts';
import { findUnderId } from '../base/time-ordered-id.ts';
import type { FoodDirectory } from '../foods/visible-foods.ts';
import { type EntryInput, SOURCE_FIELDS, sourceOf } from './entry-input.ts';
import { flatAmounts } from './records/amount-fields.ts';
import {
  type Amounts,
  type BasisText,
  type DecimalAmounts,
  type DiaryOwner,
  parseAmounts,
  parseFoodName,
  parseUnit,
} from './records/entry.ts';
import { aboutField } from './records/invalid-field.ts';
import { recipeAmounts } from './records/recipe.ts';
import { snapshotOf } from './records/snapshot.ts';
import { parseQuantity } from './records/unit-conversion.ts';
import type { DiaryStore } from './store/diary-store.ts';

/** A food with quantity and amounts: an entry without its date, or an ingredient. */
export interface Portion {
  readonly foodName: string;
  readonly amounts: Amounts;
  readonly basis?: BasisText;
  readonly foodId?: FoodId;
  readonly barcode?: string;
  readonly recipeId?: string;
  readonly quantity?: number;
  readonly unit?: string;
}

/** The input for one portion. */
export type PortionInput = Omit<EntryInput, 'date' | 'mealType' | 'addedMethod' | 'eatenAt' | 'note'>;

export interface PortionOptions {
  /** Users of the tenant whose recipes, and foods by their ids, may be used, besides those of the owner. */
  readonly sharers?: readonly string[] | undefined;
  readonly store: DiaryStore;
  readonly foods: FoodDirectory;
}

/** Finds the food and computes its current amounts. */
export async function toPortion(
  stated: PortionInput,
  owner: DiaryOwner,
  options: PortionOptions,
): Promise<Portion> {
  const input = withScannedAmount(withRecipe(stated));
  const source = sourceOf(input, SOURCE_FIELDS);
  if (source === 'foodName') return typedPortion(input);
  // `sourceOf` has checked that both exist.
  const quantity = input.quantity!;
  const unit = parseUnit(input.unit!);
  if (source === 'recipeId') {
    const recipe = await findRecipe(input.recipeId!, owner, options);
    const snapshot = recipeAmounts(recipe, quantity, unit);
    return { foodName: recipe.name, ...snapshot, recipeId: recipe.id, quantity, unit };
  }
  const isById = source === 'foodId';
  const viewer = { ...owner, sharers: options.sharers };
  let food: Food;
  try {
    food = await options.foods[isById ? 'getById' : 'getByBarcode'](viewer, input[source]!);
  } catch (error) {
    throw aboutField(source, error);
  }
  const barcode = isById ? food.barcode : parseBarcode(input.barcode!);
  return {
    foodName: food.name,
    ...snapshotOf(await options.foods.withAllNutrients(food), quantity, unit),
    foodId: food.id,
    ...(barcode !== undefined && { barcode }),
    quantity,
    unit,
  };
}

/** Takes the food of a recipe as the recipe. */
export function withRecipe<Input extends PortionInput>(input: Input): Input {
  const recipeId = input.foodId === undefined ? undefined : recipeIdOf(input.foodId);
  if (recipeId === undefined || input.recipeId !== undefined) return input;
  const { foodId: _, ...others } = input;
  return { ...others, recipeId } as Input;
}

/** A code that reliably states its weight or volume needs no other amount. */
export function withScannedAmount<Input extends PortionInput>(input: Input): Input {
  if (input.barcode === undefined || input.quantity !== undefined || input.unit !== undefined) return input;
  const amount = findScannedCode(input.barcode)?.facts?.amount;
  if (amount === undefined || amount.assumed) return input;
  return { ...input, quantity: amount.quantity, unit: amount.unit };
}

/** Uses the typed amounts; quantity and unit only describe them. */
function typedPortion(input: PortionInput): Portion {
  const { quantity, unit } = input;
  return {
    foodName: parseFoodName(input.foodName!),
    amounts: parseAmounts(flatAmounts(input) as DecimalAmounts),
    ...(quantity !== undefined && { quantity: parseQuantity(quantity) }),
    ...(unit !== undefined && { unit: parseUnit(unit) }),
  };
}

async function findRecipe(id: string, owner: DiaryOwner, { store, sharers = [] }: PortionOptions) {
  const recipe =
    (await findUnderId(id, (known) => store.recipes.find(owner, known))) ??
    (await findUnderId(id, (known) => store.recipes.findOf(owner.tenant, sharers, known)));
  if (recipe !== undefined) return recipe;
  throw new AppError({
    code: 'recipe_not_found',
    message: 'There is no recipe with this id.',
    details: { fields: ['recipeId'] },
  });
}
