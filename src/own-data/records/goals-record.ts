import { z } from 'zod';
import { toAmountFields } from '../../diary/records/amount-fields.ts';
import { isDay } from '../../diary/records/day.ts';
import { ALWAYS, type Goals } from '../../diary/records/goals.ts';
import { amountFields, readRecord, toAmounts } from './record-fields.ts';

const { unknown: _, ...knownAmounts } = amountFields;
const goalsSchema = z.strictObject({
  from: z.string().refine(isDay, 'is no date of the form YYYY-MM-DD').optional(),
  ...knownAmounts,
});

/** Goals as answers have them: those of every day have no `from`. */
export function toGoalsRecord({ from, amounts }: Goals): object {
  return { ...(from !== ALWAYS && { from }), ...toAmountFields(amounts) };
}

/** Throws `invalid_request` that names the field. */
export function readGoalsRecord(value: unknown): Goals {
  const { from, ...amounts } = readRecord(goalsSchema, value);
  return { from: from ?? ALWAYS, amounts: toAmounts(amounts) };
}
