import { z } from 'zod';
import { MEAL_TYPES } from '../../../diary/records/entry.ts';
import { furtherInput, nutrientsWith } from '../amounts.ts';
import { dayInputs, understandDay, understoodDay } from '../days.ts';
import { dayTotals, entryOf, entryResult, readDay } from '../entries.ts';
import { READS, tool } from '../tool.ts';
import { dayNoteFields, readDayNotes } from './day-notes.ts';

export const getDayTool = tool({
  name: 'get_day',
  title: 'Read a day of the diary',
  description:
    'The entries of a day by meal, with their ids, the sums of the day against its goals, and its note and water.',
  scope: 'diary:read',
  user: 'required',
  annotations: READS,
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
