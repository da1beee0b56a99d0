import { otherProductsSchema } from '@larder/core/error-details.ts';
import { FOOD_SOURCES, type Food, recipeIdOf, toFoodId } from '@larder/core/food.ts';
import { FOOD_LANGUAGES, type FoodLanguage } from '@larder/core/food-languages.ts';
import { FOOD_NOTES, type FoodNote, noteText } from '@larder/core/food-notes.ts';
import { toGtin } from '@larder/core/gtin.ts';
import { type NutrientKey, type Nutrients, REQUIRED_NUTRIENTS } from '@larder/core/nutrients.ts';
import { servedAmount, statedAmount, tidyNumber } from '@larder/core/rounding.ts';
import { type ScannedFacts, scannedFactsSchema } from '@larder/core/scanned-facts.ts';
import { z } from 'zod';
import { distinctServings } from '../../diary/records/unit-conversion.ts';
import type { VersionedFood } from '../../foods/custom/custom-food-writer.ts';
import { statedGrams } from '../../foods/custom/food-draft.ts';
import { type FoodWarning, warningsOf } from '../../foods/custom/food-warnings.ts';
import type { ScannedFood } from '../../foods/visible-foods.ts';
import { isoTime, recordVersion, warningSchema } from '../fields.ts';
import { type KnownNutrients, nutrientFields, nutrientsSchema } from '../nutrients.ts';
import type { Outcome } from '../operation.ts';
import { foodFactsSchema } from './food-facts-json.ts';
import SERVING_WORDS from './serving-words.json' with { type: 'json' };

export const unit = z.string().describe('`g`, `ml`, `oz`, `fl_oz` or a household unit such as `cup`.');
const amount = z.number().positive();
/** The measures of one serving. */
export const inBasis = {
  label: z.string().optional().describe('The household text.'),
  grams: amount.optional().describe('Weight in g, for a food whose nutrients are per 100 g.'),
  milliliters: amount.optional().describe('Volume in ml, for a food whose nutrients are per 100 ml.'),
};

const servingsSchema = z.array(z.object({ value: amount, unit, ...inBasis }).meta({ id: 'Serving' }));

export const macrosSchema = z
  .object(nutrientFields((amount, of) => amount.min(0).describe(of)))
  .partial()
  .required(Object.fromEntries(REQUIRED_NUTRIENTS.map((key) => [key, true as const])) as RequiredMask)
  .meta({
    id: 'Macros',
    description:
      'Amounts in one serving. The first four are always numbers, 0 where `unknown` names them; others are absent if they are unknown.',
  });

type RequiredMask = Record<(typeof REQUIRED_NUTRIENTS)[number], true>;

const noteSchema = z
  .object({
    code: z.enum(FOOD_NOTES),
    message: z.string().describe('For a person; may change.'),
  })
  .meta({ id: 'FoodNote' });

export const notesSchema = z
  .array(noteSchema)
  .describe('Values of the source that the import corrected, because they are impossible.');

/** Describes `FoodObject`. */
export const foodSchema = z
  .object({
    id: z.string().describe('Origin and its own key. It does not change when data is imported again.'),
    name: z.string(),
    lang: z.enum(FOOD_LANGUAGES).optional().describe('Language of `name`, if the request asked for it.'),
    brand: z.string().optional(),
    barcode: z.string().optional().describe('As the origin states it.'),
    aliases: z
      .array(z.string())
      .optional()
      .describe('Other names of a custom food that search also finds. Comes with `servings`.'),
    servingSize: z
      .object({
        value: z.number().positive(),
        unit: z.string().describe('`g`, `ml`, `oz`, `fl_oz` or a household unit such as `cup`.'),
        label: z.string().optional().describe('The household text.'),
        grams: z
          .number()
          .positive()
          .optional()
          .describe('Weight of the serving, if its unit does not state it. Only with `servings`.'),
      })
      .meta({ id: 'ServingSize' }),
    macros: macrosSchema,
    nutrients: nutrientsSchema.describe('Amounts in `servingSize`.'),
    recipeId: z
      .string()
      .optional()
      .describe('The recipe that this food is. Entries take `id` as `foodId`, or this as `recipeId`.'),
    unknown: z
      .array(z.enum(REQUIRED_NUTRIENTS))
      .optional()
      .describe('Nutrients that are unknown and therefore 0 in `macros`.'),
    source: z.enum(FOOD_SOURCES).meta({ id: 'FoodSource' }),
    shared: z.boolean().optional().describe('Only for custom foods: whether all users of the tenant see it.'),
    userId: z.string().optional().describe('The owner of a food that is not shared.'),
    // Client generators make one identifier of both names, so the document describes one of them.
    createdAt: z.iso
      .datetime()
      .meta({ description: 'Answered as `created_at` too.', 'x-alias': 'created_at' }),
    updatedAt: z.iso.datetime(),
    servings: servingsSchema
      .optional()
      .describe(
        'All servings, the first that of `servingSize`, each in a unit that stands for it alone: entries in it are computed with its measure. Present with `include=servings`, by id, in lists and in changes.',
      ),
    version: recordVersion.optional().describe('Version of a custom food. Send it in quotes as `If-Match`.'),
    per100: nutrientsSchema
      .optional()
      .describe(
        'Amounts in 100 g, or in 100 ml if `servings` are in milliliters. Comes with `servings`; absent for a recipe of unknown weight.',
      ),
    notes: notesSchema.optional(),
    facts: foodFactsSchema
      .optional()
      .describe('What sources say beside that. Present with `include=facts`, if there is anything.'),
    warnings: z
      .array(warningSchema)
      .optional()
      .describe('Values of a custom food that look wrong; the food was saved. Comes with `servings`.'),
  })
  .meta({ id: 'Food', description: 'A food, its nutrients scaled to `servingSize`.' });

/** Fields that a barcode look-up returns in addition to the food. */
export const scannedFields = {
  candidates: otherProductsSchema.optional(),
  scanned: scannedFactsSchema.optional(),
};

/** A serving of a food, as in responses. */
export interface ServingObject {
  readonly value: number;
  readonly unit: string;
  readonly label: string | undefined;
  readonly grams?: number;
  readonly milliliters?: number;
}

/** A food as in responses. Undefined fields are omitted. */
export interface FoodObject {
  readonly id: string;
  readonly name: string;
  readonly lang: FoodLanguage | undefined;
  readonly brand: string | undefined;
  readonly barcode: string | undefined;
  readonly aliases: readonly string[] | undefined;
  readonly servingSize: {
    readonly value: number;
    readonly unit: string;
    readonly label: string | undefined;
    readonly grams: number | undefined;
  };
  readonly macros: Nutrients;
  readonly nutrients: KnownNutrients;
  readonly unknown: readonly NutrientKey[] | undefined;
  readonly recipeId: string | undefined;
  readonly source: Food['source'];
  readonly shared: boolean | undefined;
  readonly userId: string | undefined;
  readonly created_at: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly notes: { code: FoodNote; message: string }[] | undefined;
  readonly servings?: readonly ServingObject[];
  readonly per100?: KnownNutrients | undefined;
  readonly warnings?: readonly FoodWarning[] | undefined;
  readonly facts?: z.infer<typeof foodFactsSchema>;
  readonly version?: number;
  readonly candidates?: ScannedFood['others'];
  readonly scanned?: ScannedFacts | undefined;
}

/** A food, its nutrients scaled to its first serving. */
export function foodObject(food: Food): FoodObject {
  const { id, name, brand, barcode, source, userId } = food;
  const [{ value, unit: of, label }] = food.servings;
  const createdAt = isoTime(food.createdAt * 1000);
  const isCustom = source === 'manual_entry';
  const macros = servedNutrients(food);
  return {
    id,
    name,
    lang: food.language,
    brand,
    barcode,
    aliases: undefined,
    servingSize: {
      value: statedAmount(value, source),
      unit: of,
      label: servingLabelIn(label, food.language),
      grams: undefined,
    },
    macros,
    nutrients: knownOf(macros, food.unknown),
    unknown: food.unknown,
    recipeId: recipeIdOf(id),
    source,
    shared: isCustom ? userId === undefined : undefined,
    userId: isCustom ? userId : undefined,
    created_at: createdAt,
    createdAt,
    updatedAt: food.updatedAt === food.createdAt ? createdAt : isoTime(food.updatedAt * 1000),
    notes: food.notes?.map(noteObject),
  };
}

function noteObject(code: FoodNote) {
  const text = noteText(code);
  return { code, message: `${text[0]!.toUpperCase()}${text.slice(1)}.` };
}

/** A food with all its data: every field that can be written is included. */
export function detailedFoodObject(food: Food): FoodObject {
  const plain = foodObject(food);
  const isCustom = food.source === 'manual_entry' && plain.recipeId === undefined;
  const grams = food.isCounted ? undefined : statedGrams(food);
  const warnings = isCustom ? warningsOf(food) : [];
  return {
    ...plain,
    aliases: isCustom && food.aliases.length > 0 ? food.aliases : undefined,
    servingSize: {
      ...plain.servingSize,
      grams: grams === undefined ? undefined : statedAmount(grams, food.source),
    },
    servings: servingObjects(food),
    per100: food.isCounted ? undefined : tidyNutrients(knownOf(food.per100, food.unknown)),
    warnings: warnings.length === 0 ? undefined : warnings,
  };
}

function servingObjects(food: Food): ServingObject[] {
  if (food.isCounted) return food.servings.map(({ value, unit: of, label }) => ({ value, unit: of, label }));
  const measure = food.basis === 'g' ? 'grams' : 'milliliters';
  return distinctServings(food).map(({ value, unit: of, label, basisAmount }) => ({
    value: tidyNumber(value),
    unit: of,
    label: servingLabelIn(label, food.language),
    [measure]: tidyNumber(basisAmount),
  }));
}

/** Without those that are unknown, and 0 in foods. */
function knownOf(nutrients: Nutrients, unknown: Food['unknown']): KnownNutrients {
  if (unknown === undefined) return nutrients;
  const known = Object.entries(nutrients).filter(([key]) => !unknown.includes(key as NutrientKey));
  return Object.fromEntries(known);
}

function tidyNutrients(nutrients: KnownNutrients): KnownNutrients {
  return Object.fromEntries(Object.entries(nutrients).map(([key, of]) => [key, tidyNumber(of)]));
}

function servedNutrients(food: Food): Nutrients {
  const served: { [key in NutrientKey]?: number } = { ...food.per100 };
  for (const key in served) served[key as NutrientKey] = servedAmount(food, key as NutrientKey);
  return served as Nutrients;
}

/** The food of the examples in the OpenAPI document. */
export const EXAMPLE_FOOD: Food = {
  id: toFoodId('off', '3017620422003'),
  source: 'public_dataset',
  name: 'Hazelnut spread with cocoa',
  brand: 'Example Brand',
  aliases: [],
  barcode: '3017620422003',
  gtin: toGtin('3017620422003'),
  basis: 'g',
  per100: {
    energy: 539,
    protein: 6.3,
    fat: 30.9,
    carbohydrates: 57.5,
    sugars: 56.3,
    saturatedFat: 10.6,
    sodium: 43,
  },
  servings: [{ value: 15, unit: 'g', basisAmount: 15, label: '1 tbsp (15 g)' }],
  popularity: 0,
  createdAt: 1_735_689_600,
  updatedAt: 1_767_225_600,
};

/** Makes an example without the second name of `createdAt`, which the document omits. */
export function exampleOf(answered: unknown): unknown {
  return JSON.parse(JSON.stringify(answered), (key, value) => (key === 'created_at' ? undefined : value));
}

export const EXAMPLE_FOOD_JSON = exampleOf(foodObject(EXAMPLE_FOOD));
export const EXAMPLE_DETAILED_FOOD_JSON = exampleOf(detailedFoodObject(EXAMPLE_FOOD));
export const EXAMPLE_CUSTOM_FOOD_JSON = exampleOf(
  customFoodObject({ food: { ...EXAMPLE_FOOD, source: 'manual_entry' }, version: 1 }),
);

/** A custom food, with the version that its ETag names. */
export function customFoodOutcome({ food, version }: VersionedFood): Outcome {
  return { value: customFoodObject({ food, version }), version };
}

/** A custom food with all its data, and its version. */
export function customFoodObject({ food, version }: VersionedFood): FoodObject {
  return { ...detailedFoodObject(food), version };
}

/** Forms of each unit by language: one; one and others; or those of Slavic and Romanian numbers: one, few, many. */
const WORDS: Readonly<Partial<Record<string, Readonly<Partial<Record<string, string>>>>>> = SERVING_WORDS;
/** A label of the shipped foods: "1 slice (28 g)", "1/2 cup, sliced (52 g)". */
const LABEL =
  /^(?<amount>\d+(?:\.\d+)?|\d+\/\d+) (?<unit>\p{L}+?)s?(?:, [^()]+)?(?<measure> \([\d.]+ (?:g|ml)\))$/u;
const MEASURE = /[\d.]+/;

/** The label in a language: "1 Scheibe (28 g)". Labels in other words than the known ones stay as they are. */
export function servingLabelIn(
  label: string | undefined,
  language: FoodLanguage | undefined,
): string | undefined {
  const words = language === undefined ? undefined : WORDS[language];
  const parts = words === undefined ? undefined : LABEL.exec(label ?? '')?.groups;
  const { amount = '', unit = '', measure = '' } = parts ?? {};
  const forms = words?.[unit]?.split('|');
  if (forms === undefined) return label;
  const numbers = new Intl.NumberFormat(language);
  const inLanguage = (text: string) => (text.includes('/') ? text : numbers.format(Number(text)));
  const word = formFor(amount, forms, language!);
  return `${inLanguage(amount)} ${word}${measure.replace(MEASURE, inLanguage)}`;
}

function formFor(amount: string, forms: readonly string[], language: FoodLanguage): string {
  const [one = '', few = one, many = few] = forms;
  const [numerator, denominator = '1'] = amount.split('/');
  const value = Number(numerator) / Number(denominator);
  // Half a cup is named as one is.
  const category = new Intl.PluralRules(language).select(value < 1 ? 1 : value);
  if (category === 'one') return one;
  if (forms.length === 2 && language === 'ar') return category === 'few' ? few : one;
  return category === 'many' ||
    (category === 'other' && language === 'ro') ||
    (forms.length === 3 && category === 'other' && Number.isInteger(value))
    ? many
    : few;
}
