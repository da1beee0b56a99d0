import type { NamedRequest } from '../../time-ordered-id.ts';
import type { Day, DayRange } from './day.ts';
import type { DiaryEntry, DiaryOwner } from './entry.ts';
import type { Goals } from './goals.ts';
import type { Recipe } from './recipe.ts';
import type { DayTotals } from './totals.ts';

/** A list continues after this entry. */
export interface EntryPosition {
  readonly date: Day;
  readonly id: string;
}

/** `conflict`: it exists in another version than expected. */
export type WriteOutcome = 'done' | 'missing' | 'conflict';

/**
 * Where diaries lie. What it promises:
 *
 * - A write that has been answered is on disk: it survives the end of the process and of the power.
 * - A write is one step: it happens whole or not at all, and no reader sees half of it.
 * - What was answered is seen by every read that begins afterwards, on every thread and node.
 * - Each answer, list or sum, is one state of the diary.
 * - Nothing is found, changed or counted under any owner but its own.
 * - Writes wait in a bounded queue. One that finds it full is not carried out and throws, so that the client sees
 *   `unavailable`.
 */
export interface DiaryStore {
  /**
   * A number that differs after each confirmed change to the owner's diary; undefined if the store does not know it.
   * Read it before the data it describes.
   */
  revision(owner: DiaryOwner): number | undefined;

  findEntry(owner: DiaryOwner, id: string): Promise<DiaryEntry | undefined>;
  /** By date, then in the order of writing; at most `limit`. */
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
  /** Without `version`, removes any version. */
  removeEntry(owner: DiaryOwner, id: string, version?: number): Promise<WriteOutcome>;

  findRecipe(owner: DiaryOwner, id: string): Promise<Recipe | undefined>;
  /** In the order of writing. */
  listRecipes(
    owner: DiaryOwner,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<Recipe[]>;
  /** Throws `invalid_request` if the user would have more than `MAX_RECIPES_PER_USER`. Notes `request` as `addEntries` does. */
  addRecipe(owner: DiaryOwner, recipe: Recipe, request?: NamedRequest): Promise<void>;
  replaceRecipe(owner: DiaryOwner, recipe: Recipe): Promise<WriteOutcome>;
  removeRecipe(owner: DiaryOwner, id: string, version?: number): Promise<WriteOutcome>;

  /** All goals of the user by date; at most `MAX_GOALS_PER_USER`. */
  listGoals(owner: DiaryOwner): Promise<Goals[]>;
  /** Replaces the goals of the same date; with `replaceHistory` all goals of the user. */
  putGoals(owner: DiaryOwner, goals: Goals, options: { readonly replaceHistory: boolean }): Promise<void>;

  /** Erases everything of the user, including stored responses about the user, whoever sent the requests. */
  eraseUser(owner: DiaryOwner): Promise<void>;
}
