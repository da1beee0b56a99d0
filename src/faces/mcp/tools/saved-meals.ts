import { recipeIdOf } from '@larder/core/food.ts';
import { z } from 'zod';
import type { KnownNutrients } from '../../../api/nutrients.ts';
import { logSavedMeal, recordOperation } from '../../../api/records/records.ts';
import { invalidField } from '../../../diary/records/invalid-field.ts';
import { nutrients, nutrientsInput, rounded } from '../amounts.ts';
import { dayInputs, understandDay, understoodDay } from '../days.ts';
import {
  dayAfterFields,
  dayAfterWrite,
  type EntryObject,
  entryOf,
  entryResult,
  mealTypeInput,
} from '../entries.ts';
import { addsToDiary, ask, changesDiary, ofUser, readsDiary, tool } from '../tool.ts';
import { idempotencyKeyInput, onlyVersion, repeatedField, versionInput, writeOnce } from '../writes.ts';

/** A list answers as many; a user may have 500 of each. */
const MAX_LISTED = 100;
const MAX_ITEMS = 50;

const of = {
  foodId: z.string().optional(),
  recipeId: z.string().optional(),
  quantity: z.number().positive().optional(),
  unit: z.string().optional(),
};

const mealResult = z.object({
  mealId: z.string(),
  version: z.int(),
  name: z.string(),
  items: z.array(z.object({ foodName: z.string(), ...of, nutrients })),
});
const favouriteResult = z.object({
  favouriteId: z.string(),
  version: z.int(),
  name: z.string(),
  brand: z.string().optional(),
  ...of,
  mealId: z.string().optional(),
});

interface Item extends z.infer<z.ZodObject<typeof of>> {
  readonly foodName: string;
  readonly nutrients?: KnownNutrients;
}
/** The food of a recipe is named as the recipe, as the page does. */
function named<Of extends { readonly foodId?: string | undefined }>(given: Of): Of {
  const recipeId = given.foodId === undefined ? undefined : recipeIdOf(given.foodId);
  return recipeId === undefined ? given : { ...given, foodId: undefined, recipeId };
}

interface Meal {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly items: readonly Item[];
}
interface Favourite extends Omit<z.infer<typeof favouriteResult>, 'favouriteId'> {
  readonly id: string;
}

function mealOf({ id, version, name, items }: Meal): z.infer<typeof mealResult> {
  return {
    ...{ mealId: id, version, name },
    items: items.map((item) => {
      const { foodName, foodId, recipeId, quantity, unit } = item;
      return { foodName, foodId, recipeId, quantity, unit, nutrients: rounded(item.nutrients ?? {}) };
    }),
  };
}

function favouriteOf({ id, version, name, brand, foodId, recipeId, mealId, quantity, unit }: Favourite) {
  return { favouriteId: id, version, name, brand, foodId, recipeId, mealId, quantity, unit };
}

export const getSavedTool = tool({
  name: 'get_saved',
  title: 'Read saved meals and favourites',
  description:
    'The saved meals, which log_saved_meal writes as a whole, and the favourite foods of the user, with their ids.',
  ...readsDiary,
  input: z.strictObject({}),
  output: z.object({
    meals: z.array(mealResult),
    favourites: z.array(favouriteResult),
    hasMore: z.boolean().optional().describe(`True if there are more than ${MAX_LISTED} of one of them.`),
  }),
  async run(_, context) {
    const list = { params: ofUser(context), query: { limit: MAX_LISTED + 1 } };
    const [meals, favourites] = await Promise.all([
      ask<Meal[]>(context, recordOperation('listSavedMeals'), list),
      ask<Favourite[]>(context, recordOperation('listFavourites'), list),
    ]);
    const hasMore = Math.max(meals.length, favourites.length) > MAX_LISTED;
    return {
      meals: meals.slice(0, MAX_LISTED).map(mealOf),
      favourites: favourites.slice(0, MAX_LISTED).map(favouriteOf),
      ...(hasMore && { hasMore }),
    };
  },
});

const itemInput = z
  .strictObject({ foodName: z.string(), ...of, nutrients: nutrientsInput.optional() })
  .describe('A foodId or recipeId with quantity and unit, or nutrients with energy.');

export const saveMealTool = tool({
  name: 'save_meal',
  title: 'Save a meal',
  description:
    'Saves foods under a name, to be logged together by log_saved_meal, or changes a saved meal by its mealId. Writes nothing to the diary.',
  ...changesDiary,
  input: z.strictObject({
    mealId: z.string().optional().describe('The saved meal to change; a new one without it.'),
    version: versionInput,
    name: z.string().optional(),
    items: z.array(itemInput).min(1).max(MAX_ITEMS).optional(),
    idempotencyKey: idempotencyKeyInput,
  }),
  output: z.object({ meal: mealResult, repeated: repeatedField }),
  async run({ mealId, version, name, items, idempotencyKey }, context) {
    const body = {
      name,
      items: items?.map((item) => {
        return named({ ...item, calories: item.nutrients?.energy });
      }),
    };
    if (mealId !== undefined) {
      const params = { ...ofUser(context), mealId };
      const headers = onlyVersion(version);
      return {
        meal: mealOf(await ask<Meal>(context, recordOperation('changeSavedMeal'), { params, headers, body })),
      };
    }
    if (name === undefined || items === undefined)
      throw invalidField(name === undefined ? 'name' : 'items', 'A new saved meal needs "name" and "items".');
    const { value, repeated } = await writeOnce<Meal>(context, recordOperation('createSavedMeal'), {
      ...{ params: ofUser(context), body, idempotencyKey },
    });
    return { meal: mealOf(value), repeated };
  },
});

export const logSavedMealTool = tool({
  name: 'log_saved_meal',
  title: 'Log a saved meal',
  description:
    'Writes all foods of a saved meal to the diary, or nothing, and answers the sums of the day against its goals.',
  ...addsToDiary,
  input: z.strictObject({
    ...dayInputs,
    mealId: z.string(),
    mealType: mealTypeInput,
    idempotencyKey: idempotencyKeyInput,
  }),
  output: z.object({
    day: understoodDay,
    written: z.array(entryResult),
    repeated: repeatedField,
    ...dayAfterFields,
  }),
  async run({ date, mealId, mealType, idempotencyKey }, context) {
    const day = understandDay(date, context);
    const { value, repeated } = await writeOnce<EntryObject[]>(context, logSavedMeal, {
      params: { ...ofUser(context), mealId },
      body: { date: day.date, mealType },
      idempotencyKey,
    });
    return {
      day,
      written: value.map((entry) => entryOf(entry)),
      repeated,
      ...(await dayAfterWrite(context, day.date)),
    };
  },
});

export const addFavouriteTool = tool({
  name: 'add_favourite',
  title: 'Add a favourite',
  description:
    'Makes a food, a recipe or a saved meal a favourite, which the app offers first, with its usual amount.',
  ...addsToDiary,
  input: z.strictObject({
    name: z.string().describe('As the app shows it.'),
    brand: z.string().optional(),
    ...of,
    mealId: z.string().optional().describe('A saved meal. Give one of foodId, recipeId and mealId.'),
    idempotencyKey: idempotencyKeyInput,
  }),
  output: z.object({ favourite: favouriteResult, repeated: repeatedField }),
  async run({ idempotencyKey, ...given }, context) {
    const body = named(given);
    const { value, repeated } = await writeOnce<Favourite>(context, recordOperation('createFavourite'), {
      ...{ params: ofUser(context), body, idempotencyKey },
    });
    return { favourite: favouriteOf(value), repeated };
  },
});

export const deleteSavedTool = tool({
  name: 'delete_saved',
  title: 'Delete a saved meal or favourite',
  description: 'Deletes a saved meal or a favourite by its id. Entries that were logged by it stay.',
  ...changesDiary,
  input: z.strictObject({
    mealId: z.string().optional(),
    favouriteId: z.string().optional(),
    version: versionInput,
  }),
  output: z.object({ deleted: z.string() }),
  async run({ mealId, favouriteId, version }, context) {
    if ((mealId === undefined) === (favouriteId === undefined))
      throw invalidField('mealId', 'Give one of "mealId" and "favouriteId".');
    const [id, name] =
      mealId === undefined ? ([favouriteId!, 'favourite'] as const) : ([mealId, 'meal'] as const);
    await ask(context, recordOperation(name === 'meal' ? 'deleteSavedMeal' : 'deleteFavourite'), {
      params: { ...ofUser(context), [`${name}Id`]: id },
      headers: onlyVersion(version),
    });
    return { deleted: id };
  },
});
