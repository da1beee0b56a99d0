import type { AnyNutrientKey } from '@larder/core/nutrients.ts';
import { z } from 'zod';
import { sumDays } from '../../../api/diary/days.ts';
import { changeGoals, getGoals } from '../../../api/diary/goals.ts';
import type { KnownNutrients } from '../../../api/nutrients.ts';
import { WEEKDAYS } from '../../../diary/records/day.ts';
import { type AmountKey, MEAL_TYPES, NUTRIENT_OF } from '../../../diary/records/entry.ts';
import type { GoalFields } from '../../../diary/records/goals.ts';
import { invalidField } from '../../../diary/records/invalid-field.ts';
import { furtherInput, goalsInput, nutrients, nutrientsWith, rounded } from '../amounts.ts';
import { dateInput, dayInputs, daysBefore, timeZoneInput, understandDay, understoodDay } from '../days.ts';
import { dayTotals, entryOf, entryResult, readDay } from '../entries.ts';
import { ask, changesDiary, ofUser, readsDiary, tool } from '../tool.ts';
import { dayNoteFields, readDayNotes } from './day-notes.ts';

export const getDayTool = tool({
  name: 'get_day',
  title: 'Read a day of the diary',
  description:
    'The entries of a day by meal, with their ids, the sums of the day against its goals, and its note and water.',
  ...readsDiary,
  input: z.strictObject({ ...dayInputs, further: furtherInput }),
  output: z.object({
    day: understoodDay,
    meals: z.array(z.object({ mealType: z.string(), entries: z.array(entryResult) })),
    totals: dayTotals,
    ...dayNoteFields,
    hasMore: z
      .boolean()
      .optional()
      .describe('True if there are more entries than shown; totals include them.'),
  }),
  async run({ date, further }, context) {
    const keys = nutrientsWith(further);
    const day = understandDay(date, context);
    const [{ entries, hasMore, totals }, notes] = await Promise.all([
      readDay(context, day.date, keys),
      readDayNotes(context, day.date),
    ]);
    const shown = entries.map((entry) => entryOf(entry, keys));
    const meals = MEAL_TYPES.map((mealType) => ({
      mealType,
      entries: shown.filter((entry) => entry.mealType === mealType),
    }));
    return {
      day,
      meals: meals.filter((meal) => meal.entries.length > 0),
      totals,
      ...notes,
      ...(hasMore && { hasMore }),
    };
  },
});

/** A quarter of a year: more would fill the context of a model. */
const MAX_DAYS = 92;
const USUAL_DAYS = 7;

interface DatedSums {
  readonly date: string;
  readonly entries: number;
  readonly nutrients: KnownNutrients;
  readonly unknown?: readonly AmountKey[];
}

export const getTrendTool = tool({
  name: 'get_trend',
  title: 'Read several days',
  description: `The sums of each of up to ${MAX_DAYS} days, and their averages over the days with entries.`,
  ...readsDiary,
  input: z.strictObject({
    to: dateInput.describe('Last day: YYYY-MM-DD, "today" or "yesterday". Default: today.'),
    days: z.int().min(1).max(MAX_DAYS).default(USUAL_DAYS).describe('How many days up to it.'),
    timeZone: timeZoneInput,
    further: furtherInput,
  }),
  output: z.object({
    from: z.string(),
    to: understoodDay,
    days: z.array(
      z.object({
        date: z.string(),
        entries: z.union([z.int(), z.literal('no entries')]).describe('How many entries the day has.'),
        nutrients: nutrients.optional().describe('Absent for a day without entries.'),
        unknown: z
          .array(z.string())
          .optional()
          .describe('Nutrients whose sum is too low, since not all foods of the day state them.'),
      }),
    ),
    daysWithEntries: z.int(),
    averages: nutrients.describe('Averages of the days with entries.'),
    unknown: z.array(z.string()).optional().describe('Nutrients whose average is too low.'),
  }),
  async run({ to: given, days: count, further }, context) {
    const keys = nutrientsWith(further);
    const to = understandDay(given, context, 'to');
    const from = daysBefore(to.date, count - 1);
    const sums = await ask<DatedSums[]>(context, sumDays, {
      params: ofUser(context),
      query: { from, to: to.date },
    });
    const logged = sums.filter(({ entries }) => entries > 0);
    const averages = keys.flatMap((key) => {
      const stated = logged.flatMap((day) => day.nutrients[key] ?? []);
      return stated.length === 0
        ? []
        : [[key, stated.reduce((sum, one) => sum + one, 0) / logged.length] as const];
    });
    const low = averages
      .filter(([key]) =>
        logged.some((day) => day.nutrients[key] === undefined || lowOf(day, keys).includes(key)),
      )
      .map(([key]) => key);
    const days = sums.map((day) => {
      const { date, entries } = day;
      if (entries === 0) return { date, entries: 'no entries' as const };
      const unknown = lowOf(day, keys);
      return {
        date,
        entries,
        nutrients: rounded(day.nutrients, keys),
        ...(unknown.length > 0 && { unknown }),
      };
    });
    return {
      from,
      to,
      days,
      daysWithEntries: logged.length,
      averages: rounded(Object.fromEntries(averages), keys),
      ...(low.length > 0 && { unknown: low }),
    };
  },
});

/** The nutrients whose sum is too low, since some entries do not state them. A nutrient that no entry states has no sum. */
function lowOf(
  { nutrients: sums, unknown = [] }: DatedSums,
  keys: readonly AnyNutrientKey[],
): AnyNutrientKey[] {
  return unknown
    .map((key) => NUTRIENT_OF[key])
    .filter((key) => sums[key] !== undefined && keys.includes(key));
}

const REMOVES = 'null removes a goal';

/** Weekdays that have the same amounts stand together, which keeps the schema and most calls short. */
const weekdayInputs = z
  .array(
    z.strictObject({ days: z.array(z.enum(WEEKDAYS)).min(1).max(WEEKDAYS.length), nutrients: goalsInput }),
  )
  .max(WEEKDAYS.length)
  .describe(
    `Other goals on weekdays, each named once: these amounts replace those of every day, which else hold there, too; ${REMOVES}.`,
  );
const weekdayNutrients = z.record(z.string(), nutrients).describe('The amounts that differ, by weekday.');

export const setGoalsTool = tool({
  name: 'set_goals',
  title: 'Set goals',
  description:
    'Sets daily goals from a day on, until the next ones. Goals that are left out stay as they are on that day, those of weekdays ' +
    `included; ${REMOVES}. Earlier days keep theirs.`,
  ...changesDiary,
  input: z.strictObject({
    from: dateInput.describe('First day: YYYY-MM-DD, "today" or "yesterday". Default: today.'),
    timeZone: timeZoneInput,
    nutrients: goalsInput.optional(),
    weekdays: weekdayInputs.optional(),
  }),
  output: z.object({
    from: understoodDay,
    goals: nutrients,
    weekdays: weekdayNutrients.optional(),
    before: nutrients
      .optional()
      .describe('The goals of that day before, where the credential may read them.'),
    weekdaysBefore: weekdayNutrients.optional(),
  }),
  async run({ from: given, nutrients: goals = {}, weekdays: others = [] }, context) {
    const weekdays = others.flatMap(({ days, nutrients: each }) =>
      days.map((day) => [day, { nutrients: each }] as const),
    );
    if (new Set(weekdays.map(([day]) => day)).size < weekdays.length)
      throw invalidField('weekdays', '"weekdays" may name each weekday once.');
    if (
      [goals, ...weekdays.map(([, each]) => each.nutrients)].every((each) => Object.keys(each).length === 0)
    )
      throw invalidField(
        'nutrients',
        'Give at least one goal in "nutrients", such as "energy" or "protein".',
      );
    const from = understandDay(given, context, 'from');
    const params = ofUser(context);
    const mayRead = context.caller.scopes.includes('diary:read');
    const before = mayRead
      ? await ask<GoalFields>(context, getGoals, { params, query: { date: from.date } })
      : undefined;
    const body = { from: from.date, nutrients: goals, weekdays: Object.fromEntries(weekdays) };
    const kept = await ask<GoalFields>(context, changeGoals, { params, body });
    return {
      from,
      goals: kept.nutrients ?? {},
      weekdays: ofWeekdays(kept),
      before: before && (before.nutrients ?? {}),
      weekdaysBefore: before && ofWeekdays(before),
    };
  },
});

function ofWeekdays({ weekdays }: GoalFields): z.infer<typeof weekdayNutrients> | undefined {
  return (
    weekdays &&
    Object.fromEntries(Object.entries(weekdays).map(([weekday, each]) => [weekday, each.nutrients ?? {}]))
  );
}
