import { z } from 'zod';
import { decimalText } from '../../../catalogue/food/rounding.ts';
import type { EatenFood } from '../../../diary/eaten-foods.ts';
import {
  ADDED_METHODS,
  AMOUNT_KEYS,
  type Amounts,
  type DiaryEntry,
  MAX_BATCH_ENTRIES,
  MAX_CALORIES,
  MAX_NAME_CHARACTERS,
  MEAL_TYPES,
} from '../../../diary/entry.ts';
import {
  type EntryChange,
  type EntryInput,
  fieldsWith,
  SOURCE_FIELDS,
  type SourceField,
} from '../../../diary/entry-input.ts';
import { MAX_AMOUNT } from '../../../diary/thousandths.ts';
import { MAX_QUANTITY, MAX_UNIT_CHARACTERS } from '../../../diary/unit-conversion.ts';
import type { GoalsInput } from '../../../diary/user-goals.ts';
import { barcodeText, dateText, visibleText } from '../../openapi/text-schemas.ts';
import { isoTimeJson } from '../fields.ts';

const date = dateText.describe('A real calendar date of the user, YYYY-MM-DD.');
const mealType = z.enum(MEAL_TYPES);
const addedMethod = z.enum(ADDED_METHODS);
const calories = z.number().min(0).max(MAX_CALORIES).describe('kcal');
const grams = z.number().min(0).max(MAX_AMOUNT).describe('g');
const sodium = z.number().min(0).max(MAX_AMOUNT).describe('mg');
const quantity = z.number().positive().max(MAX_QUANTITY).describe('How many of `unit`.');
const unit = visibleText(MAX_UNIT_CHARACTERS).describe(
  'g, mg, kg, oz, lb, ml, l, fl_oz, cup, tbsp, tsp, serving, or a serving of the food such as "slice" or "2 slices".',
);

const foodName = visibleText(MAX_NAME_CHARACTERS);

const optionalAmounts = {
  calories: calories.optional(),
  protein: grams.optional(),
  carbs: grams.optional(),
  fat: grams.optional(),
  fiber: grams.optional(),
  sodium: sodium.optional(),
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

/** What the document says of the fields that go with one source; `sourceOf` is what checks them. */
function describeSource(source: SourceField) {
  const { required, refused } = fieldsWith(source);
  const others = SOURCE_FIELDS.filter((other) => other !== source);
  return {
    title: source,
    required: [source, ...required],
    not: { anyOf: [...others, ...refused].map((field) => ({ required: [field] })) },
  };
}

/** The same of an ingredient, which is neither a recipe nor a scan. */
export const INGREDIENT_SOURCES = (['foodName', 'foodId', 'barcode'] as const).map(describeSource);

const newEntry = z
  .strictObject({
    date,
    mealType,
    ...portionFields,
    recipeId: z.string().optional().describe('With quantity and unit "serving".'),
    scanJobId: z
      .string()
      .optional()
      .describe('Of a completed scan: an entry for each of its items, as it was served.'),
    addedMethod: addedMethod.optional().describe('When absent it follows from what was given.'),
  })
  .meta({
    id: 'NewDiaryEntry',
    description: 'Exactly one of foodName, foodId, barcode, recipeId, scanJobId.',
    oneOf: SOURCE_FIELDS.map(describeSource),
  });

export const newEntrySchema: z.ZodType<EntryInput> = newEntry;
export const newEntriesSchema: z.ZodType<EntryInput[]> = z.array(newEntry).min(1).max(MAX_BATCH_ENTRIES);

export const entryChangeSchema: z.ZodType<EntryChange> = z
  .strictObject({
    date: date.optional(),
    mealType: mealType.optional(),
    foodName: foodName.optional(),
    calories: calories.optional(),
    protein: grams.optional(),
    carbs: grams.optional(),
    fat: grams.optional(),
    fiber: grams.nullable().optional().describe('g; null makes it unknown'),
    sodium: sodium.nullable().optional().describe('mg; null makes it unknown'),
    addedMethod: addedMethod.optional(),
    quantity: quantity
      .optional()
      .describe('The amounts follow, unless any of them is given too: then those that are not given stay.'),
    unit: unit.optional(),
  })
  .meta({ id: 'DiaryEntryChange' });

export const copySchema = z
  .strictObject({
    from: date,
    to: date,
    mealType: mealType.optional().describe('Only this meal.'),
    toMealType: mealType.optional().describe('The meal of the copies.'),
  })
  .meta({ id: 'DiaryCopy' });

const requiredAmounts = { calories, protein: grams, carbs: grams, fat: grams };
const eaten = {
  foodName: z.string(),
  ...requiredAmounts,
  fiber: grams.optional(),
  sodium: sodium.optional(),
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
    date,
    mealType,
    ...eaten,
    addedMethod,
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
  })
  .meta({ id: 'Sums', description: 'Exact sums; what nothing knows counts as 0.' });

const remaining = z.partialRecord(z.enum(AMOUNT_KEYS), z.number());

export const totalsSchema = sumsSchema
  .extend({
    date: date.optional().describe('Of a range: which day this is.'),
    goals: z.object(optionalAmounts).optional().describe('With `remaining=true`: the goals of the day.'),
    remaining: remaining
      .optional()
      .describe('With `remaining=true`: goals minus sums, below 0 when more was eaten.'),
  })
  .meta({ id: 'DailyTotals', description: 'Exact sums; what no entry knows counts as 0.' });

export const eatenFoodSchema = z
  .object({
    ...eaten,
    mealType,
    lastDate: date,
    timesEaten: z.int().describe('In the latest 2,000 entries.'),
  })
  .meta({ id: 'EatenFood', description: 'A food of the diary, as it was last eaten.' });

/** Writes JSON by hand, since days are answered tens of thousands of times a second. `userId` is JSON already. */
export function entryJson(entry: DiaryEntry, userId: string): string {
  const createdAt = isoTimeJson(entry.createdAt);
  const updatedAt = entry.updatedAt === entry.createdAt ? createdAt : isoTimeJson(entry.updatedAt);
  return (
    `{"id":"${entry.id}","userId":${userId},"date":"${entry.date}","mealType":"${entry.mealType}",` +
    `${eatenJson(entry)},"addedMethod":"${entry.addedMethod}",` +
    `"createdAt":${createdAt},"updatedAt":${updatedAt}}`
  );
}

export function eatenFoodJson({ last, timesEaten }: EatenFood): string {
  return `{${eatenJson(last)},"mealType":"${last.mealType}","lastDate":"${last.date}","timesEaten":${timesEaten}}`;
}

/** `"calories":`, `,"protein":` and so on. The first amount is always known. */
const AMOUNT_KEYS_JSON = AMOUNT_KEYS.map((key, at) => `${at === 0 ? '' : ','}"${key}":`);

export function amountsJson(amounts: Amounts): string {
  let json = '';
  for (let at = 0; at < AMOUNT_KEYS.length; at++) {
    const amount = amounts[AMOUNT_KEYS[at]!];
    if (amount !== undefined) json += AMOUNT_KEYS_JSON[at]! + decimalText(amount);
  }
  return json;
}

type Eaten = Pick<
  DiaryEntry,
  'foodName' | 'amounts' | 'foodId' | 'barcode' | 'recipeId' | 'quantity' | 'unit'
>;

function eatenJson({
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

/** As `todayIn` reads it, which knows older and newer spellings of these names, too. */
const timeZone = z
  .string()
  .meta({ enum: ['UTC', ...Intl.supportedValuesOf('timeZone')], example: 'Europe/Berlin' });

export const newGoalsSchema: z.ZodType<GoalsInput> = z
  .strictObject({
    from: date.optional().describe('First day on which they hold; today when absent.'),
    timeZone: timeZone.optional().describe('Without `from`: whose today it is; UTC when absent.'),
    replaceHistory: z
      .boolean()
      .optional()
      .describe('Drops all goals stated before. Without `from` these then hold for every day.'),
    ...optionalAmounts,
  })
  .meta({
    id: 'NewGoals',
    description: 'At least one amount, or `replaceHistory`.',
    anyOf: [
      ...Object.keys(optionalAmounts).map((key) => ({ required: [key] })),
      { required: ['replaceHistory'], properties: { replaceHistory: { const: true } } },
    ],
  });

export const goalsSchema = z.object({ from: date.optional(), ...optionalAmounts }).meta({ id: 'Goals' });
