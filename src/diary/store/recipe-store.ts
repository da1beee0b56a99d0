import { SLICE_RECIPES, slicesOf } from '../../base/background-work.ts';
import type { NamedRequest } from '../../base/time-ordered-id.ts';
import { assigned, list, type Queries, raw, sql } from '../../db/sql.ts';
import { toStatement, type Writer } from '../../db/writer.ts';
import type { DiaryOwner } from '../records/entry.ts';
import { MAX_RECIPES_PER_USER, type Recipe } from '../records/recipe.ts';
import {
  changeOf,
  findDeleted,
  full,
  isOwned,
  noted,
  removalFrom,
  toFewLengths,
  type WriteOutcome,
  writeIf,
} from './store-writes.ts';

/** A row of `diary_recipes` without its owner; the ingredients are JSON. */
interface RecipeRow {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly servings: number;
  readonly ingredients: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly yield_grams: number | null;
}

const COLUMNS = raw('id, version, name, servings, ingredients, created_at, updated_at, yield_grams');

/** Stores recipes, with the guarantees of `DiaryStore`. */
export class RecipeStore {
  readonly #db: Queries;
  readonly #writer: Writer;

  constructor({ db, writer }: { readonly db: Queries; readonly writer: Writer }) {
    this.#db = db;
    this.#writer = writer;
  }

  async find(owner: DiaryOwner, id: string): Promise<Recipe | undefined> {
    const query = sql<RecipeRow>`
      select ${COLUMNS} from diary_recipes where ${isOwned(owner)} and id = ${id}`;
    const row = await query.prepared('find-recipe').first(this.#db);
    return row && toRecipe(row);
  }

  /** Finds a recipe of one of these users, of whom there are at most 100. */
  async findOf(tenant: string, userIds: readonly string[], id: string): Promise<Recipe | undefined> {
    const asked = toFewLengths(userIds);
    if (asked.length === 0) return undefined;
    const query = sql<RecipeRow>`
      select ${COLUMNS} from diary_recipes
      where tenant_id = ${tenant} and user_id in (${list(asked)}) and id = ${id} limit 1`;
    const row = await query.prepared(`find-recipe-of-${asked.length}`).first(this.#db);
    return row && toRecipe(row);
  }

  /** Whether a recipe had this id that was deleted. */
  async wasDeleted(owner: DiaryOwner, id: string): Promise<boolean> {
    return (await findDeleted(this.#db, owner, 'recipe', [id])).has(id);
  }

  /** Returns those of at most 32 recipes that exist, in no order. */
  async findAll(owner: DiaryOwner, ids: readonly string[]): Promise<Recipe[]> {
    const asked = toFewLengths(ids);
    if (asked.length === 0) return [];
    const query = sql<RecipeRow>`
      select ${COLUMNS} from diary_recipes where ${isOwned(owner)} and id in (${list(asked)})`;
    return toRecipes(await query.prepared(`find-recipes-${asked.length}`).all(this.#db));
  }

  /** Ordered by writing. */
  async list(
    owner: DiaryOwner,
    { after = '', limit }: { readonly after?: string; readonly limit: number },
  ): Promise<Recipe[]> {
    const query = sql<RecipeRow>`
      select ${COLUMNS} from diary_recipes
      where ${isOwned(owner)} and id > ${after} order by id limit ${limit}`;
    return toRecipes(await query.prepared('list-recipes').all(this.#db));
  }

  /**
   * Throws `invalid_request` if the user would have more than `MAX_RECIPES_PER_USER`. Records in the same transaction that
   * `request`, if given, was executed. With `chosenAtMs` its client chose the id: throws a `ConstraintError` if it was deleted.
   */
  async add(owner: DiaryOwner, recipe: Recipe, request?: NamedRequest, chosenAtMs?: number): Promise<void> {
    const row = toRow(owner, recipe);
    const insertion = sql`
      insert into diary_recipes (${raw(Object.keys(row).join())}) select ${list(Object.values(row))}
      where (select count(*) from diary_recipes where ${isOwned(owner)}) < ${MAX_RECIPES_PER_USER}`;
    const statement = toStatement(insertion.prepared('add-recipe'));
    const change = { ...changeOf(owner, 'recipe', [recipe.id]), chosenAtMs };
    if (await writeIf(this.#writer, change, statement, ...noted(request))) return;
    throw full(`A user can have at most ${MAX_RECIPES_PER_USER} recipes.`, MAX_RECIPES_PER_USER);
  }

  /** Replaces the previous version. */
  async replace(owner: DiaryOwner, recipe: Recipe): Promise<WriteOutcome> {
    const { id, version } = recipe;
    const replacement = sql`
      update diary_recipes set ${assigned(toRow(owner, recipe))}
      where ${isOwned(owner)} and id = ${id} and version = ${version - 1}`;
    const statement = toStatement(replacement.prepared('replace-recipe'));
    if (await writeIf(this.#writer, changeOf(owner, 'recipe', [id]), statement)) return 'done';
    return (await this.find(owner, id)) === undefined ? 'missing' : 'conflict';
  }

  /** Removes any version if `version` is absent. */
  async remove(owner: DiaryOwner, id: string, version?: number): Promise<WriteOutcome> {
    const statement = toStatement(removalFrom('diary_recipes', owner, id, version).prepared('remove-recipe'));
    if (await writeIf(this.#writer, changeOf(owner, 'recipe', [id], true), statement)) return 'done';
    return (await this.find(owner, id)) === undefined ? 'missing' : 'conflict';
  }
}

function toRow({ tenant, userId }: DiaryOwner, recipe: Recipe) {
  return {
    tenant_id: tenant,
    user_id: userId,
    id: recipe.id,
    version: recipe.version,
    name: recipe.name,
    servings: recipe.servings,
    ingredients: JSON.stringify(recipe.ingredients),
    created_at: recipe.createdAt,
    updated_at: recipe.updatedAt,
    yield_grams: recipe.yieldGrams ?? null,
  } satisfies RecipeRow & Record<string, unknown>;
}

async function toRecipes(rows: readonly RecipeRow[]): Promise<Recipe[]> {
  const recipes: Recipe[] = [];
  for await (const slice of slicesOf(rows, SLICE_RECIPES)) recipes.push(...slice.map(toRecipe));
  return recipes;
}

function toRecipe(row: RecipeRow): Recipe {
  return {
    id: row.id,
    name: row.name,
    servings: row.servings,
    ...(row.yield_grams !== null && { yieldGrams: row.yield_grams }),
    ingredients: JSON.parse(row.ingredients),
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
