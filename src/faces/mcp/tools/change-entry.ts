import { z } from 'zod';
import { changeEntry } from '../../../api/diary/entries.ts';
import { isDay } from '../../../diary/records/day.ts';
import { nutrientsInput } from '../amounts.ts';
import { dateInput, timeZoneInput, understandDay } from '../days.ts';
import {
  dayAfterFields,
  dayAfterWrite,
  type EntryObject,
  entryOf,
  entryResult,
  mealTypeInput,
} from '../entries.ts';
import { ask, ofUser, REPLACES, tool } from '../tool.ts';
import { onlyVersion, versionInput } from '../writes.ts';

export const changeEntryTool = tool({
  name: 'change_entry',
  title: 'Change an entry',
  description:
    'Changes the given fields of an entry of the diary. Another quantity or unit computes the amounts anew. Answers the entry and the ' +
    'sums of its day.',
  scope: 'diary:write',
  user: 'required',
  annotations: REPLACES,
  input: z.strictObject({
    entryId: z.string(),
    version: versionInput,
    date: dateInput.describe('Moves it: YYYY-MM-DD, "today" or "yesterday".'),
    timeZone: timeZoneInput,
    mealType: mealTypeInput.optional(),
    foodName: z.string().optional(),
    quantity: z.number().positive().optional(),
    unit: z.string().optional(),
    nutrients: nutrientsInput.optional(),
    note: z.string().optional().describe('An empty text removes it.'),
  }),
  output: z.object({ entry: entryResult, ...dayAfterFields }),
  async run({ entryId, version, date, timeZone: _, ...given }, context) {
    const { mealType, foodName, quantity, unit, nutrients, note } = given;
    const day = date === undefined ? undefined : understandDay(date, context).date;
    const entry = await ask<EntryObject>(context, changeEntry, {
      params: { ...ofUser(context), entryId },
      headers: onlyVersion(version),
      body: {
        ...{ date: day, mealType, foodName, quantity, unit, nutrients },
        note: note === '' ? null : note,
      },
    });
    return {
      entry: entryOf(entry),
      ...(isDay(entry.date) && (await dayAfterWrite(context, entry.date))),
    };
  },
});
