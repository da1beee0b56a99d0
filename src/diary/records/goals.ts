import { type AmountFields, toAmountFields } from './amount-fields.ts';
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

/** Goal minus total for each key with a goal; below 0 if more was eaten. */
export function remainingOf(goals: GoalAmounts, totals: Totals): GoalAmounts {
  const remaining: Partial<Record<AmountKey, Thousandths>> = {};
  for (const key of AMOUNT_KEYS) {
    if (goals[key] !== undefined) remaining[key] = (goals[key] - (totals[key] ?? 0)) as Thousandths;
  }
  return remaining;
}
