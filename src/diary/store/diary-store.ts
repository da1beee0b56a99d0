import { AppError } from '@larder/core/errors.ts';
import { SLICE_ENTRIES } from '../../base/background-work.ts';
import { idsSince, type NamedRequest } from '../../base/time-ordered-id.ts';
import type { ChangeHints } from '../../db/change-hints.ts';
import type { Dialect } from '../../db/dialect.ts';
import {
  bind,
  type Change,
  KEPT_DELETIONS_MS,
  type Reads,
  type Row,
  type Statement,
  type Writer,
} from '../../db/writer.ts';
import { foodsLock } from '../../foods/custom/custom-food-store.ts';
import { noteOf } from '../../idempotency/idempotency-store.ts';
import { tooManyNewEntries } from '../diary-errors.ts';
import type { DayRange } from '../records/day.ts';
import type { DiaryStore, EntryPosition, WriteOutcome } from '../records/diary-store.ts';
import { type DiaryEntry, type DiaryOwner, MAX_DAY_ENTRIES } from '../records/entry.ts';
import { type Goals, MAX_GOALS_PER_USER } from '../records/goals.ts';
import { MAX_RECIPES_PER_USER, type Recipe } from '../records/recipe.ts';
import type { DayTotals } from '../records/totals.ts';
import { isLong, listInSlices, sumInSlices } from './diary-long-reads.ts';
import {
  ENTRY_COLUMNS,
  entryRow,
  goalsRow,
  isPlain,
  PLAIN_ENTRY_COLUMNS,
  recipeRow,
  SummedRows,
  toEntries,
  toEntry,
  toGoals,
  toRecipe,
  toRecipes,
} from './diary-rows.ts';
import * as statements from './diary-statements.ts';

export interface SqlDiaryStorePorts {
  readonly dialect: Dialect;
  readonly writer: Writer;
  readonly reads: Reads;
  /** Present where they count the writes of all threads and nodes. */
  readonly hints?: ChangeHints;
  /** A user who has added so many entries within 24 hours adds more one by one only. No limit by default. */
  readonly maxNewEntries?: number;
}

const DAY_MS = 86_400_000;
const AFTER_ALL_IDS = '~';
const NO_ID = '';

export class SqlDiaryStore implements DiaryStore {
  readonly #writer: Writer;
  readonly #reads: Reads;
  readonly #hints: ChangeHints | undefined;
  readonly #maxNewEntries: number;
  readonly #insertEntries: (rows: readonly Row[]) => Statement;
  readonly #insertPlain: (rows: readonly Row[]) => Statement;

  constructor({
    dialect,
    writer,
    reads,
    hints,
    maxNewEntries = Number.MAX_SAFE_INTEGER,
  }: SqlDiaryStorePorts) {
    this.#writer = writer;
    this.#reads = reads;
    this.#hints = hints;
    this.#maxNewEntries = maxNewEntries;
    this.#insertEntries = dialect.insertInto('diary_entries', ENTRY_COLUMNS);
    this.#insertPlain = dialect.insertInto('diary_entries', PLAIN_ENTRY_COLUMNS);
  }

  hint(owner: DiaryOwner): number | undefined {
    return this.#hints?.of(owner);
  }

  async findEntry(owner: DiaryOwner, id: string): Promise<DiaryEntry | undefined> {
    const [row] = await this.#reads.all(statements.FIND_ENTRY, [owner.tenant, owner.userId, id]);
    return row && toEntry(row);
  }

  async findEntries({ tenant, userId }: DiaryOwner, ids: readonly string[]): Promise<DiaryEntry[]> {
    if (ids.length === 0) return [];
    const asked = padded(ids);
    const query = statements.findEntries(asked.length);
    return toEntries(await this.#reads.all(query, [tenant, userId, ...asked]));
  }

  async listEntries(
    owner: DiaryOwner,
    { range: { from, to }, after, limit }: { range: DayRange; after?: EntryPosition; limit: number },
  ): Promise<DiaryEntry[]> {
    const { tenant, userId } = owner;
    const { date, id } = after ?? { date: from, id: '' };
    const size = this.#reads.inOneState ? Math.min(limit, SLICE_ENTRIES) : limit;
    const rows = await this.#reads.all(statements.LIST_ENTRIES, [tenant, userId, date, id, to, size]);
    if (size === limit || rows.length < size) return toEntries(rows);
    return this.#reads.inOneState!(nameOf(owner), (all) =>
      listInSlices(all, owner, { after: { date, id }, to, limit }),
    );
  }

  async listLatest({ tenant, userId }: DiaryOwner, limit: number): Promise<DiaryEntry[]> {
    return toEntries(await this.#reads.all(statements.LIST_LATEST, [tenant, userId, limit]));
  }

  async sumDays(owner: DiaryOwner, range: DayRange, by: 'day' | 'meal' = 'day'): Promise<DayTotals[]> {
    const { from, to } = range;
    const values = [owner.tenant, owner.userId, from, to];
    if (from === to && by === 'day') {
      const rows = await this.#reads.all(statements.SUM_DAY, values.slice(0, -1));
      return new SummedRows().add(rows.filter(([date]) => date !== null)).toDays();
    }
    if (await isLong(this.#reads, values))
      return this.#reads.inOneState!(nameOf(owner), (all) => sumInSlices(all, owner, range, by));
    return new SummedRows().add(await this.#reads.all(statements.SUM_DAYS[by], values)).toDays();
  }

  async addEntries(owner: DiaryOwner, entries: readonly DiaryEntry[], request?: NamedRequest): Promise<void> {
    const added = new Map<string, number>();
    const arePlain = entries.every(isPlain);
    const rows: Row[] = [];
    for (const entry of entries) {
      added.set(entry.date, (added.get(entry.date) ?? 0) + 1);
      rows.push(entryRow(owner, entry, arePlain));
    }
    const { tenant, userId } = owner;
    // Single entries are bounded by the rate of requests; counting those of a day costs more than writing one.
    const max = entries.length === 1 ? Number.MAX_SAFE_INTEGER : this.#maxNewEntries;
    const since = max === Number.MAX_SAFE_INTEGER ? AFTER_ALL_IDS : idsSince(entries[0]!.createdAt - DAY_MS);
    const toAdd: Row[] = [];
    for (const [date, count] of added) {
      // New ones are counted once, with the first day.
      const counted = toAdd.length === 0 ? since : AFTER_ALL_IDS;
      toAdd.push([tenant, userId, date, count, counted, max - entries.length]);
    }
    const change = { ...owner, kind: 'entry', ids: entries.map(({ id }) => id) } as const;
    const hasRoom = await this.#write(change, [
      { ...statements.HAS_ROOM, runs: toAdd },
      arePlain ? this.#insertPlain(rows) : this.#insertEntries(rows),
      ...(request === undefined ? [] : [noteOf(request)]),
    ]);
    if (hasRoom) return;
    const counting = [tenant, userId, since, max];
    const [[used]] = (await this.#reads.all(statements.COUNT_SINCE, counting)) as [[number]];
    if (used > max - entries.length) throw tooManyNewEntries(used, max);
    throw fullDay([...added.keys()]);
  }

  async replaceEntry(owner: DiaryOwner, entry: DiaryEntry): Promise<WriteOutcome> {
    const change = { ...owner, kind: 'entry', ids: [entry.id] } as const;
    if (await this.#write(change, [bind(statements.REPLACE_ENTRY, entryRow(owner, entry))])) return 'done';
    const found = await this.findEntry(owner, entry.id);
    if (found?.version === entry.version - 1) throw fullDay([entry.date]);
    return found === undefined ? 'missing' : 'conflict';
  }

  async removeEntry(owner: DiaryOwner, id: string, version?: number): Promise<WriteOutcome> {
    const { tenant, userId } = owner;
    const removal = bind(statements.REMOVE_ENTRY, [tenant, userId, id, version ?? null]);
    if (await this.#write({ ...owner, kind: 'entry', ids: [id], isDeleted: true }, [removal])) return 'done';
    return (await this.findEntry(owner, id)) === undefined ? 'missing' : 'conflict';
  }

  async findRecipe({ tenant, userId }: DiaryOwner, id: string): Promise<Recipe | undefined> {
    const [row] = await this.#reads.all(statements.FIND_RECIPE, [tenant, userId, id]);
    return row && toRecipe(row);
  }

  async findRecipes({ tenant, userId }: DiaryOwner, ids: readonly string[]): Promise<Recipe[]> {
    if (ids.length === 0) return [];
    const asked = padded(ids);
    const query = statements.findRecipes(asked.length);
    return toRecipes(await this.#reads.all(query, [tenant, userId, ...asked]));
  }

  async listRecipes(
    { tenant, userId }: DiaryOwner,
    { after = '', limit }: { after?: string; limit: number },
  ): Promise<Recipe[]> {
    return toRecipes(await this.#reads.all(statements.LIST_RECIPES, [tenant, userId, after, limit]));
  }

  async addRecipe(owner: DiaryOwner, recipe: Recipe, request?: NamedRequest): Promise<void> {
    const insertion = bind(statements.ADD_RECIPE, recipeRow(owner, recipe));
    const change = { ...owner, kind: 'recipe', ids: [recipe.id] } as const;
    if (await this.#write(change, [insertion, ...(request === undefined ? [] : [noteOf(request)])])) return;
    throw full(`A user can have at most ${MAX_RECIPES_PER_USER} recipes.`, MAX_RECIPES_PER_USER);
  }

  async replaceRecipe(owner: DiaryOwner, recipe: Recipe): Promise<WriteOutcome> {
    const change = { ...owner, kind: 'recipe', ids: [recipe.id] } as const;
    if (await this.#write(change, [bind(statements.REPLACE_RECIPE, recipeRow(owner, recipe))])) return 'done';
    return (await this.findRecipe(owner, recipe.id)) === undefined ? 'missing' : 'conflict';
  }

  async removeRecipe(owner: DiaryOwner, id: string, version?: number): Promise<WriteOutcome> {
    const { tenant, userId } = owner;
    const removal = bind(statements.REMOVE_RECIPE, [tenant, userId, id, version ?? null]);
    if (await this.#write({ ...owner, kind: 'recipe', ids: [id], isDeleted: true }, [removal])) return 'done';
    return (await this.findRecipe(owner, id)) === undefined ? 'missing' : 'conflict';
  }

  async listGoals({ tenant, userId }: DiaryOwner): Promise<Goals[]> {
    return (await this.#reads.all(statements.LIST_GOALS, [tenant, userId])).map(toGoals);
  }

  async putGoals(
    owner: DiaryOwner,
    goals: Goals,
    { replaceHistory }: { readonly replaceHistory: boolean },
  ): Promise<void> {
    const { tenant, userId } = owner;
    // If the other goals are removed, their number does not matter.
    const maxOthers = replaceHistory ? Number.MAX_SAFE_INTEGER : MAX_GOALS_PER_USER;
    const removal = bind(statements.REMOVE_OTHER_GOALS, [tenant, userId, goals.from]);
    const hasRoom = await this.#write({ ...owner, kind: 'goals', ids: ['goals'] }, [
      bind(statements.PUT_GOALS, [...goalsRow(owner, goals), maxOthers]),
      ...(replaceHistory ? [removal] : []),
    ]);
    if (hasRoom) return;
    throw full(`A user can have at most ${MAX_GOALS_PER_USER} goals.`, MAX_GOALS_PER_USER);
  }

  async eraseUser(owner: DiaryOwner): Promise<void> {
    const values = [owner.tenant, owner.userId];
    // The log goes, too, so that only caches are told.
    const change: Change = { ...owner, kind: 'entry', ids: [] };
    // Rows are erased in slices, between which others write; the rest is erased at once.
    for (const { isLarge, erase } of statements.ERASE_SLICES)
      while ((await this.#reads.all(isLarge, values)).length > 0)
        await this.#writer.write({
          statements: [bind(erase, values), bind(statements.END_LOG, values)],
          change,
        });
    const [head, ...others] = statements.ERASE_USER.map((query) => bind(query, values));
    const lock = { name: `erasure of ${owner.tenant} ${owner.userId}` };
    await this.#writer.write({ statements: [head!, ...others], change, lock });
    // This is checked first, since erasing foods blocks all other writers of the tenant's foods.
    if ((await this.#reads.all(statements.FIND_FOOD, values)).length === 0) return;
    const [count, log, foods] = statements.ERASE_FOODS;
    await this.#writer.write({
      statements: [
        bind(count, values),
        bind(log, [...values, Date.now() + KEPT_DELETIONS_MS]),
        bind(foods, values),
      ],
      lock: foodsLock(owner.tenant),
      change: { tenant: owner.tenant, userId: '', kind: 'food', ids: [] },
    });
  }

  /** False where the first statement did not find all that it needs, so that nothing happened. */
  async #write(change: Change, statements: readonly [Statement, ...Statement[]]): Promise<boolean> {
    const { changes } = await this.#writer.write({ statements, firstDecides: true, change });
    return changes >= statements[0].runs.length;
  }
}

/** Ids in few lengths of lists, so that few statements are prepared. */
function padded(ids: readonly string[]): readonly string[] {
  const length = 2 ** Math.ceil(Math.log2(ids.length));
  return [...ids, ...Array.from({ length: length - ids.length }, () => NO_ID)];
}

/** The name under which long reads of the diary wait. */
function nameOf({ tenant, userId }: DiaryOwner): string {
  return `${tenant}\n${userId}`;
}

function fullDay(dates: readonly string[]): AppError {
  const which = dates.length === 1 ? `${dates[0]} is full` : 'one of these days would hold more';
  return full(`A day holds at most ${MAX_DAY_ENTRIES} entries, and ${which}.`, MAX_DAY_ENTRIES);
}

function full(message: string, max: number): AppError {
  return new AppError({ code: 'invalid_request', message, details: { max } });
}
