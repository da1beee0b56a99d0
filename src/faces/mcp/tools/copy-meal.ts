import { z } from 'zod';
import { copyDay } from '../../../api/diary/derived-entries.ts';
import { dateInput, timeZoneInput, understandDay, understoodDay } from '../days.ts';
import {
  dayAfterFields,
  dayAfterWrite,
  type EntryObject,
  entryOf,
  entryResult,
  mealTypeInput,
} from '../entries.ts';
import { ADDS, ofUser, tool } from '../tool.ts';
import { idempotencyKeyInput, repeatedField, writeOnce } from '../writes.ts';

export const copyMealTool = tool({
  name: 'copy_meal',
  title: 'Copy a meal',
  description: 'Copies the entries of a meal, or of a whole day, to another day or meal.',
  scope: 'diary:write',
  user: 'required',
  annotations: ADDS,
  input: z.strictObject({
    from: z.string().describe('Day to copy: YYYY-MM-DD, "today" or "yesterday".'),
    to: dateInput,
    timeZone: timeZoneInput,
    mealType: mealTypeInput.optional().describe('Only this meal; the whole day if absent.'),
    toMealType: mealTypeInput.optional().describe('Meal of the copies; the same if absent.'),
    idempotencyKey: idempotencyKeyInput,
  }),
  output: z.object({
    from: understoodDay,
    to: understoodDay,
    written: z.array(entryResult).describe('Empty if there was nothing to copy.'),
    repeated: repeatedField,
    ...dayAfterFields,
  }),
  async run({ mealType, toMealType, idempotencyKey, ...days }, context) {
    const from = understandDay(days.from, context, 'from');
    const to = understandDay(days.to, context, 'to');
    const { value, repeated } = await writeOnce<EntryObject[]>(context, copyDay, {
      params: ofUser(context),
      body: { from: from.date, to: to.date, mealType, toMealType },
      idempotencyKey,
    });
    return {
      from,
      to,
      written: value.map((entry) => entryOf(entry)),
      repeated,
      ...(await dayAfterWrite(context, to.date)),
    };
  },
});
