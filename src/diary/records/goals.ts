import { type AmountFields, flatAmounts, toAmountFields } from './amount-fields.ts';
import { type Day, WEEKDAYS, type Weekday, weekdayOf } from './day.ts';
import { AMOUNT_KEYS, type AmountKey } from './entry.ts';
import type { Thousandths } from './exact-amount.ts';
import type { Totals } from './totals.ts';

/** A user's goals for a day; keys without a goal are absent. */
export type GoalAmounts = Readonly<Partial<Record<AmountKey, Thousandths>>>;

/** Goals apply from their date until the next ones. */
export interface Goals {
  readonly from: Day;
  /** Amounts of every day. */
  readonly amounts: GoalAmounts;
  /** Amounts of single weekdays, which replace those of every day with the same key. A weekday without amounts is absent. */
  readonly weekdays?: WeekdayAmounts;
}

/** All goals of a user, by first date. */
export interface StatedGoals {
  /** Raised by each write; 0 before the first one. */
  readonly version: number;
  readonly all: readonly Goals[];
}

export type WeekdayAmounts = Readonly<Partial<Record<Weekday, GoalAmounts>>>;

/** Goals in the API and in exports; those of every date have no `from`. */
export type GoalFields = AmountFields & {
  readonly from?: Day;
  readonly weekdays?: WeekdayFields;
};
export type WeekdayFields = { readonly [weekday in Weekday]?: AmountFields | undefined };

export const MAX_GOALS_PER_USER = 1_000;

/** Goals from this date apply to every day; it sorts before every real date. */
export const ALWAYS = '0000-00-00' as Day;

/** The goals of `date`: the last ones that begin on it or before. `goals` is sorted by `from`. */
export function goalsOn(goals: readonly Goals[], date: Day): Goals | undefined {
  return goals.findLast(({ from }) => from <= date);
}

/** The amounts that hold on `date`, those of its weekday included; empty without goals. */
export function amountsOn(goals: Goals | undefined, date: Day): GoalAmounts {
  return { ...goals?.amounts, ...goals?.weekdays?.[weekdayOf(date)] };
}

/** Reads the amounts of each weekday. Returns undefined if all weekdays are without amounts. */
export function parseWeekdays(
  fields: WeekdayFields | undefined,
  parse: (fields: AmountFields) => GoalAmounts,
): WeekdayAmounts | undefined {
  const stated = WEEKDAYS.map((weekday) => [weekday, parse(fields?.[weekday] ?? {})] as const).filter(
    ([, amounts]) => Object.keys(amounts).length > 0,
  );
  return stated.length === 0 ? undefined : Object.fromEntries(stated);
}

export function toGoalFields({ from, amounts, weekdays = {} }: Goals): GoalFields {
  const stated = Object.entries(weekdays).map(([weekday, each]) => [weekday, toAmountFields(each)]);
  return {
    ...(from !== ALWAYS && { from }),
    ...toAmountFields(amounts),
    ...(stated.length > 0 && { weekdays: Object.fromEntries(stated) }),
  };
}

/** A change of goals: what it does not name stays, and null removes. */
export type GoalsPatch = AmountFields<number | null> & {
  readonly weekdays?:
    | { readonly [weekday in Weekday]?: AmountFields<number | null> | null | undefined }
    | null;
};

/** `goals` from a date on, with the changes of `patch`; `parse` checks new amounts. */
export function patchedGoals(
  from: Day,
  goals: Goals | undefined,
  { weekdays, ...patch }: GoalsPatch,
  parse: (fields: Readonly<Partial<Record<AmountKey, number>>>) => GoalAmounts,
): Goals {
  const changed = (before: GoalAmounts = {}, given: AmountFields<number | null> = {}): GoalAmounts => {
    const flat = Object.entries(flatAmounts(given, before));
    const removed = flat.flatMap(([key, amount]) => (amount === null ? [key] : []));
    const kept = Object.entries(before).filter(([key]) => !removed.includes(key));
    return {
      ...Object.fromEntries(kept),
      ...parse(Object.fromEntries(flat.filter(([, amount]) => amount !== null))),
    };
  };
  const ofWeekdays = WEEKDAYS.flatMap((weekday) => {
    const given = weekdays === null ? null : weekdays?.[weekday];
    const amounts = given === null ? {} : changed(goals?.weekdays?.[weekday], given);
    return Object.keys(amounts).length === 0 ? [] : [[weekday, amounts] as const];
  });
  return {
    from,
    amounts: changed(goals?.amounts, patch),
    ...(ofWeekdays.length > 0 && { weekdays: Object.fromEntries(ofWeekdays) }),
  };
}

/** Goal minus total for each key with a goal; below 0 if more was eaten. */
export function remainingOf(goals: GoalAmounts, totals: Totals): GoalAmounts {
  const remaining: Partial<Record<AmountKey, Thousandths>> = {};
  for (const key of AMOUNT_KEYS) {
    if (goals[key] !== undefined) remaining[key] = (goals[key] - (totals[key] ?? 0)) as Thousandths;
  }
  return remaining;
}
