import { CompiledQuery, sql } from 'kysely';
import type { DayRange } from '../../diary/day.ts';
import type { DiaryStore, EntryPosition, WriteOutcome } from '../../diary/diary-store.ts';
import { type DiaryEntry, type DiaryOwner, MAX_DAY_ENTRIES } from '../../diary/entry.ts';
import { type Goals, MAX_GOALS_PER_USER } from '../../diary/goals.ts';
import { MAX_RECIPES_PER_USER, type Recipe } from '../../diary/recipe.ts';
import type { DayTotals } from '../../diary/totals.ts';
import { AppError } from '../../errors.ts';
import type { NamedRequest } from '../../time-ordered-id.ts';
import {
  entryRow,
  goalsRow,
  type Row,
  recipeRow,
  toDayTotals,
  toEntries,
  toEntry,
  toGoals,
  toRecipe,
  toRecipes,
} from '../diary-rows.ts';
import { type Database, toDatabase } from './database.ts';
import type { DatabasePool } from './database-pool.ts';
import * as statements from './diary-statements.ts';

const OWNER_COLUMNS = 2;

export interface PostgresDiaryStorePorts {
  readonly pool: DatabasePool;
  readonly lists?: Pick<DatabasePool, 'query'> | undefined;
}

/** Diaries in PostgreSQL: each write of entries is one statement and so one transaction; the database groups their syncs. */
export class PostgresDiaryStore implements DiaryStore {
  readonly #pool: Pick<DatabasePool, 'query'>;
  readonly #lists: Pick<DatabasePool, 'query'>;
  readonly #db: Database;

  /** `lists` is where lists and sums are read, for example a replica; it must show every write that was answered. */
  constructor({ pool, lists = pool }: PostgresDiaryStorePorts) {
    this.#pool = pool;
    this.#lists = lists;
    this.#db = toDatabase(pool);
  }

  /** Unknown, since other nodes write too and only the database knows. */
  revision(): undefined {
    return undefined;
  }

  async findEntry(owner: DiaryOwner, id: string): Promise<DiaryEntry | undefined> {
    const [row] = await this.#read(statements.FIND_ENTRY, owner, [id]);
    return row && toEntry(row);
  }

  async listEntries(
    owner: DiaryOwner,
    { range, after, limit }: { range: DayRange; after?: EntryPosition; limit: number },
  ): Promise<DiaryEntry[]> {
    const { date, id } = after ?? { date: range.from, id: '' };
    return toEntries(await this.#list(statements.LIST_ENTRIES, owner, [date, id, range.to, limit]));
  }

  async listLatest(owner: DiaryOwner, limit: number): Promise<DiaryEntry[]> {
    return toEntries(await this.#list(statements.LIST_LATEST, owner, [limit]));
  }

  async sumDays(owner: DiaryOwner, { from, to }: DayRange): Promise<DayTotals[]> {
    return (await this.#list(statements.SUM_DAYS, owner, [from, to])).map(toDayTotals);
  }

  async addEntries(owner: DiaryOwner, entries: readonly DiaryEntry[], request?: NamedRequest): Promise<void> {
    const rows = entries.map((entry) => entryRow(owner, entry).slice(OWNER_COLUMNS));
    const columns = rows[0]!.map((_, column) => rows.map((row) => row[column]));
    const added =
      request === undefined
        ? await this.#write(statements.ADD_ENTRIES, owner, columns)
        : await this.#write(statements.ADD_NAMED_ENTRIES, owner, [
            ...columns,
            request.userId,
            request.idempotencyKey,
          ]);
    if (added === 0) throw fullDay();
  }

  async replaceEntry(owner: DiaryOwner, entry: DiaryEntry): Promise<WriteOutcome> {
    const row = entryRow(owner, entry).slice(OWNER_COLUMNS);
    if ((await this.#write(statements.REPLACE_ENTRY, owner, row)) === 1) return 'done';
    const found = await this.#findVersion(statements.FIND_ENTRY_VERSION, owner, entry.id);
    if (found === entry.version - 1) throw fullDay();
    return found === undefined ? 'missing' : 'conflict';
  }

  async removeEntry(owner: DiaryOwner, id: string, version?: number): Promise<WriteOutcome> {
    if ((await this.#write(statements.REMOVE_ENTRY, owner, [id, version ?? null])) === 1) return 'done';
    const found = await this.#findVersion(statements.FIND_ENTRY_VERSION, owner, id);
    return found === undefined ? 'missing' : 'conflict';
  }

  async findRecipe(owner: DiaryOwner, id: string): Promise<Recipe | undefined> {
    const [row] = await this.#read(statements.FIND_RECIPE, owner, [id]);
    return row && toRecipe(row);
  }

  async listRecipes(
    owner: DiaryOwner,
    { after = '', limit }: { after?: string; limit: number },
  ): Promise<Recipe[]> {
    return toRecipes(await this.#list(statements.LIST_RECIPES, owner, [after, limit]));
  }

  async addRecipe(owner: DiaryOwner, recipe: Recipe): Promise<void> {
    const row = recipeRow(owner, recipe).slice(OWNER_COLUMNS);
    if ((await this.#write(statements.ADD_RECIPE, owner, row)) === 0) {
      throw full(`A user can have at most ${MAX_RECIPES_PER_USER} recipes.`, MAX_RECIPES_PER_USER);
    }
  }

  async replaceRecipe(owner: DiaryOwner, recipe: Recipe): Promise<WriteOutcome> {
    const row = recipeRow(owner, recipe).slice(OWNER_COLUMNS);
    if ((await this.#write(statements.REPLACE_RECIPE, owner, row)) === 1) return 'done';
    const found = await this.#findVersion(statements.FIND_RECIPE_VERSION, owner, recipe.id);
    return found === undefined ? 'missing' : 'conflict';
  }

  async removeRecipe(owner: DiaryOwner, id: string, version?: number): Promise<WriteOutcome> {
    if ((await this.#write(statements.REMOVE_RECIPE, owner, [id, version ?? null])) === 1) return 'done';
    const found = await this.#findVersion(statements.FIND_RECIPE_VERSION, owner, id);
    return found === undefined ? 'missing' : 'conflict';
  }

  async listGoals(owner: DiaryOwner): Promise<Goals[]> {
    return (await this.#list(statements.LIST_GOALS, owner, [])).map(toGoals);
  }

  async putGoals(
    owner: DiaryOwner,
    goals: Goals,
    { replaceHistory }: { readonly replaceHistory: boolean },
  ): Promise<void> {
    const row = goalsRow(owner, goals).slice(OWNER_COLUMNS);
    if ((await this.#write(statements.PUT_GOALS, owner, [...row, replaceHistory])) === 0) {
      throw full(`A user can have at most ${MAX_GOALS_PER_USER} goals.`, MAX_GOALS_PER_USER);
    }
  }

  async eraseUser(owner: DiaryOwner): Promise<void> {
    const values = [owner.tenant, owner.userId];
    await this.#db.transaction().execute(async (transaction) => {
      const run = ({ text }: statements.Statement) =>
        transaction.executeQuery(CompiledQuery.raw(text, values));
      await run(statements.ERASE_USER);
      if ((await run(statements.HAS_FOODS)).rows.length === 0) return;
      await sql`lock table live_foods in share row exclusive mode`.execute(transaction);
      await run(statements.ERASE_USER_FOODS);
    });
  }

  async #findVersion(
    statement: statements.Statement,
    owner: DiaryOwner,
    id: string,
  ): Promise<number | undefined> {
    const [row] = await this.#read(statement, owner, [id]);
    return row?.[0] as number | undefined;
  }

  async #read(statement: statements.Statement, owner: DiaryOwner, values: unknown[]): Promise<Row[]> {
    return (await this.#query(this.#pool, statement, owner, values)).rows;
  }

  async #list(statement: statements.Statement, owner: DiaryOwner, values: unknown[]): Promise<Row[]> {
    return (await this.#query(this.#lists, statement, owner, values)).rows;
  }

  /** The number of rows that it wrote. */
  async #write(statement: statements.Statement, owner: DiaryOwner, values: unknown[]): Promise<number> {
    return (await this.#query(this.#pool, statement, owner, values)).rowCount ?? 0;
  }

  #query(
    pool: Pick<DatabasePool, 'query'>,
    statement: statements.Statement,
    { tenant, userId }: DiaryOwner,
    values: unknown[],
  ) {
    return pool.query<unknown[]>({
      ...statement,
      values: [tenant, userId, ...values],
      rowMode: 'array',
    });
  }
}

function fullDay(): AppError {
  return full(`A day holds at most ${MAX_DAY_ENTRIES} entries, and this one is full.`, MAX_DAY_ENTRIES);
}

function full(message: string, max: number): AppError {
  return new AppError({ code: 'invalid_request', message, details: { max } });
}
