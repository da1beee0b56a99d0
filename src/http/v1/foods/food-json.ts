import { FOOD_SOURCES, type Food } from '@larder/core/food.ts';
import { NUTRIENT_KEYS, NUTRIENT_UNITS, REQUIRED_NUTRIENTS } from '@larder/core/nutrients.ts';
import { servedText, statedText, tidyNumber } from '@larder/core/rounding.ts';
import { z } from 'zod';
import { statedGrams } from '../../../foods/own/food-draft.ts';
import { FOOD_WARNINGS, warningsOf } from '../../../foods/own/food-warnings.ts';
import type { TenantFood } from '../../../foods/own/tenant-food-store.ts';
import type { Reply } from '../../server/operation.ts';
import { EXAMPLE_FOOD, servingsJson, servingsSchema } from '../../shared/food-parts.ts';
import type { FoodWriter } from '../../shared/food-queries.ts';

const nutrientsSchema = z
  .object(
    Object.fromEntries(
      NUTRIENT_KEYS.map((key) => [key, z.number().min(0).describe(NUTRIENT_UNITS[key])]),
    ) as Record<(typeof NUTRIENT_KEYS)[number], z.ZodNumber>,
  )
  .partial()
  .required(Object.fromEntries(REQUIRED_NUTRIENTS.map((key) => [key, true as const])) as RequiredMask);

export const macrosSchema = nutrientsSchema.meta({
  id: 'Macros',
  description: 'Amounts in one serving. What is not known is absent, never 0.',
});

type RequiredMask = Record<(typeof REQUIRED_NUTRIENTS)[number], true>;

const warningSchema = z
  .object({
    code: z.enum(FOOD_WARNINGS),
    field: z.string().describe('The field of the food that looks wrong.'),
    message: z.string().describe('For a person; may change.'),
  })
  .meta({ id: 'FoodWarning' });

/** Describes what `foodJson` and `detailedFoodJson` write. */
export const foodSchema = z
  .object({
    id: z.string().describe('Stable across imports: the origin and its own key.'),
    name: z.string(),
    brand: z.string().optional(),
    barcode: z.string().optional().describe('As the origin states it.'),
    aliases: z
      .array(z.string())
      .optional()
      .describe('Of a food that was entered: other names that search finds it by. Only with `servings`.'),
    servingSize: z
      .object({
        value: z.number().positive(),
        unit: z.string().describe('`g`, `ml`, `oz`, `fl_oz` or a household unit such as `cup`.'),
        label: z.string().optional().describe('The household text.'),
        grams: z
          .number()
          .positive()
          .optional()
          .describe('What it weighs, where the unit does not say so. Only with `servings`.'),
      })
      .meta({ id: 'ServingSize' }),
    macros: macrosSchema,
    source: z.enum(FOOD_SOURCES).meta({ id: 'FoodSource' }),
    shared: z
      .boolean()
      .optional()
      .describe('Of a food that was entered: whether all users of the tenant see it.'),
    userId: z.string().optional().describe('The user to whom a food belongs that is not shared.'),
    // Generators of clients make one name of both, so the document has one of them.
    createdAt: z.iso
      .datetime()
      .meta({ description: 'Answered as `created_at` too.', 'x-alias': 'created_at' }),
    updatedAt: z.iso.datetime(),
    servings: servingsSchema.v1
      .optional()
      .describe(
        'All of them, first that of `servingSize`. With `include=servings`, and by id, in lists and changes.',
      ),
    per100: nutrientsSchema
      .meta({ id: 'NutrientsPer100' })
      .optional()
      .describe(
        'Amounts in 100 g or, where `servings` are in milliliters, in 100 ml. Comes with `servings`.',
      ),
    warnings: z
      .array(warningSchema)
      .optional()
      .describe(
        'What looks wrong in a food that was entered; it was saved all the same. Comes with `servings`.',
      ),
  })
  .meta({ id: 'Food', description: 'A food, its nutrients scaled to `servingSize`.' });

/** Written by hand, since a search answers twenty of these: four times as fast as serialising an object. */
export function foodJson(food: Food, isDetailed = false): string {
  const serving = food.servings[0];
  const createdAt = `"${new Date(food.createdAt * 1000).toISOString()}"`;
  const updatedAt =
    food.updatedAt === food.createdAt ? createdAt : `"${new Date(food.updatedAt * 1000).toISOString()}"`;
  const isEntered = food.source === 'manual_entry';

  let json = `{"id":${JSON.stringify(food.id)},"name":${JSON.stringify(food.name)}`;
  if (food.brand !== undefined) json += `,"brand":${JSON.stringify(food.brand)}`;
  if (food.barcode !== undefined) json += `,"barcode":${JSON.stringify(food.barcode)}`;
  if (isDetailed && isEntered && food.aliases.length > 0)
    json += `,"aliases":${JSON.stringify(food.aliases)}`;
  json += `,"servingSize":{"value":${statedText(serving.value, food.source)},"unit":${JSON.stringify(serving.unit)}`;
  if (serving.label !== undefined) json += `,"label":${JSON.stringify(serving.label)}`;
  if (isDetailed) json += gramsJson(food);
  json += `},"macros":{${macrosJson(food)}},"source":"${food.source}"`;
  if (isEntered) {
    const { userId } = food;
    json += userId === undefined ? ',"shared":true' : `,"shared":false,"userId":${JSON.stringify(userId)}`;
  }
  json += `,"created_at":${createdAt},"createdAt":${createdAt},"updatedAt":${updatedAt}`;
  return `${json}${isDetailed ? detailsJson(food) : ''}}`;
}

/** With everything that is known of the food: all that can be written of it can be read here. */
export function detailedFoodJson(food: Food): string {
  return foodJson(food, true);
}

export const FOOD_WRITER: FoodWriter = { plain: foodJson, withServings: detailedFoodJson };

function gramsJson(food: Food): string {
  const grams = statedGrams(food);
  return grams === undefined ? '' : `,"grams":${statedText(grams, food.source)}`;
}

function detailsJson(food: Food): string {
  const per100 = Object.entries(food.per100).map(([key, amount]) => [key, tidyNumber(amount)]);
  const warnings = food.source === 'manual_entry' ? warningsOf(food) : [];
  return (
    `,"servings":${servingsJson(food, 'value')},"per100":${JSON.stringify(Object.fromEntries(per100))}` +
    (warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`)
  );
}

/** `"energy":`, `,"protein":` and so on. The first nutrient is one that every food has. */
const MACRO_KEYS_JSON = NUTRIENT_KEYS.map((key, at) => `${at === 0 ? '' : ','}"${key}":`);

function macrosJson(food: Food): string {
  let json = '';
  for (let at = 0; at < NUTRIENT_KEYS.length; at++) {
    const amount = servedText(food, NUTRIENT_KEYS[at]!);
    if (amount !== undefined) json += MACRO_KEYS_JSON[at]! + amount;
  }
  return json;
}

/** With the fields that the document names: without the second name of `createdAt`. */
export function exampleJson(json: string): unknown {
  return JSON.parse(json, (key, value) => (key === 'created_at' ? undefined : value));
}

export const EXAMPLE_FOOD_JSON = exampleJson(foodJson(EXAMPLE_FOOD));
export const EXAMPLE_DETAILED_FOOD_JSON = exampleJson(detailedFoodJson(EXAMPLE_FOOD));
export const EXAMPLE_ENTERED_FOOD_JSON = exampleJson(
  detailedFoodJson({ ...EXAMPLE_FOOD, source: 'manual_entry' }),
);

/** A food that was entered, with the version that its ETag names. */
export function tenantFoodReply({ food, revision }: TenantFood): Reply {
  return { version: revision, body: detailedFoodJson(food) };
}
