import { SLICE_RECIPES } from '../../base/background-work.ts';
import { list, sql } from '../../db/sql.ts';
import { MAX_RECIPES_PER_USER, type Recipe } from '../records/recipe.ts';
import { toFewLengths } from './store-writes.ts';
import { type TablePorts, UserTable } from './user-table.ts';

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

/** Stores recipes. */
export class RecipeStore extends UserTable<Recipe, RecipeRow> {
  constructor(ports: TablePorts) {
    super(ports, {
      table: 'diary_recipes',
      columns: {
        id: 'text',
        version: 'int',
        name: 'text',
        servings: 'double precision',
        ingredients: 'text',
        created_at: 'bigint',
        updated_at: 'bigint',
        yield_grams: 'double precision',
      },
      toRow,
      toRecord: toRecipe,
      kind: 'recipe',
      name: 'recipe',
      plural: 'recipes',
      max: MAX_RECIPES_PER_USER,
      slice: SLICE_RECIPES,
    });
  }

  /** Finds a recipe of one of these users, of whom there are at most 100. */
  async findOf(tenant: string, userIds: readonly string[], id: string): Promise<Recipe | undefined> {
    const asked = toFewLengths(userIds);
    if (asked.length === 0) return undefined;
    const condition = sql`tenant_id = ${tenant} and user_id in (${list(asked)}) and id = ${id} limit 1`;
    return (await this.read(condition, `find-recipe-of-${asked.length}`))[0];
  }
}

function toRow(recipe: Recipe): RecipeRow & Record<string, unknown> {
  return {
    id: recipe.id,
    version: recipe.version,
    name: recipe.name,
    servings: recipe.servings,
    ingredients: JSON.stringify(recipe.ingredients),
    created_at: recipe.createdAt,
    updated_at: recipe.updatedAt,
    yield_grams: recipe.yieldGrams ?? null,
  };
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
