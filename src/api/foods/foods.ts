import { NOT_FOUND } from '@larder/core/error-details.ts';
import { AppError } from '@larder/core/errors.ts';
import { recipeIdOf } from '@larder/core/food.ts';
import { z } from 'zod';
import { type CustomFoodWriter, isCustomFood } from '../../foods/custom/custom-food-writer.ts';
import { enteredBefore } from '../../foods/custom/food-warnings.ts';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { viewerById, viewerFor } from '../acting-user.ts';
import { listAnswer, newRecordAnswer, recordAnswer } from '../answers.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import {
  applyChange,
  contentVersion,
  ifMatch,
  ifNoneMatch,
  NOT_MODIFIED_ANSWER,
  withConflictDetails,
} from '../etag.ts';
import { pageOf, pageQueryOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { userIdText } from '../text-schemas.ts';
import { EXAMPLE_FACTS, foodFactsObject, foodFactsSchema } from './food-facts-json.ts';
import {
  EXAMPLE_NEW_FOOD,
  enteredFoodParams,
  foodChangeSchema,
  newFoodSchema,
  READ_ONLY,
  WHO_CHANGES_FOODS,
} from './food-input.ts';
import {
  customFoodObject,
  customFoodOutcome,
  detailedFoodObject,
  EXAMPLE_CUSTOM_FOOD_JSON,
  EXAMPLE_DETAILED_FOOD_JSON,
  type FoodObject,
  foodSchema,
} from './food-json.ts';
import {
  type FoodsPort,
  factsQuery,
  foodReading,
  foodWriting,
  includedFacts,
  langQuery,
} from './food-query.ts';

export const getFoodFacts = operation({
  ...foodReading,
  method: 'GET',
  path: '/v1/foods/:id/facts',
  id: 'getFoodFacts',
  summary: 'Get the facts of a food',
  description:
    'All nutrients, ingredients, allergens, labels, scores and portions that sources state. Foods that ship, custom foods and those of an ' +
    'import without facts have none.',
  params: z.object({
    id: z.string().describe('As found in an answer; the colon may be sent as it is or as %3A.').meta({
      example: 'off:3017620422003',
    }),
  }),
  headers: ifNoneMatch,
  answer: recordAnswer('The facts, with their ETag.', foodFactsSchema, EXAMPLE_FACTS),
  empty: NOT_MODIFIED_ANSWER,
  errors: ['food_not_found', 'facts_not_found'],
  handle: async ({ caller, params: { id } }, { foods }: FoodsPort) => {
    const food = await foods.getById(viewerById(caller), id);
    const facts = await foods.factsOf(food);
    if (facts === undefined) throw new AppError({ code: 'facts_not_found', message: NOT_FOUND.facts });
    const value = foodFactsObject(food, facts);
    return { value, version: contentVersion(value) };
  },
});

const MAX_IDS = 100;
const WHAT_IDS_ARE = `"ids" must be 1 to ${MAX_IDS} ids of foods with commas between them.`;

export const getFoods = operation({
  ...foodReading,
  method: 'GET',
  path: '/v1/foods/batch',
  id: 'getFoods',
  summary: 'Get foods by their ids',
  query: langQuery.extend({
    ids: z
      .string(WHAT_IDS_ARE)
      .regex(new RegExp(`^[^,]+(,[^,]+){0,${MAX_IDS - 1}}$`), WHAT_IDS_ARE)
      .describe(`1 to ${MAX_IDS} ids with commas between them; each counts once.`)
      .meta({ example: 'starter:banana,fdc:1' })
      .transform((ids) => [...new Set(ids.split(','))]),
  }),
  answer: {
    description: 'The foods in the order of `ids`, and the ids of those that do not exist.',
    schema: z.object({ foods: z.array(foodSchema), missing: z.array(z.string()) }).meta({ id: 'FoodBatch' }),
    example: { foods: [EXAMPLE_DETAILED_FOOD_JSON], missing: ['fdc:1'] },
  },
  handle: async (
    { caller, query: { ids, lang } },
    { foods, customFoods }: { foods: FoodDirectory; customFoods: CustomFoodWriter },
  ) => {
    const viewer = viewerById(caller);
    const custom = await customFoods.findAll(viewer, ids.filter(isCustomFood));
    const finder = await foods.of(ids.some((id) => recipeIdOf(id) !== undefined) ? viewer : caller);
    const found = new Map<string, FoodObject>();
    for (const id of ids) {
      const known = custom.get(id);
      const food = isCustomFood(id) ? undefined : finder.findById(id);
      if (known !== undefined) found.set(id, customFoodObject(known));
      else if (food !== undefined) found.set(id, detailedFoodObject(finder.inLanguages(food, lang)));
    }
    const missing = ids.filter((id) => !found.has(id));
    return { value: { foods: [...found.values()], missing } };
  },
});

export const getFood = operation({
  ...foodReading,
  method: 'GET',
  path: '/v1/foods/:id',
  id: 'getFood',
  summary: 'Get a food by id',
  params: z.object({
    id: z.string().describe('As found in an answer; the colon may be sent as it is or as %3A.').meta({
      example: 'starter:banana',
    }),
  }),
  query: z.object({ ...langQuery.shape, ...factsQuery.shape }),
  headers: ifNoneMatch,
  answer: recordAnswer('The food, with its ETag.', foodSchema, EXAMPLE_DETAILED_FOOD_JSON),
  empty: NOT_MODIFIED_ANSWER,
  errors: ['food_not_found'],
  handle: async (
    { caller, params: { id }, query: { lang, include } },
    { foods, customFoods }: { foods: FoodDirectory; customFoods: CustomFoodWriter },
  ) => {
    if (!isCustomFood(id)) {
      const viewer = recipeIdOf(id) === undefined ? caller : viewerById(caller);
      const food = foods.inLanguages(await foods.getById(viewer, id), lang);
      const value = { ...detailedFoodObject(food), ...(await includedFacts(foods, food, include)) };
      return { value, version: contentVersion(value) };
    }
    const custom = await customFoods.get(viewerById(caller), id);
    return { value: customFoodObject(custom), version: custom.version };
  },
});

export const customFoodsQuery = pageQueryOf('manual:[A-Za-z0-9._-]{1,60}');

export const listFoods = operation({
  ...foodReading,
  method: 'GET',
  path: '/v1/foods',
  id: 'listFoods',
  summary: 'List custom foods',
  description:
    'In the order of creation, a page at a time. A token lists the shared foods and those of its user; a key all of its ' +
    'tenant, and with `userId` what this user sees.',
  query: customFoodsQuery.extend({
    userId: userIdText.optional().describe('Only foods that this user sees.'),
  }),
  answer: listAnswer(
    'The foods, with the address of the next page in Link.',
    foodSchema,
    EXAMPLE_CUSTOM_FOOD_JSON,
  ),
  handle: ({ caller, query }, { customFoods }: { customFoods: CustomFoodWriter }) =>
    pageOf(
      query,
      async (page) => (await customFoods.list(viewerFor(caller, query.userId), page)).map(customFoodObject),
      (food) => food,
    ),
});

interface CreateFoodPorts extends FoodsPort {
  readonly customFoods: CustomFoodWriter;
}

export const createFood = operation({
  ...foodWriting,
  method: 'POST',
  path: '/v1/foods',
  id: 'createFood',
  summary: 'Create a custom food',
  description:
    'Found by search and barcode from the next request on. Entered with a token it belongs to the user of that token, ' +
    'and nobody else sees it. Entered with a key all users of the tenant see it, unless `userId` says whose it is; entered by a ' +
    'person of the household all do, unless `shared` is false.',
  body: { schema: newFoodSchema, example: EXAMPLE_NEW_FOOD, limit: BODY_LIMITS.item },
  subjectField: 'userId',
  answer: newRecordAnswer('The food, with Location and ETag.', foodSchema, EXAMPLE_CUSTOM_FOOD_JSON),
  errors: ['deleted', 'invalid_barcode', 'quota_exceeded'],
  handle: async ({ caller, body, ids }, { customFoods, foods }: CreateFoodPorts) => {
    const { isNew, ...created } = await customFoods.create(caller, body, ids);
    const { food, version } = created;
    const outcome = { version, created: food.id, status: isNew ? undefined : 200 } as const;
    const value = customFoodObject(created);
    const first = isNew ? await foods.findFirstLike(caller.tenant, food) : undefined;
    if (first === undefined) return { ...outcome, value };
    return { ...outcome, value: { ...value, warnings: [...(value.warnings ?? []), enteredBefore(first)] } };
  },
});

export const changeFood = operation({
  ...foodWriting,
  method: 'PATCH',
  path: '/v1/foods/:id',
  id: 'changeFood',
  summary: 'Change a custom food',
  description: `With If-Match only while the food is still at that ETag. ${WHO_CHANGES_FOODS}`,
  params: enteredFoodParams,
  headers: ifMatch,
  body: {
    schema: foodChangeSchema,
    example: { name: 'Plum jam, homemade', macros: { sugars: 10 } },
    limit: BODY_LIMITS.item,
  },
  answer: recordAnswer('The food as it is now, with its ETag.', foodSchema, EXAMPLE_CUSTOM_FOOD_JSON),
  errors: ['food_not_found', 'invalid_barcode', 'quota_exceeded', 'version_conflict'],
  handle: async (request, { customFoods }: { customFoods: CustomFoodWriter }) => {
    const { caller, params, body, headers } = request;
    const changed = await applyChange(request, {
      readOnly: READ_ONLY,
      readCurrent: async () => customFoodObject(await customFoods.get(caller, params.id)),
      change: () => customFoods.change(caller, params.id, body, headers['If-Match']),
    });
    return customFoodOutcome(changed);
  },
});

export const deleteFood = operation({
  ...foodWriting,
  method: 'DELETE',
  path: '/v1/foods/:id',
  id: 'deleteFood',
  summary: 'Delete a custom food',
  description:
    'Diary entries keep what they recorded. With If-Match only while the food is still at that ETag. ' +
    WHO_CHANGES_FOODS,
  params: enteredFoodParams,
  headers: ifMatch,
  answer: { status: 204, description: 'The food is deleted.' },
  errors: ['food_not_found', 'version_conflict'],
  handle: async ({ caller, params, headers }, { customFoods }: { customFoods: CustomFoodWriter }) => {
    await withConflictDetails(customFoods.remove(caller, params.id, headers['If-Match']), async () =>
      customFoodObject(await customFoods.get(caller, params.id)),
    );
  },
});
