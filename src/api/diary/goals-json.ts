import { z } from 'zod';
import type { GoalBook, GoalsChange, GoalsInput, VersionedGoals } from '../../diary/goal-book.ts';
import { toAmountFields } from '../../diary/records/amount-fields.ts';
import { type Day, parseDay, WEEKDAYS, type Weekday } from '../../diary/records/day.ts';
import type { DiaryOwner } from '../../diary/records/entry.ts';
import { amountsOn, type Goals, goalsOn, type StatedGoals, toGoalFields } from '../../diary/records/goals.ts';
import { recordVersion, withoutReadOnly } from '../fields.ts';
import { nutrientsSchema } from '../nutrients.ts';
import type { Outcome } from '../operation.ts';
import { calories, grams, nutrientsInput, optionalAmounts, realDate, sodium } from './diary-fields-schema.ts';

const givenAmounts = { calories, protein: grams, carbs: grams, fat: grams, fiber: grams, sodium };

/** An optional field for each weekday. */
function weekdayFields<Schema extends z.ZodType>(schema: Schema): Record<Weekday, z.ZodOptional<Schema>> {
  return Object.fromEntries(WEEKDAYS.map((weekday) => [weekday, schema.optional()])) as ReturnType<
    typeof weekdayFields<Schema>
  >;
}

const weekdaysInput = z
  .strictObject(weekdayFields(z.strictObject(optionalAmounts).meta({ id: 'GoalAmountsInput' })))
  .meta({ id: 'GoalWeekdaysInput' });

/** Read-only fields. */
export const READ_ONLY = ['version', 'onDate', 'all'];

const firstDay = {
  from: realDate.optional().describe('First day on which the goals apply; today when absent.'),
  timeZone: z
    .string()
    .optional()
    .describe('Name of the IANA time zone that says which day is today, without `from`; UTC when absent.')
    .meta({ example: 'Europe/Berlin' }),
};

const goalsInput = z
  .strictObject({
    ...firstDay,
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
      'At least one amount, also of a weekday, or `replaceHistory`. Goals can be sent back as they were read: `version`, `onDate` and `all` are ignored.',
    minProperties: 1,
  });

export const newGoalsSchema = withoutReadOnly(goalsInput, READ_ONLY) as z.ZodType<GoalsInput>;

const changedAmounts = {
  ...Object.fromEntries(
    Object.entries(givenAmounts).map(([key, amount]) => [key, amount.nullable().optional()]),
  ),
  nutrients: nutrientsInput('GoalNutrientsPatch', (amount) => amount.nullable().optional()).optional(),
};

export const goalsPatchSchema = withoutReadOnly(
  z
    .strictObject({
      ...firstDay,
      ...changedAmounts,
      weekdays: z
        .strictObject(
          weekdayFields(z.strictObject(changedAmounts).meta({ id: 'GoalAmountsPatch' }).nullable()),
        )
        .meta({ id: 'GoalWeekdaysPatch' })
        .nullable()
        .optional()
        .describe('Changes of the amounts of single weekdays. Null removes those of a weekday, or of all.'),
    })
    .meta({
      id: 'GoalsPatch',
      description: 'Send only the goals that change: the others stay, and null removes one.',
      minProperties: 1,
    }),
  READ_ONLY,
) as z.ZodType<GoalsChange>;

const answeredAmounts = { ...optionalAmounts, nutrients: nutrientsSchema.optional() };

/** Amounts of goals as in responses. */
export const goalAmounts = z.object(answeredAmounts).meta({ id: 'GoalAmounts' });

/** Describes the value of `goalsOutcome`. */
export const goalsSchema = z
  .object({
    from: realDate.optional(),
    version: recordVersion
      .optional()
      .describe(
        'Of all goals of the user together, which each write of goals raises; absent in `all`. Send it in quotes as `If-Match`.',
      ),
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

export const EXAMPLE_NEW_GOALS = {
  from: '2026-01-01',
  calories: 2000,
  protein: 100,
  weekdays: { saturday: { calories: 2400 } },
};
export const EXAMPLE_GOALS = {
  ...EXAMPLE_NEW_GOALS,
  version: 3,
  nutrients: { energy: 2000, protein: 100 },
  weekdays: { saturday: { calories: 2400, nutrients: { energy: 2400 } } },
};

/** Goals with the version that their ETag names. */
export function goalsOutcome({ goals, version }: VersionedGoals): Outcome {
  return { value: goalsObject(goals, version), version };
}

/** Goals as in responses; without `version` as one of several. */
export function goalsObject(goals: Goals | undefined, version = 0): { readonly [field: string]: unknown } {
  return { ...(goals && toGoalFields(goals)), ...(version > 0 && { version }) };
}

/** The goals of a date, which can be written back, beside the amounts that hold on it where weekdays differ. */
export function goalsOnObject({ all, version }: StatedGoals, date: Day): object {
  const goals = goalsOn(all, date);
  return {
    ...goalsObject(goals, version),
    ...(goals?.weekdays && { onDate: toAmountFields(amountsOn(goals, date)) }),
  };
}

/** What a rejected write of goals answers: the goals that hold on its first day, which may be today. */
export async function currentGoals(
  owner: DiaryOwner,
  goals: GoalBook,
  from: string | undefined,
): Promise<object> {
  const stated = await goals.read(owner);
  const { all, version } = stated;
  return from === undefined
    ? goalsObject(all.at(-1), version)
    : goalsOnObject(stated, parseDay(from, 'from'));
}
