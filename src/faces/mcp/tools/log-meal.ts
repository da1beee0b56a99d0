import { z } from 'zod';
import {
  createScanEntries,
  createTextEntries,
  type textEntriesSchema,
} from '../../../api/diary/derived-entries.ts';
import { createEntries } from '../../../api/diary/entries.ts';
import { MAX_BATCH_ENTRIES } from '../../../diary/records/entry.ts';
import { invalidField } from '../../../diary/records/invalid-field.ts';
import { nutrientsInput } from '../amounts.ts';
import { dayInputs, understandDay, understoodDay } from '../days.ts';
import {
  dayAfterFields,
  dayAfterWrite,
  type EntryObject,
  entryOf,
  entryResult,
  mealTypeInput,
} from '../entries.ts';
import { ADDS, ofUser, type ToolContext, tool } from '../tool.ts';
import { idempotencyKeyInput, repeatedField, writeOnce } from '../writes.ts';
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
  scope: 'diary:write',
  user: 'required',
  annotations: ADDS,
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
