import { z } from 'zod';
import { changeGoals, getGoals } from '../../../api/diary/goals.ts';
import { WEEKDAYS } from '../../../diary/records/day.ts';
import type { GoalFields } from '../../../diary/records/goals.ts';
import { invalidField } from '../../../diary/records/invalid-field.ts';
import { goalsInput, nutrients } from '../amounts.ts';
import { dateInput, timeZoneInput, understandDay, understoodDay } from '../days.ts';
import { ask, ofUser, REPLACES, tool } from '../tool.ts';

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
  scope: 'diary:write',
  user: 'required',
  annotations: REPLACES,
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
