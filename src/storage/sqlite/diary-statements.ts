import type Sqlite from 'better-sqlite3';
import type { WriteOutcome } from '../../diary/diary-store.ts';
import { type DiaryEntry, type DiaryOwner, MAX_DAY_ENTRIES } from '../../diary/entry.ts';
import { type Goals, MAX_GOALS_PER_USER } from '../../diary/goals.ts';
import { MAX_RECIPES_PER_USER, type Recipe } from '../../diary/recipe.ts';
import { type TransferredError, transferred } from '../../error-transfer.ts';
import { AppError } from '../../errors.ts';
import type { NamedRequest } from '../../time-ordered-id.ts';
import {
  entryRow,
  GOALS_COLUMNS,
  goalsRow,
  RECIPE_COLUMNS,
  REQUEST_DONE,
  recipeRow,
  WRITTEN_ENTRY_COLUMNS,
} from '../diary-rows.ts';
import { eraseFoods } from '../erase-foods.ts';
import { toOutage } from './database-outage.ts';

/** What became of one write; plain data, so that it can travel between threads. */
export type WriteResult =
  | { readonly outcome: WriteOutcome | StatementResult }
  | { readonly failed: TransferredError };

/**
 * Carries out a group of writes in one transaction: one sync of the disk for all of them. Each write is a step of
 * its own inside it; one that is refused leaves the others as they are. When the commit fails, all have failed
 * and nothing has happened.
 */
export function commitGroup(
  sqlite: Sqlite.Database,
  writes: DiaryWrites,
  group: readonly (DiaryWrite | StatementWrite)[],
): WriteResult[] {
  // Nested in a transaction, better-sqlite3 makes this a savepoint.
  const step = sqlite.transaction((write: DiaryWrite | StatementWrite) => writes.apply(write));
  try {
    return sqlite.transaction(() => group.map((write) => attempt(sqlite, step, write))).immediate();
  } catch (error) {
    const failed = transferred(toOutage(error));
    return group.map(() => ({ failed }));
  }
}

function attempt(
  sqlite: Sqlite.Database,
  step: (write: DiaryWrite | StatementWrite) => WriteOutcome | StatementResult,
  write: DiaryWrite | StatementWrite,
): WriteResult {
  try {
    return { outcome: step(write) };
  } catch (error) {
    // A full disk or a broken file ends the whole transaction, and with it the group.
    if (!sqlite.inTransaction) throw error;
    return { failed: transferred(toOutage(error)) };
  }
}

/** Every change that there is to diaries; plain data, so that it can travel between threads. */
export type DiaryWrite =
  | {
      readonly kind: 'addEntries';
      readonly owner: DiaryOwner;
      readonly entries: readonly DiaryEntry[];
      readonly request?: NamedRequest;
    }
  | { readonly kind: 'replaceEntry'; readonly owner: DiaryOwner; readonly entry: DiaryEntry }
  | {
      readonly kind: 'removeEntry';
      readonly owner: DiaryOwner;
      readonly id: string;
      readonly version?: number;
    }
  | { readonly kind: 'addRecipe'; readonly owner: DiaryOwner; readonly recipe: Recipe }
  | { readonly kind: 'replaceRecipe'; readonly owner: DiaryOwner; readonly recipe: Recipe }
  | {
      readonly kind: 'removeRecipe';
      readonly owner: DiaryOwner;
      readonly id: string;
      readonly version?: number;
    }
  | {
      readonly kind: 'putGoals';
      readonly owner: DiaryOwner;
      readonly goals: Goals;
      readonly replaceHistory: boolean;
    }
  | { readonly kind: 'eraseUser'; readonly owner: DiaryOwner };

/** One statement of another feature, which shares the diary's way to the disk. */
export interface StatementWrite {
  readonly kind: 'statement';
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export interface StatementResult {
  /** What the statement returns, empty when nothing. */
  readonly rows: readonly unknown[];
  readonly changes: number;
}

/** Statements come from code, so there are few. More than this are a fault; the cache then starts over. */
const MAX_STATEMENTS = 200;

const OWNED = 'tenant_id = ? and user_id = ?';
const USER_TABLES = ['diary_entries', 'diary_recipes', 'diary_goals'] as const;
/** Kept answers about a user repeat what the diary said, so erasing the user removes them too, whoever asked. */
const ANSWERS_ABOUT = 'idempotent_requests where tenant_id = ? and subject_user_id = ?';

/** Carries out writes on one connection, inside a transaction of the caller's. */
export class DiaryWrites {
  readonly #sqlite: Sqlite.Database;
  readonly #statements = new Map<string, Sqlite.Statement>();
  readonly #countDay: Sqlite.Statement;
  readonly #addEntry: Sqlite.Statement;
  readonly #entries: VersionedRows;
  readonly #countRecipes: Sqlite.Statement;
  readonly #addRecipe: Sqlite.Statement;
  readonly #recipes: VersionedRows;
  readonly #countGoals: Sqlite.Statement;
  readonly #putGoals: Sqlite.Statement;
  readonly #clearGoals: Sqlite.Statement;
  readonly #noteDone: Sqlite.Statement;
  readonly #erase: readonly Sqlite.Statement[];

  constructor({ sqlite }: { sqlite: Sqlite.Database }) {
    this.#sqlite = sqlite;
    const count = (from: string) => sqlite.prepare(`select count(*) from ${from}`).pluck();
    this.#countDay = count(`diary_entries where ${OWNED} and date = ?`);
    this.#addEntry = prepareInsert(sqlite, 'insert', 'diary_entries', WRITTEN_ENTRY_COLUMNS);
    this.#entries = new VersionedRows({ sqlite, table: 'diary_entries' });
    this.#countRecipes = count(`diary_recipes where ${OWNED}`);
    this.#addRecipe = prepareInsert(sqlite, 'insert', 'diary_recipes', RECIPE_COLUMNS);
    this.#recipes = new VersionedRows({ sqlite, table: 'diary_recipes' });
    this.#countGoals = count(`diary_goals where ${OWNED}`);
    this.#putGoals = prepareInsert(sqlite, 'replace', 'diary_goals', GOALS_COLUMNS);
    this.#clearGoals = sqlite.prepare(`delete from diary_goals where ${OWNED}`);
    this.#noteDone = sqlite.prepare(
      `update idempotent_requests set ${REQUEST_DONE}
       where ${OWNED} and idempotency_key = ? and status is null`,
    );
    const owned = USER_TABLES.map((table) => `${table} where ${OWNED}`);
    const deletions = [...owned, ANSWERS_ABOUT].map((rows) => `delete from ${rows}`);
    this.#erase = [...deletions, eraseFoods(OWNED)].map((sql) => sqlite.prepare(sql));
  }

  apply(write: DiaryWrite | StatementWrite): WriteOutcome | StatementResult {
    return write.kind === 'statement' ? this.#execute(write) : this.#applyToDiary(write);
  }

  #execute({ sql, parameters }: StatementWrite): StatementResult {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
      statement = this.#sqlite.prepare(sql);
      this.#statements.set(sql, statement);
    }
    if (!statement.reader) return { rows: [], changes: statement.run(parameters).changes };
    const rows = statement.all(parameters);
    return { rows, changes: rows.length };
  }

  #applyToDiary(write: DiaryWrite): WriteOutcome {
    const { owner } = write;
    switch (write.kind) {
      case 'addEntries':
        return this.#addEntries(owner, write.entries, write.request);
      case 'replaceEntry':
        return this.#replaceEntry(owner, write.entry);
      case 'removeEntry':
        return this.#entries.remove(owner, write.id, write.version);
      case 'addRecipe':
        return this.#insertRecipe(owner, write.recipe);
      case 'replaceRecipe':
        return this.#replaceRecipe(owner, write.recipe);
      case 'removeRecipe':
        return this.#recipes.remove(owner, write.id, write.version);
      case 'putGoals':
        return this.#replaceGoals(owner, write.goals, write.replaceHistory);
      case 'eraseUser':
        for (const statement of this.#erase) statement.run(owner.tenant, owner.userId);
        return 'done';
    }
  }

  #addEntries(owner: DiaryOwner, entries: readonly DiaryEntry[], request?: NamedRequest): WriteOutcome {
    for (const entry of entries) this.#addEntry.run(entryRow(owner, entry));
    for (const date of new Set(entries.map((entry) => entry.date))) this.#requireRoom(owner, date);
    if (request !== undefined) this.#noteDone.run(request.tenant, request.userId, request.idempotencyKey);
    return 'done';
  }

  /** Deletes and inserts, since the day may change and is part of the primary key. */
  #replaceEntry(owner: DiaryOwner, entry: DiaryEntry): WriteOutcome {
    const outcome = this.#entries.remove(owner, entry.id, entry.version - 1);
    if (outcome !== 'done') return outcome;
    this.#addEntry.run(entryRow(owner, entry));
    this.#requireRoom(owner, entry.date);
    return 'done';
  }

  #requireRoom({ tenant, userId }: DiaryOwner, date: string): void {
    if ((this.#countDay.get(tenant, userId, date) as number) <= MAX_DAY_ENTRIES) return;
    throw full(`A day holds at most ${MAX_DAY_ENTRIES} entries, and ${date} is full.`, MAX_DAY_ENTRIES);
  }

  #insertRecipe(owner: DiaryOwner, recipe: Recipe): WriteOutcome {
    if ((this.#countRecipes.get(owner.tenant, owner.userId) as number) >= MAX_RECIPES_PER_USER) {
      throw full(`A user can have at most ${MAX_RECIPES_PER_USER} recipes.`, MAX_RECIPES_PER_USER);
    }
    this.#addRecipe.run(recipeRow(owner, recipe));
    return 'done';
  }

  #replaceRecipe(owner: DiaryOwner, recipe: Recipe): WriteOutcome {
    const outcome = this.#recipes.remove(owner, recipe.id, recipe.version - 1);
    if (outcome === 'done') this.#addRecipe.run(recipeRow(owner, recipe));
    return outcome;
  }

  #replaceGoals(owner: DiaryOwner, goals: Goals, replaceHistory: boolean): WriteOutcome {
    if (replaceHistory) this.#clearGoals.run(owner.tenant, owner.userId);
    this.#putGoals.run(goalsRow(owner, goals));
    if ((this.#countGoals.get(owner.tenant, owner.userId) as number) > MAX_GOALS_PER_USER) {
      throw full(`A user can have at most ${MAX_GOALS_PER_USER} goals.`, MAX_GOALS_PER_USER);
    }
    return 'done';
  }
}

/** Removal of a row that may be wanted in one version only. */
class VersionedRows {
  readonly #remove: Sqlite.Statement;
  readonly #exists: Sqlite.Statement;

  constructor({ sqlite, table }: { sqlite: Sqlite.Database; table: string }) {
    this.#remove = sqlite.prepare(
      `delete from ${table} where ${OWNED} and id = ? and version = coalesce(?, version)`,
    );
    this.#exists = sqlite.prepare(`select 1 from ${table} where ${OWNED} and id = ?`).pluck();
  }

  remove({ tenant, userId }: DiaryOwner, id: string, version: number | undefined): WriteOutcome {
    if (this.#remove.run(tenant, userId, id, version ?? null).changes === 1) return 'done';
    return this.#exists.get(tenant, userId, id) === undefined ? 'missing' : 'conflict';
  }
}

function prepareInsert(
  sqlite: Sqlite.Database,
  verb: string,
  table: string,
  columns: string,
): Sqlite.Statement {
  const places = columns.replaceAll(/\w+/g, '?');
  return sqlite.prepare(`${verb} into ${table} (tenant_id, user_id, ${columns}) values (?, ?, ${places})`);
}

function full(message: string, max: number): AppError {
  return new AppError({ code: 'invalid_request', message, details: { max } });
}
