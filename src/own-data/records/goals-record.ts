import { z } from 'zod';
import { isDay, WEEKDAYS } from '../../diary/records/day.ts';
import { ALWAYS, type Goals, parseWeekdays } from '../../diary/records/goals.ts';
import { amountFields, readRecord, toAmounts } from './record-fields.ts';

const { unknown: _, ...knownAmounts } = amountFields;
const ofWeekday = z.strictObject(knownAmounts).optional();
const goalsSchema = z.strictObject({
  from: z.string().refine(isDay, 'is no date of the form YYYY-MM-DD').optional(),
  ...knownAmounts,
  weekdays: z.strictObject(Object.fromEntries(WEEKDAYS.map((weekday) => [weekday, ofWeekday]))).optional(),
});

/** Reads what `toGoalFields` wrote. Throws `invalid_request` that names the field. */
export function readGoalsRecord(value: unknown): Goals {
  const { from, weekdays: given, ...amounts } = readRecord(goalsSchema, value);
  const weekdays = parseWeekdays(given, toAmounts);
  return { from: from ?? ALWAYS, amounts: toAmounts(amounts), ...(weekdays && { weekdays }) };
}
