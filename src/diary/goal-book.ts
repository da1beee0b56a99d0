import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@larder/core/errors.ts';
import { versionConflict } from './diary-errors.ts';
import { type AmountFields, flatAmounts, statedIn } from './records/amount-fields.ts';
import { type Day, parseDay, todayIn } from './records/day.ts';
import {
  AMOUNT_KEYS,
  type DecimalAmounts,
  type DiaryOwner,
  MAIN_AMOUNTS,
  parseAmounts,
} from './records/entry.ts';
import {
  ALWAYS,
  type GoalAmounts,
  type Goals,
  type GoalsPatch,
  goalsOn,
  parseWeekdays,
  patchedGoals,
  type StatedGoals,
  type WeekdayFields,
} from './records/goals.ts';
import type { DiaryStore } from './store/diary-store.ts';

export type GoalsInput = AmountFields & {
  /** Amounts of single weekdays, which replace those of every day; a weekday without amounts is like an absent one. */
  readonly weekdays?: WeekdayFields | undefined;
  /** The first date of the goals; today if absent. */
  readonly from?: string | undefined;
  /** The time zone of today if `from` is absent, an IANA name; UTC by default. */
  readonly timeZone?: string | undefined;
  /** Deletes all earlier goals. Without `from` the new goals hold for every day. */
  readonly replaceHistory?: boolean | undefined;
};

export type GoalsChange = GoalsPatch & Pick<GoalsInput, 'from' | 'timeZone'>;

export interface GoalBookOptions {
  readonly store: DiaryStore;
  readonly nowMs: () => number;
}

/** Goals with the version of all goals of the user. */
export interface VersionedGoals {
  readonly goals: Goals;
  readonly version: number;
}

/** Maximum attempts of a change that competes with other writers. */
const MAX_CHANGE_ATTEMPTS = 20;

/** The goals of users. */
export class GoalBook {
  readonly #options: GoalBookOptions;

  constructor(options: GoalBookOptions) {
    this.#options = options;
  }

  /** Lists goals by first date. */
  list(owner: DiaryOwner): Promise<Goals[]> {
    return this.#options.store.goals.list(owner);
  }

  read(owner: DiaryOwner): Promise<StatedGoals> {
    return this.#options.store.goals.read(owner);
  }

  /** Replaces all goals of the same date. Throws `version_conflict` if `expected` is given and is not the version of the user's goals. */
  async put(owner: DiaryOwner, input: GoalsInput, expected?: number): Promise<VersionedGoals> {
    const { from, timeZone, replaceHistory = false, weekdays, ...given } = input;
    const amounts = toGoalAmounts(given);
    const ofWeekdays = parseWeekdays(weekdays, toGoalAmounts);
    if (!replaceHistory && Object.keys(amounts).length === 0 && ofWeekdays === undefined)
      throw nothingGiven('Give');
    const { goals: store } = this.#options.store;
    const first = from === undefined && replaceHistory ? ALWAYS : this.#firstDay(from, timeZone);
    const goals = { from: first, amounts, ...(ofWeekdays && { weekdays: ofWeekdays }) };
    requireSome(expected);
    const version = await store.put(owner, goals, { replaceHistory, expected });
    if (version === undefined) throw versionConflict();
    return { goals, version };
  }

  /** Changes the goals that hold from a date on; those that the change does not name stay as they are on that date. */
  async change(owner: DiaryOwner, input: GoalsChange, expected?: number): Promise<VersionedGoals> {
    const { from: given, timeZone, ...patch } = input;
    if (
      AMOUNT_KEYS.every((key) => statedIn(patch, key).length === 0) &&
      Object.keys(patch.weekdays ?? {}).length === 0 &&
      patch.weekdays !== null
    )
      throw nothingGiven('Change');
    const from = this.#firstDay(given, timeZone);
    const { goals: store } = this.#options.store;
    requireSome(expected);
    for (let attempt = 0; attempt < MAX_CHANGE_ATTEMPTS; attempt++) {
      const { all, version } = await store.read(owner);
      if (expected !== undefined && version !== expected) break;
      const before = goalsOn(all, from);
      const goals = patchedGoals(from, before, patch, (amounts) => parseAmounts(amounts as DecimalAmounts));
      if (isDeepStrictEqual(goals, before)) return { goals, version };
      const next = await store.put(owner, goals, { expected: version });
      if (next !== undefined) return { goals, version: next };
    }
    throw versionConflict();
  }

  /** Removes the goals that begin on a date, those of every date, or with `all` all goals. */
  async remove(
    owner: DiaryOwner,
    { from, all }: { readonly from?: Day | undefined; readonly all?: boolean | undefined },
    expected?: number,
  ): Promise<void> {
    requireSome(expected);
    const removed = all === true ? undefined : (from ?? ALWAYS);
    const outcome = await this.#options.store.goals.remove(owner, removed, expected);
    if (outcome === 'conflict') throw versionConflict();
    if (outcome === 'missing')
      throw new AppError({ code: 'goals_not_found', message: 'There are no goals that begin on this day.' });
  }

  #firstDay(from: string | undefined, timeZone = 'UTC'): Day {
    const today = todayIn(timeZone, this.#options.nowMs());
    return from === undefined ? today : parseDay(from, 'from');
  }
}

/** The store takes version 0 for that of a user who never had goals, which no client can expect. */
function requireSome(expected: number | undefined): void {
  if (expected === 0) throw versionConflict();
}

function nothingGiven(verb: string): AppError {
  const fields = [...MAIN_AMOUNTS, 'nutrients', 'weekdays'];
  return new AppError({
    code: 'invalid_request',
    message: `${verb} at least one of ${fields.join(', ')}.`,
    details: { fields },
  });
}

function toGoalAmounts(fields: AmountFields): GoalAmounts {
  return parseAmounts(flatAmounts(fields) as DecimalAmounts);
}
