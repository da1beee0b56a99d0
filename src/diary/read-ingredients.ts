import { AppError } from '@larder/core/errors.ts';
import { FOOD_LANGUAGES } from '@larder/core/food-languages.ts';
import type { FoodDirectory } from '../foods/visible-foods.ts';
import { givenOf } from './entry-input.ts';
import type { PortionInput } from './portion.ts';
import { flatAmounts, statedIn } from './records/amount-fields.ts';
import { AMOUNT_KEYS, type AmountKey, isMainAmount, MAIN_AMOUNTS } from './records/entry.ts';
import { toDecimal } from './records/exact-amount.ts';
import type { Ingredient } from './records/recipe.ts';

/**
 * An ingredient is a food or typed values; recipes cannot be nested. With `name` it has the form of a
 * response, so that clients can send back a response.
 */
export type IngredientInput = Omit<PortionInput, 'recipeId'> & {
  readonly name?: string | undefined;
  /** The line of text that named the ingredient, for display. */
  readonly text?: string | undefined;
};

type NamesOfFoods = Pick<FoodDirectory, 'nameInLanguages'>;

/**
 * Reads ingredients in the form of a response: `name`, amounts and, of a food, `foodId`, `barcode`, `quantity` and
 * `unit`.
 *
 * - An unchanged ingredient is kept, even if its food has changed or is gone.
 * - If the food, its quantity or unit is new for this recipe, the amounts are computed from the food.
 * - Without a food, `name` and amounts are typed values.
 */
export class ReadIngredients {
  readonly #known: readonly Ingredient[];
  readonly #foods: NamesOfFoods;
  readonly #kept = new Set<Ingredient>();

  /** `known` are the ingredients of the recipe that is changed. */
  constructor(known: readonly Ingredient[], foods: NamesOfFoods) {
    this.#known = known;
    this.#foods = foods;
  }

  /** Finds the recipe's ingredient that was sent back unchanged. Equal ingredients are found once each. */
  keep(input: IngredientInput): Ingredient | undefined {
    const same = this.#known.filter((known) => isSame(known, input) && this.#isNamedAlike(known, input));
    const free = same.filter((known) => !this.#kept.has(known));
    const kept = free.find(({ text }) => text === input.text) ?? free[0] ?? same[0];
    if (kept === undefined) return undefined;
    this.#kept.add(kept);
    return input.text === undefined ? kept : { ...kept, text: input.text };
  }

  /**
   * Converts another ingredient in the form of a response to that of a new one. Throws `invalid_request` for changed
   * amounts of a food.
   */
  toPortionInput({ name, text: _, ...input }: IngredientInput): PortionInput {
    if (name === undefined) {
      givenOf(input, SOURCES, ', or the line of text alone, such as "2 eggs"');
      return input;
    }
    if (input.foodName !== undefined)
      throw invalid(['name', 'foodName'], 'Give "name" or "foodName", not both.');
    const { foodId, barcode, quantity, unit } = input;
    if (foodId === undefined && barcode === undefined) return { ...this.#typed(name, input), foodName: name };
    if (this.#known.some((known) => isSamePortion(known, input))) {
      throw invalid(
        ['name', ...([...MAIN_AMOUNTS, 'nutrients'] as const).filter((key) => input[key] !== undefined)],
        'Name and amounts come from the food; to state others leave out "foodId" and "barcode".',
      );
    }
    return { ...(foodId === undefined ? { barcode } : { foodId }), quantity, unit };
  }

  /** The name of a food may come back in another language. */
  #isNamedAlike({ name, foodId: id }: Ingredient, { name: given }: IngredientInput): boolean {
    if (given === name) return true;
    if (id === undefined || given === undefined) return false;
    return FOOD_LANGUAGES.some((code) => this.#foods.nameInLanguages({ id, name }, [code])?.name === given);
  }

  /** Typed values, of which those count that differ from the ingredient that was read. */
  #typed(name: string, input: PortionInput): PortionInput {
    const read = this.#known.find((known) => known.name === name && isSamePortion(known, input));
    const amounts = Object.entries(flatAmounts(input, read?.amounts)) as [AmountKey, number][];
    return {
      ...input,
      ...Object.fromEntries(amounts.filter(([key]) => isMainAmount(key))),
      nutrients: Object.fromEntries(amounts.filter(([key]) => !isMainAmount(key))),
    };
  }
}

const SOURCES = ['foodName', 'foodId', 'barcode'] as const;

/** Whether food, quantity and unit are equal. */
function isSamePortion(known: Ingredient, input: PortionInput): boolean {
  return (
    known.foodId === input.foodId &&
    known.barcode === input.barcode &&
    known.quantity === input.quantity &&
    known.unit === input.unit
  );
}

function isSame(known: Ingredient, input: IngredientInput): boolean {
  // Clients that do not know `nutrients` send back the other amounts.
  const keys = input.nutrients === undefined ? MAIN_AMOUNTS : AMOUNT_KEYS;
  return (
    input.foodName === undefined &&
    isSamePortion(known, input) &&
    keys.every((key) => {
      const amount = known.amounts[key];
      const given = statedIn(input, key);
      return amount === undefined
        ? given.length === 0
        : given.length > 0 && given.every((each) => each === toDecimal(amount));
    })
  );
}

function invalid(fields: readonly string[], message: string): AppError {
  return new AppError({ code: 'invalid_request', message, details: { fields } });
}
