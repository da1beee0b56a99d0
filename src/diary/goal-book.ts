import { AppError } from '@larder/core/errors.ts';
import { type AmountFields, flatAmounts } from './records/amount-fields.ts';
import { parseDay, todayIn } from './records/day.ts';
import { type DecimalAmounts, type DiaryOwner, MAIN_AMOUNTS, parseAmounts } from './records/entry.ts';
import { ALWAYS, type GoalAmounts, type Goals, parseWeekdays, type WeekdayFields } from './records/goals.ts';
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

export interface GoalBookOptions {
  readonly store: DiaryStore;
  readonly nowMs: () => number;
}

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

  async put(owner: DiaryOwner, input: GoalsInput): Promise<Goals> {
    const { from, timeZone = 'UTC', replaceHistory = false, weekdays, ...given } = input;
    const amounts = toGoalAmounts(given);
    const ofWeekdays = parseWeekdays(weekdays, toGoalAmounts);
    if (!replaceHistory && Object.keys(amounts).length === 0 && ofWeekdays === undefined) {
      const fields = [...MAIN_AMOUNTS, 'nutrients', 'weekdays'];
      throw new AppError({
        code: 'invalid_request',
        message: `Give at least one of ${fields.join(', ')}.`,
        details: { fields },
      });
    }
    const { store, nowMs } = this.#options;
    const today = todayIn(timeZone, nowMs());
    const first = replaceHistory ? ALWAYS : today;
    const goals = {
      from: from === undefined ? first : parseDay(from, 'from'),
      amounts,
      ...(ofWeekdays && { weekdays: ofWeekdays }),
    };
    await store.goals.put(owner, goals, { replaceHistory });
    return goals;
  }
}

function toGoalAmounts(fields: AmountFields): GoalAmounts {
  return parseAmounts(flatAmounts(fields) as DecimalAmounts);
}
