import Sqlite from 'better-sqlite3';
import type { DayRange } from '../../diary/day.ts';
import type { DiaryStore, EntryPosition, WriteOutcome } from '../../diary/diary-store.ts';
import type { DiaryEntry, DiaryOwner } from '../../diary/entry.ts';
import type { Goals } from '../../diary/goals.ts';
import type { Recipe } from '../../diary/recipe.ts';
import type { DayTotals } from '../../diary/totals.ts';
import { SLICE_ENTRIES } from '../../slices.ts';
import type { NamedRequest } from '../../time-ordered-id.ts';
import {
  ENTRY_COLUMNS,
  GOALS_COLUMNS,
  RECIPE_COLUMNS,
  type Row,
  toDayTotals,
  toEntry,
  toGoals,
  toRecipe,
  toRecipes,
} from '../diary-rows.ts';
import { LIST_ENTRIES, LongReads, SLICE_SUMMED, SUMS } from './long-reads.ts';
import type { DiaryWriteClient } from './writer-client.ts';

const BUSY_TIMEOUT_MS = 5_000;
const CACHE_KIB = 16_384;
/** Memory-mapped, to read through the system's page cache: SQLite's own is emptied by another thread's commit. */
const MAPPED_BYTES = 2 ** 30;

const OWNED = 'tenant_id = ? and user_id = ?';

export interface SqliteDiaryStoreInit {
  /** A database with all tables. */
  readonly file: string;
  readonly writer: Pick<DiaryWriteClient, 'write' | 'revision'>;
}

/**
 * Diaries in SQLite. Each thread opens its own: reads go through this thread's connection and never wait for a
 * write, writes go to the one writer. Statements are prepared once, because a day is read in tens of microseconds.
 */
export class SqliteDiaryStore implements DiaryStore {
  readonly #sqlite: Sqlite.Database;
  readonly #writer: SqliteDiaryStoreInit['writer'];
  readonly #findEntry: Sqlite.Statement;
  readonly #listEntries: Sqlite.Statement;
  readonly #listLatest: Sqlite.Statement;
  readonly #sumDay: Sqlite.Statement;
  readonly #isLong: Sqlite.Statement;
  readonly #sumDays: Sqlite.Statement;
  readonly #findRecipe: Sqlite.Statement;
  readonly #listRecipes: Sqlite.Statement;
  readonly #listGoals: Sqlite.Statement;

  readonly #longReads: LongReads;

  private constructor(open: () => Sqlite.Database, writer: SqliteDiaryStoreInit['writer']) {
    const sqlite = open();
    this.#sqlite = sqlite;
    this.#longReads = new LongReads({ sqlite: open() });
    this.#writer = writer;
    const select = (columns: string, rest: string) => sqlite.prepare(`select ${columns} from ${rest}`).raw();
    this.#findEntry = select(ENTRY_COLUMNS, `diary_entries where ${OWNED} and id = ?`);
    this.#listEntries = sqlite.prepare(LIST_ENTRIES).raw();
    this.#listLatest = select(
      ENTRY_COLUMNS,
      `diary_entries where ${OWNED} order by date desc, id desc limit ?`,
    );
    // A statement of its own, since SQLite plans a range anew for each pair of bounds, which takes longer than the sums.
    this.#sumDay = select(`min(date), ${SUMS}`, `diary_entries where ${OWNED} and date = ?`);
    this.#isLong = select(
      '1',
      `diary_entries where ${OWNED} and date between ? and ? limit 1 offset ${SLICE_SUMMED}`,
    );
    this.#sumDays = select(
      `date, ${SUMS}`,
      `diary_entries where ${OWNED} and date between ? and ? group by date order by date`,
    );
    this.#findRecipe = select(RECIPE_COLUMNS, `diary_recipes where ${OWNED} and id = ?`);
    this.#listRecipes = select(RECIPE_COLUMNS, `diary_recipes where ${OWNED} and id > ? order by id limit ?`);
    this.#listGoals = select(GOALS_COLUMNS, `diary_goals where ${OWNED} order by from_date`);
  }

  static open({ file, writer }: SqliteDiaryStoreInit): SqliteDiaryStore {
    const open = () => {
      const sqlite = new Sqlite(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
      sqlite.pragma('query_only = ON');
      sqlite.pragma(`cache_size = -${CACHE_KIB}`);
      sqlite.pragma(`mmap_size = ${MAPPED_BYTES}`);
      return sqlite;
    };
    return new SqliteDiaryStore(open, writer);
  }

  close(): void {
    this.#sqlite.close();
    this.#longReads.close();
  }

  revision(owner: DiaryOwner): number | undefined {
    return this.#writer.revision(owner);
  }

  async findEntry({ tenant, userId }: DiaryOwner, id: string): Promise<DiaryEntry | undefined> {
    const row = this.#findEntry.get(tenant, userId, id) as Row | undefined;
    return row && toEntry(row);
  }

  async listEntries(
    owner: DiaryOwner,
    { range: { from, to }, after, limit }: { range: DayRange; after?: EntryPosition; limit: number },
  ): Promise<DiaryEntry[]> {
    const { date, id } = after ?? { date: from, id: '' };
    const size = Math.min(limit, SLICE_ENTRIES);
    const rows = this.#listEntries.all(owner.tenant, owner.userId, date, id, to, size) as Row[];
    if (rows.length < SLICE_ENTRIES || size === limit) return rows.map(toEntry);
    return this.#longReads.listEntries(owner, { after: { date, id }, to, limit });
  }

  async listLatest({ tenant, userId }: DiaryOwner, limit: number): Promise<DiaryEntry[]> {
    return (this.#listLatest.all(tenant, userId, limit) as Row[]).map(toEntry);
  }

  async sumDays(owner: DiaryOwner, range: DayRange): Promise<DayTotals[]> {
    const { tenant, userId } = owner;
    const { from, to } = range;
    if (from === to) {
      const row = this.#sumDay.get(tenant, userId, from) as Row;
      return row[0] === null ? [] : [toDayTotals(row)];
    }
    const isLong = this.#isLong.get(tenant, userId, from, to) !== undefined;
    if (isLong) return this.#longReads.sumDays(owner, range);
    return (this.#sumDays.all(tenant, userId, from, to) as Row[]).map(toDayTotals);
  }

  async addEntries(owner: DiaryOwner, entries: readonly DiaryEntry[], request?: NamedRequest): Promise<void> {
    await this.#writer.write({ kind: 'addEntries', owner, entries, ...(request && { request }) });
  }

  replaceEntry(owner: DiaryOwner, entry: DiaryEntry): Promise<WriteOutcome> {
    return this.#writer.write({ kind: 'replaceEntry', owner, entry });
  }

  removeEntry(owner: DiaryOwner, id: string, version?: number): Promise<WriteOutcome> {
    return this.#writer.write({ kind: 'removeEntry', owner, id, ...(version !== undefined && { version }) });
  }

  async findRecipe({ tenant, userId }: DiaryOwner, id: string): Promise<Recipe | undefined> {
    const row = this.#findRecipe.get(tenant, userId, id) as Row | undefined;
    return row && toRecipe(row);
  }

  async listRecipes(
    { tenant, userId }: DiaryOwner,
    { after = '', limit }: { after?: string; limit: number },
  ): Promise<Recipe[]> {
    return toRecipes(this.#listRecipes.all(tenant, userId, after, limit) as Row[]);
  }

  async addRecipe(owner: DiaryOwner, recipe: Recipe): Promise<void> {
    await this.#writer.write({ kind: 'addRecipe', owner, recipe });
  }

  replaceRecipe(owner: DiaryOwner, recipe: Recipe): Promise<WriteOutcome> {
    return this.#writer.write({ kind: 'replaceRecipe', owner, recipe });
  }

  removeRecipe(owner: DiaryOwner, id: string, version?: number): Promise<WriteOutcome> {
    return this.#writer.write({ kind: 'removeRecipe', owner, id, ...(version !== undefined && { version }) });
  }

  async listGoals({ tenant, userId }: DiaryOwner): Promise<Goals[]> {
    return (this.#listGoals.all(tenant, userId) as Row[]).map(toGoals);
  }

  async putGoals(
    owner: DiaryOwner,
    goals: Goals,
    { replaceHistory }: { readonly replaceHistory: boolean },
  ): Promise<void> {
    await this.#writer.write({ kind: 'putGoals', owner, goals, replaceHistory });
  }

  async eraseUser(owner: DiaryOwner): Promise<void> {
    await this.#writer.write({ kind: 'eraseUser', owner });
  }
}
