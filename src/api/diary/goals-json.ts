import { z } from 'zod';
import type { GoalsInput } from '../../diary/goal-book.ts';
import { toAmountFields } from '../../diary/records/amount-fields.ts';
import { type Day, WEEKDAYS, type Weekday } from '../../diary/records/day.ts';
import { amountsOn, type Goals, toGoalFields } from '../../diary/records/goals.ts';
import { withoutReadOnly } from '../fields.ts';
import type { Outcome } from '../operation.ts';
import { nutrientSums, optionalAmounts, realDate } from './diary-fields-schema.ts';

/** An optional field for each weekday. */
function weekdayFields<Schema extends z.ZodType>(schema: Schema): Record<Weekday, z.ZodOptional<Schema>> {
  return Object.fromEntries(WEEKDAYS.map((weekday) => [weekday, schema.optional()])) as ReturnType<
    typeof weekdayFields<Schema>
  >;
}

const weekdaysInput = z
  .strictObject(weekdayFields(z.strictObject(optionalAmounts).meta({ id: 'GoalAmountsInput' })))
  .meta({ id: 'GoalWeekdaysInput' });

/** Fields that are answered and that nobody can write. */
const READ_ONLY = ['onDate', 'all'];

const goalsInput = z
  .strictObject({
    from: realDate.optional().describe('First day on which the goals apply; today when absent.'),
    timeZone: z
      .string()
      .optional()
      .describe('Name of the IANA time zone that says which day is today, without `from`; UTC when absent.')
      .meta({ example: 'Europe/Berlin' }),
    replaceHistory: z
      .boolean()
      .optional()
      .describe('Removes all earlier goals. Without `from` the new goals then apply to every day.'),
    ...optionalAmounts,
    weekdays: weekdaysInput
      .optional()
      .describe(
        'Amounts of single weekdays, which replace those of every day; amounts that a weekday does not name stay those of every ' +
          'day. A weekday without amounts is left out.',
      ),
  })
  .meta({
    id: 'GoalsInput',
    description:
      'At least one amount, also of a weekday, or `replaceHistory`. Goals can be sent back as they were read: `onDate` and `all` are ignored.',
    minProperties: 1,
  });

export const newGoalsSchema = withoutReadOnly(goalsInput, READ_ONLY) as z.ZodType<GoalsInput>;

const answeredAmounts = { ...optionalAmounts, nutrients: nutrientSums.optional() };

/** Amounts of goals as in responses. */
export const goalAmounts = z.object(answeredAmounts).meta({ id: 'GoalAmounts' });

/** Describes the value of `goalsOutcome`. */
export const goalsSchema = z
  .object({
    from: realDate.optional(),
    ...answeredAmounts,
    weekdays: z
      .object(weekdayFields(goalAmounts))
      .meta({ id: 'GoalWeekdays' })
      .optional()
      .describe(
        'Amounts of single weekdays, which replace those of every day; absent when no weekday differs.',
      ),
  })
  .meta({ id: 'Goals' });

export const goalsWithHistory = goalsSchema
  .extend({
    onDate: goalAmounts
      .optional()
      .describe(
        'With `date`, where goals have `weekdays`: the amounts that hold on that date, those of its weekday included.',
      ),
    all: z
      .array(goalsSchema)
      .optional()
      .describe('With `history=true`: all goals that were stated, by their first days.'),
  })
  .meta({ id: 'GoalsWithHistory' });

export const EXAMPLE_GOALS = {
  from: '2026-01-01',
  calories: 2000,
  protein: 100,
  weekdays: { saturday: { calories: 2400 } },
};

/** Goals as in responses; an empty object if there are none. */
export function goalsOutcome(goals: Goals | undefined): Outcome {
  return { value: goalsObject(goals) };
}

export function goalsObject(goals: Goals | undefined): object {
  return goals === undefined ? {} : toGoalFields(goals);
}

/** The goals of a date, which can be written back, beside the amounts that hold on it where weekdays differ. */
export function goalsOnObject(goals: Goals | undefined, date: Day): object {
  return {
    ...goalsObject(goals),
    ...(goals?.weekdays && { onDate: toAmountFields(amountsOn(goals, date)) }),
  };
}
