import { z } from 'zod';
import type { FoodObject } from '../../../api/foods/food-json.ts';
import { changeFood, createFood, deleteFood, listFoods } from '../../../api/foods/foods.ts';
import { invalidField } from '../../../diary/records/invalid-field.ts';
import { goalsInput } from '../amounts.ts';
import { foodOf, foodResult } from '../foods.ts';
import { answered, ask, ofUser, READS, REPLACES, type ToolContext, tool } from '../tool.ts';
import { idempotencyKeyInput, onlyVersion, repeatedField, versionInput, writeOnce } from '../writes.ts';

/** An answer lists as many; a tenant may have more. */
const MAX_LISTED = 100;

type CustomFood = FoodObject & {
  readonly version?: number;
  readonly aliases?: readonly string[] | undefined;
  readonly warnings?: readonly { readonly message: string }[];
};

const customFoodResult = foodResult.extend({
  version: z.int(),
  aliases: z.array(z.string()).optional(),
});

function customFoodOf(food: CustomFood): z.infer<typeof customFoodResult> {
  const { version = 1, aliases } = food;
  return { ...foodOf(food), version, ...(aliases !== undefined && { aliases: [...aliases] }) };
}

export const getCustomFoodsTool = tool({
  name: 'get_custom_foods',
  title: 'Read custom foods',
  description: 'The foods that the user entered and those that all users share, with their ids and versions.',
  scope: 'foods:read',
  user: 'optional',
  annotations: READS,
  input: z.strictObject({}),
  output: z.object({
    foods: z.array(customFoodResult),
    hasMore: z.boolean().optional().describe(`True if there are more than ${MAX_LISTED}.`),
  }),
  async run(_, context) {
    const { userId } = context;
    const page = await context.call(listFoods, { query: { userId, limit: MAX_LISTED } });
    const foods = answered<CustomFood[]>(page);
    return {
      foods: foods.map(customFoodOf),
      ...(page.headers['link'] !== undefined && { hasMore: true }),
    };
  },
});

const saved = z.strictObject({
  foodId: z.string().optional().describe('The custom food to change; a new one without it.'),
  version: versionInput,
  name: z.string().optional(),
  brand: z.string().optional().describe('An empty text removes it.'),
  barcode: z.string().optional().describe('An empty text removes it.'),
  aliases: z.array(z.string()).optional().describe('Other names that search also finds.'),
  serving: z
    .strictObject({
      quantity: z.number().positive(),
      unit: z.string().describe('g, oz, ml, fl_oz, cup, tbsp, tsp, or a household unit with grams.'),
      label: z.string().optional().describe('As on the package, such as "1 cup (240 ml)".'),
      grams: z.number().positive().optional().describe('Weight, if the unit does not determine it.'),
    })
    .optional()
    .describe('The amount that nutrients are of.'),
  nutrients: goalsInput
    .optional()
    .describe('Of one serving. A new food needs energy; null makes a nutrient of an existing one unknown.'),
  shared: z
    .boolean()
    .optional()
    .describe('Whether all users see it. By default a new food is of this user alone.'),
  idempotencyKey: idempotencyKeyInput,
});

export const saveFoodTool = tool({
  name: 'save_food',
  title: 'Save a custom food',
  description:
    'Saves a food with the values of its label, which search and log_meal then find, or changes the given fields of a custom food.',
  scope: 'foods:write',
  user: 'required',
  annotations: REPLACES,
  input: saved,
  output: z.object({
    food: customFoodResult,
    warnings: z.array(z.string()).optional().describe('What looks wrong in the values; the food is saved.'),
    repeated: repeatedField,
  }),
  async run(given, context) {
    const { value, repeated } = await write(given, context);
    return {
      food: customFoodOf(value),
      warnings: value.warnings?.map(({ message }) => message),
      repeated,
    };
  },
});

async function write(
  given: z.output<typeof saved>,
  context: ToolContext,
): Promise<{ readonly value: CustomFood; readonly repeated?: string | undefined }> {
  const { foodId, version, idempotencyKey, serving, nutrients, shared, brand, barcode, ...named } = given;
  const isNew = foodId === undefined;
  const removable = (text: string | undefined) => (text === '' ? (isNew ? undefined : null) : text);
  const fields = {
    ...named,
    brand: removable(brand),
    barcode: removable(barcode),
    macros: nutrients,
    servingSize: serving && {
      ...{ value: serving.quantity, unit: serving.unit, label: serving.label, grams: serving.grams },
    },
  };
  if (!isNew) {
    const parts = { params: { id: foodId }, headers: onlyVersion(version), body: { ...fields, shared } };
    return { value: await ask<CustomFood>(context, changeFood, parts) };
  }
  if (named.name === undefined || serving === undefined || nutrients?.energy === undefined)
    throw invalidField('name', 'A new food needs "name", "serving", and "nutrients" with "energy".');
  return writeOnce<CustomFood>(context, createFood, {
    body: { ...fields, ...ownerOf(shared, context) },
    idempotencyKey,
  });
}

/** Whose a new food is. A key names the user; the food of a token is always that of its user. */
function ownerOf(shared: boolean | undefined, context: ToolContext): object {
  const { userId } = ofUser(context);
  const { caller } = context;
  if (caller.userId === undefined) return shared === true ? {} : { userId };
  return caller.isMember ? { shared: shared ?? false } : { shared };
}

export const deleteFoodTool = tool({
  name: 'delete_food',
  title: 'Delete a custom food',
  description: 'Deletes a custom food. Entries and recipes with it keep their values.',
  scope: 'foods:write',
  user: 'none',
  annotations: REPLACES,
  input: z.strictObject({ foodId: z.string(), version: versionInput }),
  output: z.object({ deleted: z.string() }),
  async run({ foodId, version }, context) {
    await ask(context, deleteFood, { params: { id: foodId }, headers: onlyVersion(version) });
    return { deleted: foodId };
  },
});
