import { unresolvedItemsSchema } from '@larder/core/error-details.ts';
import { z } from 'zod';
import { interpretationOf, type ResolvedItem } from '../../diary/read-items.ts';
import type { DiaryEntry, DiaryOwner } from '../../diary/records/entry.ts';
import type { TextEntries, TextEntriesInput } from '../../diary/text-entries.ts';
import { interpretationFields } from '../fields.ts';
import { ignoredSchema, parseTextFields } from '../foods/text-json.ts';
import type { Outcome } from '../operation.ts';
import { eatenAt, mealType, note, realDate } from './diary-fields-schema.ts';
import { entryObject, entrySchema } from './entry-json.ts';

export const textEntriesInputSchema: z.ZodType<TextEntriesInput> = z
  .strictObject({
    date: realDate,
    mealType,
    ...parseTextFields,
    partial: z
      .boolean()
      .optional()
      .describe(
        'Leaves out parts that cannot be resolved, and names them in `unresolvedItems`, instead of responding with 422.',
      ),
    eatenAt: eatenAt.optional(),
    note: note.optional().describe('For each entry.'),
  })
  .meta({ id: 'TextEntriesInput', description: 'An entry for each food that the text names.' });

/** Describes the value of `textEntriesOutcome`. */
export const textEntriesSchema = z
  .object({
    entries: z.array(entrySchema),
    understood: z
      .array(
        z
          .object({
            entryId: z.string(),
            text: z.string().describe('The words that name the food.'),
            start: z.int().min(0).describe('Start of the words in the text or line, in UTF-16 units.'),
            end: z.int().min(0).describe('End of the words, exclusive.'),
            line: z.int().min(0).optional().describe('Number of the line, from 0, if the text has several.'),
            quantity: z.number().min(0).optional().describe('As it is written; absent where none is.'),
            unit: z.string().optional().describe('As it is written; absent where none is.'),
            grams: z
              .number()
              .min(0)
              .optional()
              .describe(
                'Milliliters of a food by volume. Absent for a recipe of unknown weight, counted in servings.',
              ),
            ...interpretationFields,
          })
          .meta({ id: 'UnderstoodItem' }),
      )
      .describe('How the text of each entry was read, in the same order.'),
    unresolvedItems: unresolvedItemsSchema.describe('With `partial`: the parts that were left out.'),
    ignored: z.array(ignoredSchema).describe('Words that belong to no food, such as a preparation.'),
  })
  .meta({ id: 'TextEntries' });

export function textEntriesOutcome(
  { entries, understood, unresolved, ignored }: TextEntries,
  { userId }: DiaryOwner,
): Outcome {
  // After a crash the entries may be leftovers of an earlier execution.
  const read = entries.flatMap((entry, at) =>
    understood.slice(at, at + 1).map((item) => fieldsOf(entry, item)),
  );
  return {
    value: {
      entries: entries.map((entry) => entryObject(entry, userId)),
      understood: read,
      unresolvedItems: unresolved,
      ignored,
    },
  };
}

function fieldsOf({ id }: DiaryEntry, item: ResolvedItem) {
  const { text, start, end, line, quantity, unit, grams } = item;
  return {
    ...{ entryId: id, text, start, end, line },
    quantity: quantity ?? undefined,
    unit: unit ?? undefined,
    grams: grams ?? undefined,
    ...interpretationOf(item),
  };
}
