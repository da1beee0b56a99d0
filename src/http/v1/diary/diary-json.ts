import { z } from 'zod';
import { NUTRIENT_UNITS } from '../../../catalogue/food/nutrients.ts';
import { decimalText } from '../../../catalogue/food/rounding.ts';
import {
  type EntryChange,
  type EntryInput,
  fieldsWith,
  SOURCE_FIELDS,
  type SourceField,
} from '../../../diary/portions/entry-input.ts';
import {
  ADDED_METHODS,
  type Amounts,
  type DiaryEntry,
  type DiaryOwner,
  MAIN_AMOUNTS,
  MAX_BATCH_ENTRIES,
  MAX_CALORIES,
  MAX_NAME_CHARACTERS,
  MAX_NOTE_CHARACTERS,
  MAX_OTHER_AMOUNT,
  type MainAmount,
  MEAL_TYPES,
  type MealType,
  OTHER_AMOUNTS,
  type OtherAmount,
} from '../../../diary/records/entry.ts';
import { MAX_AMOUNT } from '../../../diary/values/thousandths.ts';
import { MAX_QUANTITY, MAX_UNIT_CHARACTERS } from '../../../diary/values/unit-conversion.ts';
import { MAX_SCAN_ITEMS } from '../../../scan/scan-result.ts';
import type { Variant } from '../../openapi/schemas.ts';
import { barcodeText, dateText, momentText, visibleText } from '../../openapi/text-schemas.ts';
import type { Reply } from '../../server/operation.ts';
import { isoTimeJson } from '../fields.ts';

/** A date in a body; the diary checks that it exists. */
export const realDate = dateText.describe('A real calendar date of the user, YYYY-MM-DD.');
export const mealType = z.enum(MEAL_TYPES).meta({ id: 'MealType' });
const addedMethod = z.enum(ADDED_METHODS).meta({ id: 'AddedMethod' });
const calories = z.number().min(0).max(MAX_CALORIES).describe('kcal');
const grams = z.number().min(0).max(MAX_AMOUNT).describe('g');
const sodium = z.number().min(0).max(MAX_AMOUNT).describe('mg');
const quantity = z.number().positive().max(MAX_QUANTITY).describe('How many of `unit`.');
const unit = visibleText(MAX_UNIT_CHARACTERS).describe(
  'g, mg, kg, oz, lb, ml, l, fl_oz, cup, tbsp, tsp, serving, or a serving of the food such as "slice" or "2 slices".',
);

const foodName = visibleText(MAX_NAME_CHARACTERS);
export const eatenAt = momentText.describe(
  'When it was eaten, RFC 3339 with an offset; `date` alone says which day it counts for.',
);
export const note = visibleText(MAX_NOTE_CHARACTERS);

function nutrientFields<T>(fieldOf: (amount: z.ZodNumber, unit: string) => T): Record<OtherAmount, T> {
  return Object.fromEntries(
    OTHER_AMOUNTS.map((key) => [key, fieldOf(z.number(), NUTRIENT_UNITS[key])]),
  ) as Record<OtherAmount, T>;
}

const nutrients = z
  .strictObject(nutrientFields((amount, of) => amount.min(0).max(MAX_OTHER_AMOUNT).describe(of).optional()))
  .meta({ id: 'NutrientsInput', description: 'Further nutrients, named and measured as in foods.' });

export const optionalAmounts = {
  calories: calories.optional(),
  protein: grams.optional(),
  carbs: grams.optional(),
  fat: grams.optional(),
  fiber: grams.optional(),
  sodium: sodium.optional(),
  nutrients: nutrients.optional(),
};

/** The fields that say what was eaten: exactly one of the five sources, with the fields that go with it. */
export const portionFields = {
  foodName: foodName.optional().describe('With calories, protein, carbs and fat.'),
  ...optionalAmounts,
  foodId: z.string().optional().describe('With quantity and unit; the amounts are computed.'),
  barcode: barcodeText.optional().describe('With quantity and unit; the amounts are computed.'),
  quantity: quantity.optional(),
  unit: unit.optional(),
};

/** What the document calls an entry of each source. */
const VARIANT_IDS: Readonly<Record<SourceField, string>> = {
  foodName: 'NamedEntryInput',
  foodId: 'FoodEntryInput',
  barcode: 'BarcodeEntryInput',
  recipeId: 'RecipeEntryInput',
  scanJobId: 'ScanEntryInput',
};

/** What the document says of the fields that go with one source; `sourceOf` is what checks them. */
function describeSource(source: SourceField): Variant {
  const { required, refused } = fieldsWith(source);
  const others = SOURCE_FIELDS.filter((other) => other !== source);
  return { id: VARIANT_IDS[source], required: [source, ...required], without: [...others, ...refused] };
}

const scannedItem = z
  .strictObject({
    index: z
      .int()
      .min(0)
      .max(MAX_SCAN_ITEMS - 1)
      .describe('Position in `items` of the result, from 0.'),
    foodId: z
      .string()
      .optional()
      .describe(
        'Another food, such as one of the `alternatives`: as much of it, unless `quantity` or `unit` is given.',
      ),
    quantity: quantity.optional().describe('As scanned when absent.'),
    unit: unit.optional(),
  })
  .meta({ id: 'ScannedItemInput' });

const newEntry = z.strictObject({
  date: realDate,
  mealType,
  ...portionFields,
  recipeId: z.string().optional().describe('With quantity and unit "serving".'),
  scanJobId: z
    .string()
    .optional()
    .describe('Of a completed scan: an entry for each of its items, as it was served.'),
  items: z
    .array(scannedItem)
    .min(1)
    .max(MAX_SCAN_ITEMS)
    .optional()
    .describe('With scanJobId: the items to write, each with what the user changed. Others are left out.'),
  saveUnsure: z
    .boolean()
    .optional()
    .describe(
      'With scanJobId: write `unsure` items too. Without this and `items` a scan that has some is refused.',
    ),
  addedMethod: addedMethod.optional().describe('When absent it follows from what was given.'),
  eatenAt: eatenAt.optional(),
  note: note.optional(),
});

export const newEntrySchema: z.ZodType<EntryInput> = newEntry.meta({
  id: 'DiaryBatchEntry',
  description: 'Exactly one of foodName, foodId, barcode, recipeId, scanJobId.',
  variants: SOURCE_FIELDS.map(describeSource),
});
/** Describes what becomes a single entry. */
export const oneEntrySchema = newEntry.meta({
  id: 'DiaryEntryInput',
  description: 'Exactly one of foodName, foodId, barcode, recipeId.',
  variants: SOURCE_FIELDS.filter((source) => source !== 'scanJobId').map(describeSource),
});
export const newEntriesSchema: z.ZodType<EntryInput[]> = z
  .array(newEntrySchema)
  .min(1)
  .max(MAX_BATCH_ENTRIES);

export const entryChangeSchema: z.ZodType<EntryChange> = z
  .strictObject({
    date: realDate.optional(),
    mealType: mealType.optional(),
    foodName: foodName.optional(),
    calories: calories.optional(),
    protein: grams.optional(),
    carbs: grams.optional(),
    fat: grams.optional(),
    fiber: grams.nullable().optional().describe('g; null makes it unknown'),
    sodium: sodium.nullable().optional().describe('mg; null makes it unknown'),
    nutrients: z
      .strictObject(
        nutrientFields((amount, of) =>
          amount.min(0).max(MAX_OTHER_AMOUNT).nullable().optional().describe(`${of}; null makes it unknown`),
        ),
      )
      .meta({ id: 'NutrientsPatch' })
      .optional()
      .describe('Only those that change.'),
    addedMethod: addedMethod.optional(),
    quantity: quantity
      .optional()
      .describe('The amounts follow, unless any of them is given too: then those that are not given stay.'),
    unit: unit.optional(),
    eatenAt: eatenAt.nullable().optional().describe('null removes it'),
    note: note.nullable().optional().describe('null removes it'),
  })
  .meta({ id: 'DiaryEntryPatch' });

const nutrientSums = z.object(nutrientFields((amount, of) => amount.min(0).describe(of).optional())).meta({
  id: 'OtherNutrients',
  description: 'What is known beyond the main amounts, named and measured as in foods.',
});
const requiredAmounts = { calories, protein: grams, carbs: grams, fat: grams };
/** What an entry and a food that was eaten have in common. */
export const eaten = {
  foodName: z.string(),
  ...requiredAmounts,
  fiber: grams.optional(),
  sodium: sodium.optional(),
  nutrients: nutrientSums.optional(),
  foodId: z.string().optional(),
  barcode: z.string().optional(),
  recipeId: z.string().optional(),
  quantity: z.number().optional(),
  unit: z.string().optional(),
};

/** Describes what `entryJson` writes. */
export const entrySchema = z
  .object({
    id: z.string(),
    userId: z.string(),
    date: realDate,
    mealType,
    ...eaten,
    addedMethod,
    eatenAt: eatenAt.optional(),
    note: z.string().optional(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'DiaryEntry', description: 'Values as they were when the entry was written.' });

/** Sums of amounts, which may exceed the limit of a single amount. */
export const sumsSchema = z
  .object({
    calories: z.number().min(0).describe('kcal'),
    protein: z.number().min(0).describe('g'),
    carbs: z.number().min(0).describe('g'),
    fat: z.number().min(0).describe('g'),
    fiber: z.number().min(0).describe('g'),
    sodium: z.number().min(0).describe('mg'),
    nutrients: nutrientSums.optional(),
    incomplete: z
      .array(z.enum([...MAIN_AMOUNTS, ...OTHER_AMOUNTS]))
      .optional()
      .describe('Amounts of these sums that are too low, since at least one part does not state them.'),
  })
  .meta({ id: 'Sums', description: 'Exact sums; what is not known counts as 0.' });

const difference = z.number().optional();
const remaining = z
  .object({
    ...(Object.fromEntries(MAIN_AMOUNTS.map((key) => [key, difference])) as Record<
      MainAmount,
      typeof difference
    >),
    nutrients: z
      .object(nutrientFields((amount, of) => amount.describe(of).optional()))
      .meta({ id: 'RemainingNutrients' })
      .optional(),
  })
  .meta({ id: 'RemainingAmounts' });

/** Goals as they are answered. */
export const goalAmounts = { ...optionalAmounts, nutrients: nutrientSums.optional() };

export const totalsSchema = sumsSchema
  .extend({
    date: realDate.optional().describe('Of a range: which day this is.'),
    meals: z
      .object(
        Object.fromEntries(MEAL_TYPES.map((meal) => [meal, sumsSchema])) as Record<
          MealType,
          typeof sumsSchema
        >,
      )
      .meta({ id: 'MealSums' })
      .optional()
      .describe('With `by=meal`: the sums of each meal.'),
    goals: z
      .object(goalAmounts)
      .meta({ id: 'GoalAmounts' })
      .optional()
      .describe('With `remaining=true`: the goals of the day.'),
    remaining: remaining
      .optional()
      .describe('With `remaining=true`: goals minus sums, below 0 when more was eaten.'),
  })
  .meta({ id: 'DailyTotals', description: 'Exact sums; what an entry does not state counts as 0.' });

/** Writes JSON by hand, since days are answered tens of thousands of times a second. `userId` is JSON already. */
export function entryJson(entry: DiaryEntry, userId: string): string {
  const createdAt = isoTimeJson(entry.createdAt);
  const updatedAt = entry.updatedAt === entry.createdAt ? createdAt : isoTimeJson(entry.updatedAt);
  let details = '';
  if (entry.eatenAt !== undefined) details += `,"eatenAt":"${entry.eatenAt}"`;
  if (entry.note !== undefined) details += `,"note":${JSON.stringify(entry.note)}`;
  return (
    `{"id":"${entry.id}","userId":${userId},"date":"${entry.date}","mealType":"${entry.mealType}",` +
    `${eatenJson(entry)},"addedMethod":"${entry.addedMethod}"${details},` +
    `"createdAt":${createdAt},"updatedAt":${updatedAt}}`
  );
}

/** The entry, with the version that its ETag names. */
export function entryReply(entry: DiaryEntry, { userId }: DiaryOwner): Reply {
  return { version: entry.version, body: entryJson(entry, JSON.stringify(userId)) };
}

/** `"calories":`, `,"protein":` and so on. The first amount is always known. */
const MAIN_AMOUNTS_JSON = MAIN_AMOUNTS.map((key, at) => `${at === 0 ? '' : ','}"${key}":`);
const OTHER_AMOUNTS_JSON = OTHER_AMOUNTS.map((key) => `,"${key}":`);

export function amountsJson(amounts: Amounts): string {
  let json = '';
  for (let at = 0; at < MAIN_AMOUNTS.length; at++) {
    const amount = amounts[MAIN_AMOUNTS[at]!];
    if (amount !== undefined) json += MAIN_AMOUNTS_JSON[at]! + decimalText(amount);
  }
  let others = '';
  for (let at = 0; at < OTHER_AMOUNTS.length; at++) {
    const amount = amounts[OTHER_AMOUNTS[at]!];
    if (amount !== undefined) others += OTHER_AMOUNTS_JSON[at]! + decimalText(amount);
  }
  return others === '' ? json : `${json},"nutrients":{${others.slice(1)}}`;
}

type Eaten = Pick<
  DiaryEntry,
  'foodName' | 'amounts' | 'foodId' | 'barcode' | 'recipeId' | 'quantity' | 'unit'
>;

export function eatenJson({
  foodName,
  amounts,
  foodId,
  barcode,
  recipeId,
  quantity: count,
  unit: of,
}: Eaten): string {
  let json = `"foodName":${JSON.stringify(foodName)},${amountsJson(amounts)}`;
  if (foodId !== undefined) json += `,"foodId":${JSON.stringify(foodId)}`;
  if (barcode !== undefined) json += `,"barcode":${JSON.stringify(barcode)}`;
  if (recipeId !== undefined) json += `,"recipeId":"${recipeId}"`;
  if (count !== undefined) json += `,"quantity":${count}`;
  if (of !== undefined) json += `,"unit":${JSON.stringify(of)}`;
  return json;
}
