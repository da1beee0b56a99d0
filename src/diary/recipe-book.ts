import { AppError } from '@larder/core/errors.ts';
import { recipeFoodId } from '@larder/core/food.ts';
import { FOOD_LANGUAGES } from '@larder/core/food-languages.ts';
import { MAX_LINES_LENGTH, type TextItem } from '@larder/text/parse/read-text.ts';
import { findUnderId, type IdSource, type RandomBytes, recordIdsOf } from '../base/time-ordered-id.ts';
import type { FoodDirectory } from '../foods/visible-foods.ts';
import { createOnce, removeUnderId, requireDone } from './create-once.ts';
import { versionConflict } from './diary-errors.ts';
import { givenOf } from './entry-input.ts';
import { type PortionInput, toPortion } from './portion.ts';
import {
  type ItemOptions,
  interpretationOf,
  isResolved,
  portionOf,
  type ResolvedItem,
  readItems,
  type UnresolvedItem,
  unresolvedAmong,
  unresolvedItems,
} from './read-items.ts';
import { flatAmounts, statedIn } from './records/amount-fields.ts';
import {
  AMOUNT_KEYS,
  AMOUNT_LIMITS,
  type AmountKey,
  type DiaryOwner,
  isMainAmount,
  MAIN_AMOUNTS,
  parseFoodName,
} from './records/entry.ts';
import { type Thousandths, toDecimal } from './records/exact-amount.ts';
import { inElement, invalidField } from './records/invalid-field.ts';
import {
  type Ingredient,
  MAX_INGREDIENTS,
  MAX_SERVINGS,
  type Recipe,
  servingAmounts,
} from './records/recipe.ts';
import { restsOf } from './records/snapshot.ts';
import type { DiaryStore } from './store/diary-store.ts';

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
class ReadIngredients {
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

/** The read lines of a recipe, by their index among its ingredients. */
export interface ReadLines {
  readonly resolved: ReadonlyMap<number, readonly ResolvedItem[]>;
  readonly unresolved: readonly UnresolvedItem[];
}

/** Matches lines that name no ingredient: an empty line, or a heading such as "For the sauce:". */
const IS_HEADING = /(?:^|:)\s*$/;

/** Reads the lines of text among `ingredients` and skips the others. */
async function readLines(
  ingredients: readonly unknown[],
  owner: DiaryOwner,
  options: ItemOptions & { readonly lang?: string | undefined },
): Promise<ReadLines> {
  const lines = [...ingredients.entries()].filter(
    (each): each is [number, string] => typeof each[1] === 'string' && !IS_HEADING.test(each[1]),
  );
  const resolved = new Map<number, ResolvedItem[]>();
  if (lines.length === 0) return { resolved, unresolved: [] };
  const texts = lines.map(([, text]) => text);
  if (texts.reduce((sum, { length }) => sum + length, 0) > MAX_LINES_LENGTH) throw tooLong();
  const { items: read } = await readItems(texts, owner, { ...options, context: 'recipe' });
  const named = new Set(read.map(({ line }) => line));
  const items = [...read, ...texts.flatMap((text, line) => (named.has(line) ? [] : [nothingIn(text, line)]))];
  for (const item of items.filter(isResolved)) {
    const [index] = lines[item.line!]!;
    resolved.set(index, [...(resolved.get(index) ?? []), item]);
  }
  const unresolved = (await unresolvedAmong(items, owner, options)).map(({ line, ...item }) => {
    const [index, text] = lines[line!]!;
    return { ...item, index, text };
  });
  return { resolved, unresolved: unresolved.sort((a, b) => a.index - b.index) };
}

/** The unresolved item of a line without words. */
function nothingIn(text: string, line: number): TextItem {
  return {
    text,
    start: 0,
    end: text.length,
    line,
    quantity: null,
    unit: null,
    grams: null,
    food: null,
    alternatives: [],
    confidence: 0,
    assumed: [],
    unresolved: 'food',
  };
}

function tooLong() {
  return invalidField(
    'ingredients',
    `The lines of "ingredients" have more than ${MAX_LINES_LENGTH} characters together.`,
    { max: MAX_LINES_LENGTH },
  );
}

interface RecipeFields {
  readonly name: string;
  readonly servings: number;
  /** Each line of text becomes an ingredient for each food that it names. */
  readonly ingredients: readonly (string | IngredientInput)[];
}

interface LineOptions {
  /** Language of the lines; detected if absent. */
  readonly lang?: string | undefined;
  /** Omits unresolved items of the lines instead of rejecting all. */
  readonly partial?: boolean | undefined;
}

export interface RecipeInput extends RecipeFields, LineOptions {
  /** Chosen by the client. */
  readonly id?: string | undefined;
  readonly yieldGrams?: number | undefined;
}

/** Null makes the weight of the whole unknown. */
export type RecipeChange = LineOptions & {
  readonly [key in keyof RecipeFields]?: RecipeFields[key] | undefined;
} & { readonly yieldGrams?: number | null | undefined };

/** A recipe as returned by the write. */
export interface WrittenRecipe extends Recipe {
  /** Items that were left out; absent if there were none. */
  readonly unresolved?: readonly UnresolvedItem[];
}

export interface RecipeBookOptions {
  readonly store: DiaryStore;
  readonly foods: FoodDirectory;
  readonly nowMs: () => number;
  readonly randomBytes: RandomBytes;
}

/** The recipes of users. */
export class RecipeBook {
  readonly #options: RecipeBookOptions;

  constructor(options: RecipeBookOptions) {
    this.#options = options;
  }

  /**
   * Creates a recipe, or returns the one that exists under `ids` or has the id that its client chose. Throws `unresolved_items` for
   * lines that cannot be resolved, unless `partial` allows leaving them out.
   */
  async create(
    owner: DiaryOwner,
    input: RecipeInput,
    ids?: IdSource,
  ): Promise<{ readonly recipe: WrittenRecipe; readonly isNew: boolean }> {
    const { store, nowMs, randomBytes } = this.#options;
    const { recipes } = store;
    const { record, isNew } = await createOnce<WrittenRecipe>(
      { chosen: input.id, ids, nowMs, randomBytes },
      {
        find: (id) => recipes.find(owner, id),
        wasDeleted: (id) => recipes.wasDeleted(owner, id),
        make: (id) => this.#make(owner, input, id),
        add: (recipe, request, chosenAtMs) => recipes.add(owner, [recipe], request, chosenAtMs),
      },
    );
    return { recipe: record, isNew };
  }

  async #make(owner: DiaryOwner, input: RecipeInput, id: string): Promise<WrittenRecipe> {
    const now = this.#options.nowMs();
    const { yieldGrams } = input;
    const { ingredients, ...leftOut } = await this.#toIngredients(owner, input.ingredients, input);
    const recipe = withinOneEntry({
      id,
      name: parseFoodName(input.name, 'name'),
      servings: parseServings(input.servings),
      ...(yieldGrams !== undefined && { yieldGrams }),
      ingredients,
      version: 1,
      createdAt: now,
      updatedAt: now,
    });
    return { ...recipe, ...leftOut };
  }

  async get(owner: DiaryOwner, id: string): Promise<Recipe> {
    const recipe = await findUnderId(id, (known) => this.#options.store.recipes.find(owner, known));
    if (recipe === undefined) throw recipeNotFound();
    return recipe;
  }

  list(owner: DiaryOwner, page: { readonly after?: string; readonly limit: number }): Promise<Recipe[]> {
    return this.#options.store.recipes.listById(owner, page);
  }

  /** Changes the newest version if `version` is absent; a concurrent change is a conflict in either case. */
  async change(
    owner: DiaryOwner,
    id: string,
    change: RecipeChange,
    version?: number,
  ): Promise<WrittenRecipe> {
    const recipe = await this.get(owner, id);
    if (version !== undefined && recipe.version !== version) throw versionConflict();
    const { name, servings, yieldGrams, ingredients: inputs } = change;
    const { ingredients, ...leftOut } =
      inputs === undefined
        ? { ingredients: recipe.ingredients }
        : await this.#toIngredients(owner, inputs, change, recipe.ingredients);
    const { yieldGrams: knownGrams, ...kept } = recipe;
    const grams = yieldGrams === undefined ? knownGrams : yieldGrams;
    const next = withinOneEntry({
      ...kept,
      ...(name !== undefined && { name: parseFoodName(name, 'name') }),
      ...(servings !== undefined && { servings: parseServings(servings) }),
      ...(typeof grams === 'number' && { yieldGrams: grams }),
      ingredients,
      version: recipe.version + 1,
      updatedAt: Math.max(this.#options.nowMs(), recipe.updatedAt),
    });
    requireDone(await this.#options.store.recipes.replace(owner, next), recipeNotFound);
    return { ...next, ...leftOut };
  }

  async remove(owner: DiaryOwner, id: string, version?: number): Promise<void> {
    await removeUnderId(
      recordIdsOf(id),
      (known) => this.#options.store.recipes.remove(owner, known, version),
      recipeNotFound,
    );
  }

  /** Keeps the ingredients of `known` that were sent back unchanged. */
  async #toIngredients(
    owner: DiaryOwner,
    inputs: RecipeFields['ingredients'],
    { lang, partial }: LineOptions,
    known: readonly Ingredient[] = [],
  ): Promise<Pick<WrittenRecipe, 'ingredients' | 'unresolved'>> {
    if (inputs.length > MAX_INGREDIENTS) throw wrongCount();
    const { resolved, unresolved } = await readLines(inputs, owner, { foods: this.#options.foods, lang });
    const found = inputs.map((input, index) =>
      typeof input === 'string' ? (resolved.get(index)?.length ?? 0) : 1,
    );
    const count = found.reduce((sum, each) => sum + each, 0);
    if (count + unresolved.length < 1 || count + unresolved.length > MAX_INGREDIENTS) throw wrongCount();
    if (unresolved.length > 0 && (partial !== true || count === 0)) throw unresolvedItems(unresolved, count);
    const ingredients: Ingredient[] = [];
    const read = new ReadIngredients(known, this.#options.foods);
    // Inputs are processed in sequence, like the entries of a diary.
    for (const [index, input] of inputs.entries()) {
      try {
        if (typeof input !== 'string') {
          ingredients.push(read.keep(input) ?? (await this.#stated(owner, input, read)));
          continue;
        }
        for (const item of resolved.get(index) ?? []) {
          const made = await this.#toIngredient(owner, portionOf(item));
          ingredients.push({ ...made, text: input, ...interpretationOf(item) });
        }
      } catch (error) {
        throw inElement(index, error, 'ingredients');
      }
    }
    return { ingredients, ...(unresolved.length > 0 && { unresolved }) };
  }

  async #stated(owner: DiaryOwner, input: IngredientInput, read: ReadIngredients): Promise<Ingredient> {
    const made = await this.#toIngredient(owner, read.toPortionInput(input));
    return { ...made, ...(input.text !== undefined && { text: input.text }) };
  }

  async #toIngredient(owner: DiaryOwner, input: PortionInput): Promise<Ingredient> {
    // Ingredients are replaced, never changed, so only the rests of their basis are stored.
    const { foodName, basis, recipeId, ...rest } = await toPortion(input, owner, this.#options);
    const ofRecipe = recipeId !== undefined && { foodId: recipeFoodId(recipeId) };
    return { name: foodName, ...rest, ...ofRecipe, ...(basis !== undefined && { rests: restsOf(basis) }) };
  }
}

function wrongCount(): AppError {
  return invalidField('ingredients', `"ingredients" must name 1 to ${MAX_INGREDIENTS} foods.`, {
    max: MAX_INGREDIENTS,
  });
}

function parseServings(servings: number): number {
  if (servings > 0 && servings <= MAX_SERVINGS) return servings;
  throw invalidField('servings', `"servings" must be a number above 0 and at most ${MAX_SERVINGS}.`, {
    max: MAX_SERVINGS,
  });
}

/** True for NaN and infinity, too, the results of dividing by nearly 0 servings. */
function isTooMuch(amount: Thousandths | undefined, max: number): boolean {
  return amount !== undefined && !(toDecimal(amount) <= max);
}

/** Checks that one serving fits into a diary entry. */
function withinOneEntry(recipe: Recipe): Recipe {
  const serving = servingAmounts(recipe);
  const key = MAIN_AMOUNTS.find((each) => isTooMuch(serving[each], AMOUNT_LIMITS[each]));
  if (key === undefined) return recipe;
  const max = AMOUNT_LIMITS[key];
  throw invalidField('servings', `One serving would hold more than ${max} of ${key}; say more "servings".`, {
    max,
  });
}

function recipeNotFound(): AppError {
  return new AppError({ code: 'recipe_not_found', message: 'There is no recipe with this id.' });
}
