import { unresolvedItemsSchema } from '@larder/core/error-details.ts';
import { z } from 'zod';
import type { Diary } from '../../diary/diary.ts';
import { MAX_COPIED_ENTRIES } from '../../diary/diary-errors.ts';
import { interpretationOf, type ResolvedItem } from '../../diary/read-items.ts';
import type { DiaryEntry, DiaryOwner } from '../../diary/records/entry.ts';
import type { TextEntries, TextEntriesInput } from '../../diary/text-entries.ts';
import { ownerOf, requireScope, requireUser, sharersOf, viewerOf } from '../acting-user.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { interpretationFields } from '../fields.ts';
import { countAsSearches, ignoredSchema, parseTextFields } from '../foods/text-json.ts';
import { type Outcome, operation } from '../operation.ts';
import { userIdText } from '../text-schemas.ts';
import { diaryWriting, EXAMPLE_ENTRY, userParams } from './diary-docs.ts';
import { eatenAt, mealType, note, realDate } from './diary-fields-schema.ts';
import { scanEntriesSchema } from './entry-input.ts';
import { entriesOutcome, entryObject, entrySchema } from './entry-json.ts';

const textEntriesInputSchema: z.ZodType<TextEntriesInput> = z
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

function textEntriesOutcome(
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

export const createTextEntries = operation({
  ...diaryWriting,
  method: 'POST',
  path: '/v1/users/:userId/diary/text',
  id: 'createDiaryEntriesFromText',
  summary: 'Add diary entries from a text',
  description:
    'An entry for each food that a text names, all of them or none: what cannot be resolved is named in `details.items`. Foods and recipes of the ' +
    'user are found, and what the user eats is preferred. Counts as searches, too.',
  alsoCounts: ({ text }) => countAsSearches(text),
  params: userParams,
  body: {
    schema: textEntriesInputSchema,
    example: { date: '2026-01-31', mealType: 'lunch', text: '15 g banana' },
    limit: BODY_LIMITS.item,
  },
  answer: {
    status: 201,
    description: 'The entries, and how each was understood.',
    schema: textEntriesSchema,
    example: { entries: [EXAMPLE_ENTRY], understood: [], unresolvedItems: [], ignored: [] },
  },
  errors: ['unresolved_items', 'quota_exceeded'],
  handle: async (request, { diary }: { diary: Diary }) => {
    const owner = ownerOf(request);
    const { body, ids, caller } = request;
    const written = await diary.createFromText(owner, body, { ids, sharers: sharersOf(caller) });
    return textEntriesOutcome(written, owner);
  },
});

export const createScanEntries = operation({
  ...diaryWriting,
  method: 'POST',
  path: '/v1/users/:userId/diary/scan',
  id: 'createDiaryEntriesFromScan',
  summary: 'Add the items of a scan as diary entries',
  description:
    'An entry for each item, or for those in `items`, with their changes: all of them or none. A scan with `unsure` items needs ' +
    '`items` or `saveUnsure`.',
  params: userParams,
  body: {
    schema: scanEntriesSchema,
    example: { date: '2026-01-31', mealType: 'lunch', scanJobId: '01kg9v3h00000xw5m8kq2nce7a' },
    limit: BODY_LIMITS.item,
  },
  answer: {
    status: 201,
    description: 'The entries.',
    schema: z.array(entrySchema),
    example: [EXAMPLE_ENTRY],
  },
  errors: ['scan_job_not_found', 'food_not_found', 'quota_exceeded'],
  handle: async (request, { diary }: { diary: Diary }) => {
    const { caller, body, ids } = request;
    const owner = ownerOf(request);
    const options = { ids, viewer: viewerOf(caller), sharers: sharersOf(caller) };
    return entriesOutcome(await diary.createFromScan(owner, body, options), owner);
  },
});

const MIN_PORTION = 0.001;
const MAX_PORTION = 100;

const copySchema = z
  .strictObject({
    from: realDate,
    to: realDate,
    mealType: mealType.optional().describe('Only this meal.'),
    toMealType: mealType.optional().describe('The meal of the copies.'),
    userId: userIdText
      .optional()
      .describe('Whose day it is, where it is that of another user; needs the right to read it.'),
    portion: z
      .number()
      .min(MIN_PORTION)
      .max(MAX_PORTION)
      .optional()
      .describe('The share of each entry, such as 0.5 for half; by default all of it.'),
  })
  .meta({ id: 'DiaryCopy' });

export const copyDay = operation({
  ...diaryWriting,
  method: 'POST',
  path: '/v1/users/:userId/diary/copy',
  id: 'copyDiaryDay',
  summary: 'Copy a day or a meal to another day',
  description: `At most ${MAX_COPIED_ENTRIES} entries. With \`userId\` those of another user, without their notes.`,
  params: userParams,
  body: {
    schema: copySchema,
    example: { from: '2026-01-30', to: '2026-01-31', mealType: 'lunch' },
    limit: BODY_LIMITS.fields,
  },
  answer: {
    status: 201,
    description: 'The new entries; none when there was nothing to copy.',
    schema: z.array(entrySchema),
    example: [EXAMPLE_ENTRY],
  },
  errors: ['quota_exceeded'],
  handle: async (request, { diary }: { diary: Diary }) => {
    const owner = ownerOf(request);
    const { caller, body, ids } = request;
    const { userId = owner.userId } = body;
    if (userId !== owner.userId) requireScope(caller, 'diary:read');
    requireUser(caller, userId, 'read');
    const entries = await diary.copy(owner, body, ids, { ...owner, userId });
    return entriesOutcome(entries, owner);
  },
});
