import { z } from 'zod';
import { createMeasurement, listMeasurements } from '../../../api/measurements/measurements.ts';
import { recordOperation } from '../../../api/records/records.ts';
import type { Day } from '../../../diary/records/day.ts';
import { invalidField } from '../../../diary/records/invalid-field.ts';
import { dayInputs, understandDay, understoodDay } from '../days.ts';
import { addsToDiary, ask, changesDiary, ofUser, type ToolContext, tool } from '../tool.ts';
import { idempotencyKeyInput, repeatedField, writeOnce } from '../writes.ts';

/** The series of measurements that the page shows as water. */
const WATER = 'water';
const MAX_WATER_ML = 20_000;
/** Glasses of a day that are summed. */
const MAX_GLASSES = 500;
const ML_PER_LITRE = 1_000;

interface Measured {
  readonly value: number;
  readonly unit: string;
}

export const dayNoteFields = {
  note: z.string().optional().describe('The note on the day as a whole.'),
  complete: z
    .boolean()
    .optional()
    .describe('Whether the user has said that everything of the day is logged.'),
  waterMl: z.number().optional().describe('Absent where no water is logged.'),
  waterGoalMl: z.number().optional(),
};

/** What was noted about a day, and the water of it. */
export async function readDayNotes(context: ToolContext, date: Day) {
  const params = ofUser(context);
  const [{ note, complete }, water, { waterGoalMl }] = await Promise.all([
    ask<{ note?: string; complete?: boolean }>(context, recordOperation('getDiaryDay'), {
      params: { ...params, date },
    }),
    ask<readonly Measured[]>(context, listMeasurements, {
      ...{ params, query: { name: WATER, from: date, to: date, limit: MAX_GLASSES } },
    }),
    ask<{ waterGoalMl?: number }>(context, recordOperation('getUserSettings'), { params }),
  ]);
  const waterMl = water.reduce(
    (sum, { value, unit }) => sum + (unit === 'l' ? value * ML_PER_LITRE : value),
    0,
  );
  return { note, complete, ...(water.length > 0 && { waterMl: Math.round(waterMl) }), waterGoalMl };
}

export const noteDayTool = tool({
  name: 'note_day',
  title: 'Note about a day',
  description:
    'Writes the note on a day as a whole, and whether everything of it is logged; what is left out stays. The new note replaces the one that get_day shows.',
  ...changesDiary,
  input: z.strictObject({
    ...dayInputs,
    note: z.string().nullable().optional().describe('null removes it.'),
    complete: z.boolean().nullable().optional(),
  }),
  output: z.object({ day: understoodDay, note: z.string().optional(), complete: z.boolean().optional() }),
  async run({ date, note, complete }, context) {
    if (note === undefined && complete === undefined)
      throw invalidField('note', 'Give "note" or "complete".');
    const day = understandDay(date, context);
    const now = await ask<{ note?: string; complete?: boolean }>(context, recordOperation('changeDiaryDay'), {
      params: { ...ofUser(context), date: day.date },
      body: { note, complete },
    });
    return { day, note: now.note, complete: now.complete };
  },
});

export const logWaterTool = tool({
  name: 'log_water',
  title: 'Log water',
  description: 'Adds water to a day. It has no energy; drinks that have some are logged by log_meal.',
  ...addsToDiary,
  input: z.strictObject({
    ...dayInputs,
    milliliters: z.number().positive().max(MAX_WATER_ML),
    idempotencyKey: idempotencyKeyInput,
  }),
  output: z.object({
    day: understoodDay,
    addedMl: z.number(),
    repeated: repeatedField,
    waterMl: z.number().optional().describe('All water of the day, where the credential may read it.'),
    waterGoalMl: z.number().optional(),
  }),
  async run({ date, milliliters, idempotencyKey }, context) {
    const day = understandDay(date, context);
    const { value, repeated } = await writeOnce<Measured>(context, createMeasurement, {
      params: ofUser(context),
      // Noon of the day, because the minute is unknown.
      body: { name: WATER, value: milliliters, unit: 'ml', measuredAt: `${day.date}T12:00:00Z` },
      idempotencyKey,
    });
    const mayRead = context.caller.scopes.includes('diary:read');
    const { waterMl, waterGoalMl } = mayRead
      ? await readDayNotes(context, day.date).catch(() => ({ waterMl: undefined, waterGoalMl: undefined }))
      : { waterMl: undefined, waterGoalMl: undefined };
    return { day, addedMl: value.value, repeated, waterMl, waterGoalMl };
  },
});
