import type { Food } from '@larder/core/food.ts';
import { round } from '@larder/core/rounding.ts';
import { LANGUAGE_CODES, LANGUAGE_TAG } from '@larder/text/language.ts';
import {
  MAX_LINE_LENGTH,
  MAX_LINES,
  MAX_LINES_LENGTH,
  MAX_TEXT_LENGTH,
  type ReadText,
  searchesOf,
  summed,
  type TextItem,
  type TextTotals,
  TOTAL_KEYS,
} from '@larder/text/parse/read-text.ts';
import { TEXT_CONTEXTS } from '@larder/text/parse/structure/context.ts';
import { z } from 'zod';
import { isWellFormedText } from '../../base/texts.ts';
import { AMOUNT_KEYS } from '../../diary/records/entry.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { nutrientsSchema, sumOfNutrients } from '../nutrients.ts';
import type { AlsoCounted } from '../operation.ts';
import { text } from '../text-schemas.ts';
import { EXAMPLE_FOOD, foodObject } from './food-json.ts';

/** One line of a text; it may be empty. */
export const lineText = z
  .string()
  .max(MAX_LINE_LENGTH)
  .refine(isWellFormedText, 'must be valid text')
  .meta({ pattern: '^[^\\u0000]*$' });

export const language = z
  .string()
  .regex(LANGUAGE_TAG, `must be one of ${LANGUAGE_CODES.join(', ')}, alone or with a region such as "en-GB"`)
  .meta({ id: 'TextLanguage', example: 'en-GB' });
const context = z.enum(TEXT_CONTEXTS);

export const parseTextFields = {
  text: z
    .union([
      text(MAX_TEXT_LENGTH).meta({ id: 'FoodText' }),
      z
        .array(lineText)
        .max(MAX_LINES)
        .refine(
          (lines) => lines.reduce((sum, { length }) => sum + length, 0) <= MAX_LINES_LENGTH,
          `must have at most ${MAX_LINES_LENGTH} characters in all lines together`,
        )
        .meta({ id: 'FoodLines' }),
    ])
    .meta({
      id: 'FoodTextOrLines',
      description:
        'A meal in words, or lines of a recipe. Lines are read one by one, whether line breaks separate them or an ' +
        `array holds them; all lines of an array together have at most ${MAX_LINES_LENGTH} characters.`,
    }),
  lang: language
    .optional()
    .describe(
      'The language of the text; detected if absent. A region (`en-GB`) determines usual measures and portions.',
    ),
  context: context
    .optional()
    .describe(
      'Kind of text: lines of a `recipe` state foods as they are bought, a `meal` as they are eaten. Inferred from the form of ' +
        'the text where it is left out.',
    ),
};

/** Reading a text takes as much work as several searches. */
export function countAsSearches(text: string | readonly string[]): AlsoCounted {
  return { operation: 'search', times: searchesOf(text) };
}

export const PARSE_TEXT_LIMIT = BODY_LIMITS.item;
export const EXAMPLE_TEXT = { text: '15 g hazelnut spread' };

const amount = z.number().min(0);
const totalsSchema = z
  .object({
    calories: amount.describe('kcal'),
    protein: amount.describe('g'),
    carbs: amount.describe('g'),
    fat: amount.describe('g'),
    fiber: amount.describe('g'),
    sodium: amount.describe('mg'),
    nutrients: nutrientsSchema,
    unknown: z
      .array(z.enum(AMOUNT_KEYS))
      .optional()
      .describe('Amounts of these sums that are too low, because at least one food does not state them.'),
  })
  .meta({ id: 'TextTotals' });

export const ignoredSchema = z
  .object({
    text: z.string(),
    start: z.int().min(0).describe('As of items.'),
    end: z.int().min(0),
    line: z.int().min(0).optional(),
  })
  .meta({ id: 'IgnoredText' });

/** Describes `textObject`, or a face's form of it; `prefix` begins the names of its schemas. */
export function readTextSchema(food: z.ZodType, prefix: '' | 'Unversioned') {
  const item = z.object({
    text: z.string().describe('The words that name the food.'),
    start: z
      .int()
      .min(0)
      .describe('Start of the words in the text or, for an array, in their line; in UTF-16 units.'),
    end: z.int().min(0).describe('End of the words, exclusive.'),
    line: z.int().min(0).optional().describe('From 0; absent for a text of one line.'),
    quantity: amount.optional().describe('As it is written; of a range the lower end. Absent where none is.'),
    unit: z.string().optional().describe('Such as `g`, `cup`, `slice`, or a size such as `large`.'),
    grams: amount
      .optional()
      .describe('Weight in g, or ml for a food whose nutrients are per 100 ml. Absent if unknown.'),
    food: food.optional().describe('Scaled to `grams`, if they are known.'),
    alternatives: z.array(food).describe('Other foods that may be meant, scaled alike, best first: up to 4.'),
    confidence: z.number().min(0).max(1).describe('Probability that food and amount are right.'),
    note: z.string().optional().describe('Source of `grams`: `weight`, `serving "1 medium"`.'),
    assumed: z
      .array(z.string())
      .optional()
      .describe(
        'Facts that the text does not state and that were assumed; `raw` or `dry` for a food of a recipe that is in this state.',
      ),
    portion: z
      .object({
        assumed: z.string().describe('What the amount was taken as: `1 medium`, `usual portion`.'),
        low: amount.describe('The range in which the amount probably lies, in the unit of `grams`.'),
        high: amount,
        others: z
          .array(
            z
              .object({ label: z.string(), grams: amount.describe('In the unit of `grams` of the item.') })
              .meta({ id: `${prefix}OtherPortion` }),
          )
          .describe('What else may be meant, to offer instead: up to 4.'),
      })
      .meta({ id: `${prefix}ItemPortion` })
      .optional()
      .describe('What was assumed about the amount; absent where the text weighs or measures it.'),
    asEaten: z
      .string()
      .optional()
      .describe('Id of the food as it is eaten, one of `alternatives`, where `assumed` has `raw` or `dry`.'),
    unresolved: z
      .enum(['food', 'amount'])
      .optional()
      .describe('The unknown part. Totals do not include the item.'),
  });
  return z
    .object({
      items: z.array(item.meta({ id: `${prefix}TextItem` })),
      totals: totalsSchema.describe('Sums of the foods without `unresolved`.'),
      unresolvedCount: z.int().min(0).describe('How many items have `unresolved`.'),
      ignored: z
        .array(ignoredSchema)
        .describe(
          'Words that belong to no item, such as a preparation or a remark; small words are left out.',
        ),
      context: context.describe('Kind that the text was read as.'),
    })
    .meta({ id: `${prefix}ParsedText` });
}

/** The text with all its foods as `inLanguages` makes them. */
export function textInLanguages(read: ReadText, inLanguages: (food: Food) => Food): ReadText {
  const items = read.items.map((item) => ({
    ...item,
    food: item.food && inLanguages(item.food),
    alternatives: item.alternatives.map(inLanguages),
  }));
  return { ...read, items };
}

/** The result of reading a text, as in responses. */
export function textObject({ items, totals, unresolved, ignored, context: readAs }: ReadText) {
  const sums = Object.fromEntries(TOTAL_KEYS.map((key) => [key, round(totals[key])])) as TextTotals;
  const objects = items.map(itemObject);
  // The sums are those of the displayed amounts.
  const counted = objects.flatMap(({ food, unresolved: missing }) =>
    food === undefined || missing !== undefined ? [] : [food.nutrients],
  );
  return {
    items: objects,
    totals: { ...sums, ...sumOfNutrients(counted, TOTAL_KEYS) },
    unresolvedCount: unresolved,
    ignored,
    context: readAs,
  };
}

export type TextObject = ReturnType<typeof textObject>;

function itemObject(item: TextItem) {
  const { text, start, end, line, quantity, unit, grams, food, alternatives } = item;
  const { confidence, note, assumed, portion, asEaten, unresolved } = item;
  return {
    ...{ text, start, end, line },
    quantity: quantity ?? undefined,
    unit: unit ?? undefined,
    grams: grams ?? undefined,
    food: food === null ? undefined : foodObject(food),
    alternatives: alternatives.map(foodObject),
    ...{
      confidence,
      note,
      assumed: assumed.length === 0 ? undefined : assumed,
      portion,
      asEaten,
      unresolved,
    },
  };
}

/** The reading of `EXAMPLE_TEXT`. */
export const EXAMPLE_READ_TEXT = textObject(
  summed([
    {
      text: 'hazelnut spread',
      start: 5,
      end: 20,
      quantity: 15,
      unit: 'g',
      grams: 15,
      food: EXAMPLE_FOOD,
      alternatives: [],
      confidence: 0.93,
      note: 'weight',
      assumed: [],
    },
  ]),
);
