import type { NamedRequest } from '../../base/time-ordered-id.ts';
import type { Day, DayRange } from './day.ts';
import type { DiaryEntry, DiaryOwner } from './entry.ts';
import type { Goals } from './goals.ts';
import type { Recipe } from './recipe.ts';
import type { DayTotals } from './totals.ts';

/** The position of an entry after which a list continues. */
export interface EntryPosition {
  readonly date: Day;
  readonly id: string;
}

/** `conflict`: the record has another version than expected. */
export type WriteOutcome = 'done' | 'missing' | 'conflict';

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
 */
export interface DiaryStore {
  /**
   * A number that differs after each confirmed change to the owner's diary; undefined if the store does not know it.
   * Read it before the data it describes.
   */
  hint(owner: DiaryOwner): number | undefined;

  findEntry(owner: DiaryOwner, id: string): Promise<DiaryEntry | undefined>;
  /** Those of at most 32 that are there, in no order. */
  findEntries(owner: DiaryOwner, ids: readonly string[]): Promise<DiaryEntry[]>;
  /** Ordered by date, then by writing; at most `limit`. */
  listEntries(
    owner: DiaryOwner,
    page: { readonly range: DayRange; readonly after?: EntryPosition; readonly limit: number },
  ): Promise<DiaryEntry[]>;
  /** The entries of the latest dates, newest first. */
  listLatest(owner: DiaryOwner, limit: number): Promise<DiaryEntry[]>;
  /** One element for each date of the range with entries, in order; by meal with the sums of meals that have entries. */
  sumDays(owner: DiaryOwner, range: DayRange, by?: 'day' | 'meal'): Promise<DayTotals[]>;
  /**
   * Throws `invalid_request` if a date would have more than `MAX_DAY_ENTRIES`, and `quota_exceeded` if there are several and
   * the user would have added more within 24 hours than a user may. Records in the same transaction that
   * `request`, if given, was executed.
   */
  addEntries(owner: DiaryOwner, entries: readonly DiaryEntry[], request?: NamedRequest): Promise<void>;
  /** Replaces the previous version; the date may differ. */
  replaceEntry(owner: DiaryOwner, entry: DiaryEntry): Promise<WriteOutcome>;
  /** Removes any version if `version` is absent. */
  removeEntry(owner: DiaryOwner, id: string, version?: number): Promise<WriteOutcome>;

  findRecipe(owner: DiaryOwner, id: string): Promise<Recipe | undefined>;
  /** Those of at most 32 that are there, in no order. */
  findRecipes(owner: DiaryOwner, ids: readonly string[]): Promise<Recipe[]>;
  /** Ordered by writing. */
  listRecipes(
    owner: DiaryOwner,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<Recipe[]>;
  /**
   * Throws `invalid_request` if the user would have more than `MAX_RECIPES_PER_USER`. Records `request` as `addEntries`
   * does.
   */
  addRecipe(owner: DiaryOwner, recipe: Recipe, request?: NamedRequest): Promise<void>;
  replaceRecipe(owner: DiaryOwner, recipe: Recipe): Promise<WriteOutcome>;
  removeRecipe(owner: DiaryOwner, id: string, version?: number): Promise<WriteOutcome>;

  /** All goals of the user by date; at most `MAX_GOALS_PER_USER`. */
  listGoals(owner: DiaryOwner): Promise<Goals[]>;
  /** Replaces the goals of the same date; with `replaceHistory` all goals of the user. */
  putGoals(owner: DiaryOwner, goals: Goals, options: { readonly replaceHistory: boolean }): Promise<void>;

  /** Erases all data of the user, including stored responses about the user, whoever sent the requests. */
  eraseUser(owner: DiaryOwner): Promise<void>;
}
