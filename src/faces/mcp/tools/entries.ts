import { z } from 'zod';
import {
  copyDay,
  createScanEntries,
  createTextEntries,
  type textEntriesSchema,
} from '../../../api/diary/derived-entries.ts';
import { changeEntry, createEntries, deleteEntry, getEntry } from '../../../api/diary/entries.ts';
import { isDay } from '../../../diary/records/day.ts';
import { MAX_BATCH_ENTRIES } from '../../../diary/records/entry.ts';
import { invalidField } from '../../../diary/records/invalid-field.ts';
import { nutrientsInput } from '../amounts.ts';
import { dateInput, dayInputs, timeZoneInput, understandDay, understoodDay } from '../days.ts';
import {
  dayAfterFields,
  dayAfterWrite,
  type EntryObject,
  entryOf,
  entryResult,
  mealTypeInput,
} from '../entries.ts';
import { addsToDiary, ask, changesDiary, ofUser, type ToolContext, tool } from '../tool.ts';
import { idempotencyKeyInput, onlyVersion, repeatedField, versionInput, writeOnce } from '../writes.ts';
import { langInput, mealText } from './read-meal.ts';

const foodInput = z
  .strictObject({
    foodId: z.string().optional(),
    barcode: z.string().optional(),
    recipeId: z.string().optional(),
    foodName: z.string().optional().describe('A food by its own values; needs energy in nutrients.'),
    quantity: z.number().positive().optional(),
    unit: z.string().optional().describe('g, ml, oz, cup, serving, or a unit of the food’s servings.'),
    nutrients: nutrientsInput.optional(),
  })
  .describe('One of foodId, barcode and recipeId with quantity and unit, or foodName with nutrients.');

const understood = z.object({
  entryId: z.string(),
  text: z.string().describe('The words that were read.'),
  grams: z
    .number()
    .optional()
    .describe('Milliliters of a food by volume; absent for a recipe of unknown weight.'),
  confidence: z.number().optional(),
  note: z.string().optional().describe('Source of grams.'),
  assumed: z.array(z.string()).optional(),
});

const unresolvedItem = z.object({
  text: z.string(),
  unresolved: z.enum(['food', 'amount']),
  candidates: z.array(z.object({ foodId: z.string(), name: z.string() })),
});

const input = z.strictObject({
  ...dayInputs,
  mealType: mealTypeInput,
  text: mealText.optional(),
  foods: z.array(foodInput).min(1).max(MAX_BATCH_ENTRIES).optional(),
  scanJobId: z.string().optional().describe('A completed scan of scan_photo: all of its items.'),
  saveUnsure: z.boolean().optional().describe('With scanJobId: write items that the scan is unsure of too.'),
  lang: langInput,
  partial: z
    .boolean()
    .optional()
    .describe('With text: write what is understood and leave out the rest. Default: all or nothing.'),
  idempotencyKey: idempotencyKeyInput,
});

type TextEntries = Omit<z.output<typeof textEntriesSchema>, 'entries'> & { readonly entries: EntryObject[] };

export const logMealTool = tool({
  name: 'log_meal',
  title: 'Log a meal',
  description:
    'Writes foods to the diary, from one of text, foods and scanJobId: all of them or nothing. Answers what was understood, and the ' +
    'sums of the day against its goals.',
  ...addsToDiary,
  input,
  output: z.object({
    day: understoodDay,
    written: z.array(entryResult),
    understood: z.array(understood).optional().describe('How each entry of a text was read.'),
    unresolvedItems: z
      .array(unresolvedItem)
      .optional()
      .describe('Words of a text that were not written, with partial.'),
    ignored: z.array(z.string()).optional().describe('Words of the text that belong to no food.'),
    repeated: repeatedField,
    ...dayAfterFields,
  }),
  async run(given, context) {
    const { text, foods, scanJobId } = given;
    const sources = [text, foods, scanJobId].filter((source) => source !== undefined);
    if (sources.length !== 1) throw invalidField('text', 'Give one of "text", "foods" and "scanJobId".');
    const day = understandDay(given.date, context);
    const shared = { date: day.date, mealType: given.mealType };
    const written = await (text === undefined
      ? writeFoods(given, shared, context)
      : writeText({ ...given, text }, shared, context));
    return { day, ...written, ...(await dayAfterWrite(context, day.date)) };
  },
});

type Given = z.output<typeof input>;
interface Shared {
  readonly date: string;
  readonly mealType: string;
}

async function writeText(
  { text, lang, partial, idempotencyKey }: Given & { readonly text: string },
  shared: Shared,
  context: ToolContext,
) {
  const { value, repeated } = await writeOnce<TextEntries>(context, createTextEntries, {
    params: ofUser(context),
    body: { ...shared, text, lang, partial },
    idempotencyKey,
  });
  return {
    written: value.entries.map((entry) => entryOf(entry)),
    understood: value.understood.map(({ entryId, text: words, grams, confidence, note, assumed }) => ({
      ...{ entryId, text: words, grams, confidence, note, assumed },
    })),
    unresolvedItems: value.unresolvedItems.map(({ text: words, unresolved, candidates }) => ({
      text: words,
      unresolved,
      candidates: candidates.map(({ id, name }) => ({ foodId: id, name })),
    })),
    ignored: value.ignored.map((word) => word.text),
    repeated,
  };
}

async function writeFoods(
  { foods = [], scanJobId, saveUnsure, idempotencyKey }: Given,
  shared: Shared,
  context: ToolContext,
) {
  const entries = foods.map((food, at) => {
    const { foodId, barcode, recipeId, foodName, quantity, unit, nutrients } = food;
    const sources = [foodId, barcode, recipeId, foodName].filter((source) => source !== undefined);
    if (sources.length !== 1)
      throw invalidField(
        `foods[${at}]`,
        `"foods[${at}]": give one of "foodId", "barcode", "recipeId" and "foodName".`,
      );
    if (foodName !== undefined && nutrients?.energy === undefined)
      throw invalidField(
        `foods[${at}].nutrients.energy`,
        `"foods[${at}]": a food by name needs "nutrients.energy".`,
      );
    const source = { foodId, barcode, recipeId, foodName, quantity, unit };
    return { ...shared, ...source, nutrients, calories: nutrients?.energy };
  });
  const isScan = scanJobId !== undefined;
  const { value, repeated } = await writeOnce<EntryObject[]>(
    context,
    isScan ? createScanEntries : createEntries,
    {
      params: ofUser(context),
      body: isScan ? { ...shared, scanJobId, saveUnsure } : entries,
      idempotencyKey,
    },
  );
  return { written: value.map((entry) => entryOf(entry)), repeated };
}

export const copyMealTool = tool({
  name: 'copy_meal',
  title: 'Copy a meal',
  description: 'Copies the entries of a meal, or of a whole day, to another day or meal.',
  ...addsToDiary,
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

export const changeEntryTool = tool({
  name: 'change_entry',
  title: 'Change an entry',
  description:
    'Changes the given fields of an entry of the diary. Another quantity or unit computes the amounts anew. Answers the entry and the ' +
    'sums of its day.',
  ...changesDiary,
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

export const deleteEntryTool = tool({
  name: 'delete_entry',
  title: 'Delete an entry',
  description:
    'Deletes an entry of the diary. Answers what was deleted, where the credential may read it, and the sums of its day.',
  ...changesDiary,
  input: z.strictObject({ entryId: z.string(), version: versionInput }),
  output: z.object({ deletedId: z.string(), deleted: entryResult.optional(), ...dayAfterFields }),
  async run({ entryId, version }, context) {
    const params = { ...ofUser(context), entryId };
    const mayRead = context.caller.scopes.includes('diary:read');
    const entry = mayRead ? await ask<EntryObject>(context, getEntry, { params }) : undefined;
    await ask(context, deleteEntry, { params, headers: onlyVersion(version) });
    if (entry === undefined || !isDay(entry.date)) return { deletedId: entryId };
    return { deletedId: entryId, deleted: entryOf(entry), ...(await dayAfterWrite(context, entry.date)) };
  },
});
