import { z } from 'zod';
import type { GoalsInput } from '../../diary/goal-book.ts';
import { toAmountFields } from '../../diary/records/amount-fields.ts';
import { ALWAYS, type Goals } from '../../diary/records/goals.ts';
import type { Outcome } from '../operation.ts';
import { nutrientSums, optionalAmounts, realDate } from './diary-fields-schema.ts';

export const newGoalsSchema: z.ZodType<GoalsInput> = z
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
  })
  .meta({
    id: 'GoalsInput',
    description: 'At least one amount, or `replaceHistory`.',
    minProperties: 1,
  });

/** Goals as in responses. */
export const goalAmounts = { ...optionalAmounts, nutrients: nutrientSums.optional() };

/** Describes the value of `goalsOutcome`. */
export const goalsSchema = z.object({ from: realDate.optional(), ...goalAmounts }).meta({ id: 'Goals' });

export const goalsWithHistory = goalsSchema
  .extend({
    all: z
      .array(goalsSchema)
      .optional()
      .describe('With `history=true`: all goals that were stated, by their first days.'),
  })
  .meta({ id: 'GoalsWithHistory' });

export const EXAMPLE_GOALS = { from: '2026-01-01', calories: 2000, protein: 100 };

/** Goals as in responses; an empty object if there are none. */
export function goalsOutcome(goals: Goals | undefined): Outcome {
  return { value: goalsObject(goals) };
}

export function goalsObject(goals: Goals | undefined): object {
  if (goals === undefined) return {};
  return { ...(goals.from !== ALWAYS && { from: goals.from }), ...toAmountFields(goals.amounts) };
}
