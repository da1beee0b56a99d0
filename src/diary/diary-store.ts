import type { NamedRequest } from '../time-ordered-id.ts';
import type { Day, DayRange } from './day.ts';
import type { DiaryEntry, DiaryOwner } from './entry.ts';
import type { Goals } from './goals.ts';
import type { Recipe } from './recipe.ts';
import type { DayTotals } from './totals.ts';

/** Where a list goes on: after this entry. */
export interface EntryPosition {
  readonly date: Day;
  readonly id: string;
}

/** `conflict`: it exists, but not in the expected version. */
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
   * A number that differs after each answered change to the owner's diary; undefined where the store cannot tell at once.
   * Read it before the data that it is to vouch for.
   */
  revision(owner: DiaryOwner): number | undefined;

  findEntry(owner: DiaryOwner, id: string): Promise<DiaryEntry | undefined>;
  /** In the order of day, then of writing; at most `limit`. */
  listEntries(
    owner: DiaryOwner,
    page: { readonly range: DayRange; readonly after?: EntryPosition; readonly limit: number },
  ): Promise<DiaryEntry[]>;
  /** The entries of the latest days, newest first. */
  listLatest(owner: DiaryOwner, limit: number): Promise<DiaryEntry[]>;
  /** One element for each day of the range that has entries, in order. */
  sumDays(owner: DiaryOwner, range: DayRange): Promise<DayTotals[]>;
  /**
   * Throws `invalid_request` when a day would then hold more than `MAX_DAY_ENTRIES`. Notes in the same step that `request`, where
   * one is given, was carried out.
   */
  addEntries(owner: DiaryOwner, entries: readonly DiaryEntry[], request?: NamedRequest): Promise<void>;
  /** Puts `entry` in the place of the version before it; its day may be another. */
  replaceEntry(owner: DiaryOwner, entry: DiaryEntry): Promise<WriteOutcome>;
  /** Removes any version where none is given. */
  removeEntry(owner: DiaryOwner, id: string, version?: number): Promise<WriteOutcome>;

  findRecipe(owner: DiaryOwner, id: string): Promise<Recipe | undefined>;
  /** In the order of writing. */
  listRecipes(
    owner: DiaryOwner,
    page: { readonly after?: string; readonly limit: number },
  ): Promise<Recipe[]>;
  /** Throws `invalid_request` when the user would then have more than `MAX_RECIPES_PER_USER`. */
  addRecipe(owner: DiaryOwner, recipe: Recipe): Promise<void>;
  replaceRecipe(owner: DiaryOwner, recipe: Recipe): Promise<WriteOutcome>;
  removeRecipe(owner: DiaryOwner, id: string, version?: number): Promise<WriteOutcome>;

  /** All goals of the user in the order of their day; at most `MAX_GOALS_PER_USER`. */
  listGoals(owner: DiaryOwner): Promise<Goals[]>;
  /** Replaces the goals of the same day; with `replaceHistory` all goals of the user. */
  putGoals(owner: DiaryOwner, goals: Goals, options: { readonly replaceHistory: boolean }): Promise<void>;

  /** Erases all that is kept of the user, also the kept answers to repeated requests about the user, whoever sent them. */
  eraseUser(owner: DiaryOwner): Promise<void>;
}
