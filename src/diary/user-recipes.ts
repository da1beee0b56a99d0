import type { FoodDirectory } from '../catalogue/visible-foods.ts';
import { AppError } from '../errors.ts';
import { createIds, type IdSource, isId, type RandomBytes } from '../time-ordered-id.ts';
import { versionConflict } from './diary.ts';
import type { DiaryStore } from './diary-store.ts';
import { type DiaryOwner, MAIN_AMOUNTS, maxAmount, parseFoodName } from './entry.ts';
import { type PortionInput, toPortion } from './portion.ts';
import { type IngredientInput, ReadIngredients } from './read-ingredients.ts';
import { type Ingredient, MAX_INGREDIENTS, MAX_SERVINGS, type Recipe, servingAmounts } from './recipe.ts';
import { inElement, invalidField } from './values/invalid-field.ts';
import { type Thousandths, toDecimal } from './values/thousandths.ts';

export interface RecipeInput {
  readonly name: string;
  readonly servings: number;
  readonly ingredients: readonly IngredientInput[];
}
export type RecipeChange = { readonly [key in keyof RecipeInput]?: RecipeInput[key] | undefined };

export interface RecipeBookPorts {
  readonly store: DiaryStore;
  readonly foods: Pick<FoodDirectory, 'getById' | 'getByBarcode'>;
  readonly nowMs: () => number;
  readonly randomBytes: RandomBytes;
}

/** The recipes of users. */
export class RecipeBook {
  readonly #ports: RecipeBookPorts;

  constructor(ports: RecipeBookPorts) {
    this.#ports = ports;
  }

  /** If a recipe exists under `ids`, it is returned and nothing is created. */
  async create(owner: DiaryOwner, input: RecipeInput, ids?: IdSource): Promise<Recipe> {
    const { store, nowMs, randomBytes } = this.#ports;
    const now = nowMs();
    const id = createIds(1, ids?.timeMs ?? now, ids?.randomBytes ?? randomBytes)[0]!;
    const created = ids?.mayExist === true ? await store.findRecipe(owner, id) : undefined;
    if (created !== undefined) return created;
    const recipe = withinOneEntry({
      id,
      name: parseFoodName(input.name, 'name'),
      servings: parseServings(input.servings),
      ingredients: await this.#toIngredients(owner, input.ingredients),
      version: 1,
      createdAt: now,
      updatedAt: now,
    });
    // Where it was deleted since the request was carried out, it is answered as it was, and stays deleted.
    if (ids?.isDone !== true) await store.addRecipe(owner, recipe, ids?.request);
    return recipe;
  }

  async get(owner: DiaryOwner, id: string): Promise<Recipe> {
    const recipe = isId(id) ? await this.#ports.store.findRecipe(owner, id) : undefined;
    if (recipe === undefined) throw recipeNotFound();
    return recipe;
  }

  list(owner: DiaryOwner, page: { readonly after?: string; readonly limit: number }): Promise<Recipe[]> {
    return this.#ports.store.listRecipes(owner, page);
  }

  /** Without `version`, changes the newest one; a concurrent change is a conflict in either case. */
  async change(owner: DiaryOwner, id: string, change: RecipeChange, version?: number): Promise<Recipe> {
    const recipe = await this.get(owner, id);
    if (version !== undefined && recipe.version !== version) throw versionConflict();
    const { name, servings, ingredients } = change;
    const next = withinOneEntry({
      ...recipe,
      ...(name !== undefined && { name: parseFoodName(name, 'name') }),
      ...(servings !== undefined && { servings: parseServings(servings) }),
      ...(ingredients !== undefined && {
        ingredients: await this.#toIngredients(owner, ingredients, recipe.ingredients),
      }),
      version: recipe.version + 1,
      updatedAt: Math.max(this.#ports.nowMs(), recipe.updatedAt),
    });
    const outcome = await this.#ports.store.replaceRecipe(owner, next);
    if (outcome === 'missing') throw recipeNotFound();
    if (outcome === 'conflict') throw versionConflict();
    return next;
  }

  async remove(owner: DiaryOwner, id: string, version?: number): Promise<void> {
    const outcome = isId(id) ? await this.#ports.store.removeRecipe(owner, id, version) : 'missing';
    if (outcome === 'missing') throw recipeNotFound();
    if (outcome === 'conflict') throw versionConflict();
  }

  /** Those of `known` that were sent back as they were read are kept. */
  async #toIngredients(
    owner: DiaryOwner,
    inputs: readonly IngredientInput[],
    known: readonly Ingredient[] = [],
  ): Promise<Ingredient[]> {
    if (inputs.length < 1 || inputs.length > MAX_INGREDIENTS) {
      throw invalidField('ingredients', `"ingredients" must have 1 to ${MAX_INGREDIENTS} elements.`, {
        max: MAX_INGREDIENTS,
      });
    }
    const made: Ingredient[] = [];
    const read = new ReadIngredients(known);
    // One after the other, like the entries of a diary.
    for (const [index, input] of inputs.entries()) {
      try {
        made.push(read.keep(input) ?? (await this.#toIngredient(owner, read.toPortionInput(input))));
      } catch (error) {
        throw inElement(index, error, 'ingredients');
      }
    }
    return made;
  }

  async #toIngredient(owner: DiaryOwner, input: PortionInput): Promise<Ingredient> {
    // Ingredients are replaced, never changed, so they need no basis.
    const { foodName, basis: _, ...rest } = await toPortion(input, owner, this.#ports);
    return { name: foodName, ...rest };
  }
}

function parseServings(servings: number): number {
  if (servings > 0 && servings <= MAX_SERVINGS) return servings;
  throw invalidField('servings', `"servings" must be a number above 0 and at most ${MAX_SERVINGS}.`, {
    max: MAX_SERVINGS,
  });
}

/** Also true for NaN and infinity, the results of dividing by nearly 0 servings. */
function isTooMuch(amount: Thousandths | undefined, max: number): boolean {
  return amount !== undefined && !(toDecimal(amount) <= max);
}

/** Checks that one serving fits into a diary entry. */
function withinOneEntry(recipe: Recipe): Recipe {
  const serving = servingAmounts(recipe);
  const key = MAIN_AMOUNTS.find((each) => isTooMuch(serving[each], maxAmount(each)));
  if (key === undefined) return recipe;
  const max = maxAmount(key);
  throw invalidField('servings', `One serving would hold more than ${max} of ${key}; say more "servings".`, {
    max,
  });
}

function recipeNotFound(): AppError {
  return new AppError({ code: 'not_found', message: 'There is no recipe with this id.' });
}
