import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@larder/core/errors.ts';
import { SLICE_ENTRIES } from '../../base/background-work.ts';
import { idsSince, type NamedRequest } from '../../base/time-ordered-id.ts';
import type { ChangeHints } from '../../db/change-hints.ts';
import type { Dialect, Row } from '../../db/dialect.ts';
import { assigned, type Queries, raw, type Sql, sql } from '../../db/sql.ts';
import { type ChangeKind, type Statement, toRuns, toStatement, type Writer } from '../../db/writer.ts';
import type { Day, DayRange } from '../records/day.ts';
import { type DiaryEntry, type DiaryOwner, MAX_DAY_ENTRIES } from '../records/entry.ts';
import type { DayTotals } from '../records/totals.ts';
import { DaySums, type SummedBy, sumUp, sumUpDay } from './day-sums.ts';
import {
  ENTRY_COLUMNS,
  type EntryRow,
  isPlain,
  PLAIN_ENTRY_COLUMNS,
  READ_ENTRY_COLUMNS,
  toEntries,
  toEntry,
  toEntryRow,
} from './entry-rows.ts';
import { eraseUserData } from './erase-user-data.ts';
import { GoalStore } from './goal-store.ts';
import { isLong, sumInSlices } from './long-sums.ts';
import { MeasurementStore } from './measurement-store.ts';
import { type DiaryNote, listNotes, type NotePage } from './note-store.ts';
import { RecipeStore } from './recipe-store.ts';
import { RecordStore } from './record-store.ts';
import { forgetPhoto, type KeptPhoto, keepPhoto, RememberedPhotoStore } from './remembered-photo-store.ts';
import {
  changeOf,
  findDeleted,
  full,
  isOwned,
  noted,
  toFewLengths,
  type WriteOutcome,
  writeIf,
} from './store-writes.ts';

/** The position of an entry after which a list continues. */
export interface EntryPosition {
  readonly date: Day;
  readonly id: string;
}

export type LatestFood = Pick<
  DiaryEntry,
  'date' | 'addedMethod' | 'foodId' | 'barcode' | 'quantity' | 'unit'
>;
type LatestFoodRow = Pick<EntryRow, 'date' | 'food_id' | 'barcode' | 'added_method' | 'quantity' | 'unit'>;

export interface DiaryStoreOptions {
  readonly db: Queries;
  readonly writer: Writer;
  readonly dialect: Dialect;
  /** Present where they count the writes of all threads and nodes. */
  readonly hints?: ChangeHints;
  /** A user who has added so many entries within 24 hours adds more one by one only. No limit by default. */
  readonly maxNewEntries?: number;
}

const DAY_MS = 86_400_000;
const AFTER_ALL_IDS = '~';
/** Maximum per statement, so that its text stays short. */
const FOUND_AT_ONCE = 32;
const ENTRY = raw(READ_ENTRY_COLUMNS.join());

/**
 * Stores diaries. Guarantees:
 *
 * - A confirmed write is on disk: it survives a crash and a power failure.
 * - A write is atomic: it happens completely or not at all, and no reader sees a part of it.
 * - Every read that begins after a confirmed write sees it, on every thread and node.
 * - Each result, list or sum, is one state of the diary.
 * - Records are found, changed and counted only under their own owner.
 * - Writes wait in a bounded queue. A write that finds it full is not executed and throws, so that the client gets
 *   `unavailable`.
 *
 * PostgreSQL runs each write as one statement, so that no other write comes between check and change. It cuts the names of a
 * write's statements together after 63 characters, so they are short.
 */
export class DiaryStore {
  readonly recipes: RecipeStore;
  readonly goals: GoalStore;
  readonly measurements: MeasurementStore;
  readonly records: RecordStore;
  readonly photos: RememberedPhotoStore;
  readonly #db: Queries;
  readonly #writer: Writer;
  readonly #hints: ChangeHints | undefined;
  readonly #maxNewEntries: number;
  readonly #insertEntries: (rows: readonly Row[]) => Statement;
  readonly #insertPlain: (rows: readonly Row[]) => Statement;

  constructor({ db, writer, dialect, hints, maxNewEntries = Number.MAX_SAFE_INTEGER }: DiaryStoreOptions) {
    this.recipes = new RecipeStore({ db, writer, dialect });
    this.goals = new GoalStore({ db, writer });
    this.measurements = new MeasurementStore({ db, writer, dialect });
    this.records = new RecordStore({ db, writer, dialect });
    this.photos = new RememberedPhotoStore({ db, writer });
    this.#db = db;
    this.#writer = writer;
    this.#hints = hints;
    this.#maxNewEntries = maxNewEntries;
    this.#insertEntries = dialect.insertInto('diary_entries', ENTRY_COLUMNS);
    this.#insertPlain = dialect.insertInto('diary_entries', PLAIN_ENTRY_COLUMNS);
  }

  /**
   * A number that differs after each confirmed change to the owner's diary; undefined if the store does not know it.
   * Read it before the data it describes.
   */
  hint(owner: DiaryOwner): number | undefined {
    return this.#hints?.of(owner);
  }

  async findEntry(owner: DiaryOwner, id: string): Promise<DiaryEntry | undefined> {
    const query = sql<EntryRow>`select ${ENTRY} from diary_entries where ${isOwned(owner)} and id = ${id}`;
    const row = await query.prepared('find-entry').first(this.#db);
    return row && toEntry(row);
  }

  /** Returns the entries that exist, in no order. */
  async findEntries(owner: DiaryOwner, ids: readonly string[]): Promise<DiaryEntry[]> {
    const found: DiaryEntry[] = [];
    for (let at = 0; at < ids.length; at += FOUND_AT_ONCE)
      found.push(...(await this.#findSome(owner, ids.slice(at, at + FOUND_AT_ONCE))));
    return found;
  }

  /** Returns those of at most 100 ids that deleted records of this kind had. */
  async findDeleted(
    owner: DiaryOwner,
    kind: ChangeKind,
    ids: readonly string[],
  ): Promise<ReadonlySet<string>> {
    return findDeleted(this.#db, owner, kind, ids);
  }

  async #findSome(owner: DiaryOwner, ids: readonly string[]): Promise<DiaryEntry[]> {
    // Each by itself: PostgreSQL would read all entries of the user for a list of ids, since it expects a few.
    const [first, ...others] = toFewLengths(ids).map(
      (id) => sql`select ${ENTRY} from diary_entries where ${isOwned(owner)} and id = ${id}`,
    );
    if (first === undefined) return [];
    const query = others.reduce((all, next) => sql`${all} union all ${next}`, first) as Sql<EntryRow>;
    return toEntries(await query.prepared(`find-entries-${others.length + 1}`).all(this.#db));
  }

  /** Ordered by date, then by writing; at most `limit`. */
  async listEntries(
    owner: DiaryOwner,
    {
      range: { from, to },
      after = { date: from, id: '' },
      limit,
    }: { readonly range: DayRange; readonly after?: EntryPosition; readonly limit: number },
  ): Promise<DiaryEntry[]> {
    const page = (db: Queries, { date, id }: EntryPosition, size: number) =>
      sql<EntryRow>`
        select ${ENTRY} from diary_entries
        where ${isOwned(owner)} and (date, id) > (${date}, ${id}) and date <= ${to}
        order by date, id limit ${size}`
        .prepared('list-entries')
        .all(db);
    const size = this.#db.inOneState ? Math.min(limit, SLICE_ENTRIES) : limit;
    const rows = await page(this.#db, after, size);
    if (size === limit || rows.length < size) return toEntries(rows);
    // A list that would keep the thread busy for long is read in slices.
    return this.#db.inOneState!(nameOf(owner), async (db) => {
      const entries: DiaryEntry[] = [];
      for (;;) {
        const left = limit - entries.length;
        const slice = await page(db, entries.at(-1) ?? after, Math.min(SLICE_ENTRIES, left));
        entries.push(...slice.map(toEntry));
        if (slice.length < SLICE_ENTRIES || entries.length === limit) return entries;
        await nextTurn();
      }
    });
  }

  /** The entries of the latest dates, newest first. */
  async listLatest(owner: DiaryOwner, limit: number): Promise<DiaryEntry[]> {
    const query = sql<EntryRow>`
      select ${ENTRY} from diary_entries where ${isOwned(owner)} order by date desc, id desc limit ${limit}`;
    return toEntries(await query.prepared('list-latest').all(this.#db));
  }

  /** What `listLatest` returns, with the fields that say which foods were eaten. */
  async listLatestFoods(owner: DiaryOwner, limit: number): Promise<LatestFood[]> {
    const query = sql<LatestFoodRow>`
      select date, food_id, barcode, added_method, quantity, unit from diary_entries
      where ${isOwned(owner)} order by date desc, id desc limit ${limit}`;
    const rows = await query.prepared('list-latest-foods').all(this.#db);
    return rows.map(({ date, food_id, barcode, added_method: addedMethod, quantity, unit }) => ({
      date,
      addedMethod,
      ...(food_id !== null && { foodId: food_id }),
      ...(barcode !== null && { barcode }),
      ...(quantity !== null && { quantity }),
      ...(unit !== null && { unit }),
    }));
  }

  /** See `listNotes`. */
  listNotes(owner: DiaryOwner, page: NotePage): Promise<DiaryNote[]> {
    return listNotes(this.#db, owner, page);
  }

  /** One element for each date of the range with entries, in order; by meal with the sums of meals that have entries. */
  async sumDays(owner: DiaryOwner, range: DayRange, by: SummedBy = 'day'): Promise<DayTotals[]> {
    const db = this.#db;
    const { from, to } = range;
    const owned = isOwned(owner);
    if (from === to && by === 'day')
      return (await new DaySums().add(await sumUpDay(owned, from).all(db))).toDays();
    if (await isLong(db, owned, range))
      return db.inOneState!(nameOf(owner), (one) => sumInSlices(one, owned, range, by));
    const entries = sql`diary_entries where ${owned} and date between ${from} and ${to}`;
    return (await new DaySums().add(await sumUp(entries, by, `sum-${by}s`).all(db))).toDays();
  }

  /**
   * Throws `invalid_request` if a date would have more than `MAX_DAY_ENTRIES`, and `quota_exceeded` if there are several and
   * the user would have added more within 24 hours than a user may. Records in the same transaction that
   * `request`, if given, was executed, and what is kept of the photo that one of them is of. With `chosenAtMs` their client chose the ids:
   * throws a `ConstraintError` for one that was deleted.
   */
  async addEntries(
    owner: DiaryOwner,
    entries: readonly DiaryEntry[],
    request?: NamedRequest,
    chosenAtMs?: number,
    photo?: KeptPhoto,
  ): Promise<void> {
    const added = new Map<string, number>();
    for (const { date } of entries) added.set(date, (added.get(date) ?? 0) + 1);
    // Single entries are bounded by the rate of requests; counting those of a day costs more than writing one.
    const max = entries.length === 1 ? Number.MAX_SAFE_INTEGER : this.#maxNewEntries;
    // Entries of an import were created earlier.
    const sinceMs = (chosenAtMs ?? entries[0]!.createdAt) - DAY_MS;
    const since = max === Number.MAX_SAFE_INTEGER ? AFTER_ALL_IDS : idsSince(sinceMs);
    const owned = sql`diary_entries where ${isOwned(owner)}`;
    const [first, ...others] = Array.from(added, ([date, count], at) => {
      const hasRoom = sql`
        select 1 as room where (select count(*) from ${owned} and date = ${date}) <= ${MAX_DAY_ENTRIES - count}`;
      if (entries.length === 1) return hasRoom.prepared('has-room');
      // New ones are counted once, with the first day.
      const after = at === 0 ? since : AFTER_ALL_IDS;
      return sql`
        ${hasRoom} and not exists (${newEntries(owner, after, sinceMs)} limit 1 offset ${max - entries.length})`.prepared(
        'have-room',
      );
    });
    const insert = entries.every(isPlain) ? this.#insertPlain : this.#insertEntries;
    const ids = entries.map(({ id }) => id);
    const hasRoom = await writeIf(
      this.#writer,
      { ...changeOf(owner, 'entry', ids), chosenAtMs },
      toRuns([first!, ...others]),
      insert(entries.map((entry) => toEntryRow(owner, entry))),
      ...noted(request),
      ...(photo === undefined ? [] : keepPhoto(owner, photo)),
    );
    if (hasRoom) return;
    const counting = sql<{ readonly count: number }>`
      select count(*) as count from (${newEntries(owner, since, sinceMs)} limit ${max}) as counted`;
    const { count } = (await counting.prepared('count-since').first(this.#db))!;
    if (count > max - entries.length) throw tooManyNewEntries(count, max);
    throw fullDay([...added.keys()]);
  }

  /** Replaces the previous version; the date may differ. */
  async replaceEntry(owner: DiaryOwner, entry: DiaryEntry): Promise<WriteOutcome> {
    const { id, date, version } = entry;
    const replacement = sql`
      update diary_entries set ${assigned(toEntryRow(owner, entry))}
      where ${isOwned(owner)} and id = ${id} and version = ${version - 1} and (
        date = ${date}
        or (select count(*) from diary_entries where ${isOwned(owner)} and date = ${date}) < ${MAX_DAY_ENTRIES})`;
    const statement = toStatement(replacement.prepared('replace-entry'));
    if (await writeIf(this.#writer, changeOf(owner, 'entry', [id]), statement)) return 'done';
    const found = await this.findEntry(owner, id);
    if (found?.version === version - 1) throw fullDay([date]);
    return found === undefined ? 'missing' : 'conflict';
  }

  /** Removes any version if `version` is absent. */
  async removeEntry(owner: DiaryOwner, id: string, version = null as number | null): Promise<WriteOutcome> {
    const removal = sql`
      delete from diary_entries where ${isOwned(owner)} and id = ${id} and version = coalesce(${version}, version)`;
    const statement = toStatement(removal.prepared('remove-entry'));
    const change = changeOf(owner, 'entry', [id], true);
    if (await writeIf(this.#writer, change, statement, forgetPhoto(owner, id))) return 'done';
    return (await this.findEntry(owner, id)) === undefined ? 'missing' : 'conflict';
  }

  /** Erases all data of the user, including stored responses about the user, whoever sent the requests. */
  eraseUser(owner: DiaryOwner): Promise<void> {
    return eraseUserData({ db: this.#db, writer: this.#writer }, owner);
  }
}

/**
 * A row for each entry of the last 24 hours: those with ids of this service by their ids, in which the position in the request, below
 * 1,024, follows the time; and those with ids that clients chose by the log. None where all ids are smaller than `after`.
 */
function newEntries(owner: DiaryOwner, after: string, sinceMs: number): Sql {
  return sql`
    select 1 from diary_entries where ${isOwned(owner)} and id > ${after} and substr(id, 11, 2) = '00' and length(id) = 26
    union all
    select 1 from changes where ${isOwned(owner)}
      and chosen_at_ms > ${after === AFTER_ALL_IDS ? Number.MAX_SAFE_INTEGER : sinceMs} and kind = 'entry'`;
}

/** The name under which long reads of a diary wait. */
function nameOf({ tenant, userId }: DiaryOwner): string {
  return `${tenant}\n${userId}`;
}

function tooManyNewEntries(used: number, limit: number): AppError {
  return new AppError({
    code: 'quota_exceeded',
    message: `A user can add at most ${limit} diary entries within 24 hours by requests with several, and has added ${used}; add the others later or one by one.`,
    details: { quota: 'new_entries_per_user', limit, used },
  });
}

function fullDay(dates: readonly string[]): AppError {
  const which = dates.length === 1 ? `${dates[0]} is full` : 'one of these days would hold more';
  return full(`A day holds at most ${MAX_DAY_ENTRIES} entries, and ${which}.`, MAX_DAY_ENTRIES);
}
