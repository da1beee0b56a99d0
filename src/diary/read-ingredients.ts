import { AppError } from '@larder/core/errors.ts';
import { givenOf } from './entry-input.ts';
import type { PortionInput } from './portion.ts';
import { flatAmounts } from './records/amount-fields.ts';
import { AMOUNT_KEYS, MAIN_AMOUNTS } from './records/entry.ts';
import { toDecimal } from './records/exact-amount.ts';
import type { Ingredient } from './records/recipe.ts';

/**
 * An ingredient is a food or typed values; recipes cannot be nested. With `name` it has the form of an answer, so that
 * what was read can be sent back.
 */
export type IngredientInput = Omit<PortionInput, 'recipeId'> & {
  readonly name?: string | undefined;
  /** The line that the ingredient stands for, for display. */
  readonly text?: string | undefined;
};

/**
 * Reads ingredients that come in the form of an answer: `name`, amounts and, of a food, `foodId`, `barcode`, `quantity`
 * and `unit`.
 *
 *   - sent back as it was read: the ingredient is kept, whatever became of its food
 *   - of a food, with another quantity or unit, or of another recipe: the amounts are computed from the food
 *   - of no food: `name` and amounts are what was typed
 */
export class ReadIngredients {
  readonly #known: readonly Ingredient[];
  readonly #kept = new Set<Ingredient>();

  /** `known` are those of the recipe that is changed. */
  constructor(known: readonly Ingredient[]) {
    this.#known = known;
  }

  /** The ingredient of the recipe that was sent back as it was read; of several alike each once, as long as there are. */
  keep(input: IngredientInput): Ingredient | undefined {
    const same = this.#known.filter((known) => isSame(known, input));
    const free = same.filter((known) => !this.#kept.has(known));
    const kept = free.find(({ text }) => text === input.text) ?? free[0] ?? same[0];
    if (kept === undefined) return undefined;
    this.#kept.add(kept);
    return input.text === undefined ? kept : { ...kept, text: input.text };
  }

  /** Any other one in the form of a new ingredient. Throws `invalid_request` for changed amounts of a food. */
  toPortionInput({ name, text: _, ...input }: IngredientInput): PortionInput {
    if (name === undefined) {
      givenOf(input, SOURCES, ', or the line of text alone, such as "2 eggs"');
      return input;
    }
    if (input.foodName !== undefined)
      throw invalid(['name', 'foodName'], 'Give "name" or "foodName", not both.');
    const { foodId, barcode, quantity, unit } = input;
    if (foodId === undefined && barcode === undefined) return { ...input, foodName: name };
    if (this.#known.some((known) => isSamePortion(known, input))) {
      throw invalid(
        ['name', ...([...MAIN_AMOUNTS, 'nutrients'] as const).filter((key) => input[key] !== undefined)],
        'Name and amounts come from the food; to state others leave out "foodId" and "barcode".',
      );
    }
    return { ...(foodId === undefined ? { barcode } : { foodId }), quantity, unit };
  }
}

const SOURCES = ['foodName', 'foodId', 'barcode'] as const;

/** The same amount of the same food. */
function isSamePortion(known: Ingredient, input: PortionInput): boolean {
  return (
    known.foodId === input.foodId &&
    known.barcode === input.barcode &&
    known.quantity === input.quantity &&
    known.unit === input.unit
  );
}

function isSame(known: Ingredient, input: IngredientInput): boolean {
  const given = flatAmounts(input);
  // Clients that do not know `nutrients` send back the rest.
  const keys = input.nutrients === undefined ? MAIN_AMOUNTS : AMOUNT_KEYS;
  return (
    known.name === input.name &&
    input.foodName === undefined &&
    isSamePortion(known, input) &&
    keys.every((key) => {
      const amount = known.amounts[key];
      return given[key] === (amount === undefined ? undefined : toDecimal(amount));
    })
  );
}

function invalid(fields: readonly string[], message: string): AppError {
  return new AppError({ code: 'invalid_request', message, details: { fields } });
}
