import type { CustomFoodWriter } from '../../foods/custom/custom-food-writer.ts';
import { enteredBefore } from '../../foods/custom/food-warnings.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { WHAT_KNOWN_IDS_ANSWER } from '../text-schemas.ts';
import { EXAMPLE_NEW_FOOD, newFoodSchema } from './food-input.ts';
import { customFoodObject, EXAMPLE_CUSTOM_FOOD_JSON, foodSchema } from './food-json.ts';
import type { FoodsPort } from './food-query.ts';

interface CreateFoodPorts extends FoodsPort {
  readonly customFoods: CustomFoodWriter;
}

export const createFood = operation({
  method: 'POST',
  path: '/v1/foods',
  id: 'createFood',
  tag: 'Foods (v1)',
  summary: 'Create a custom food',
  description:
    'Found by search and barcode from the next request on. Entered with a token it belongs to the user of that token, ' +
    'and nobody else sees it. Entered with a key all users of the tenant see it, unless `userId` says whose it is; entered by a ' +
    'person of the household all do, unless `shared` is false.',
  access: { credential: 'bearer', scope: 'foods:write' },
  counts: 'other',
  body: { schema: newFoodSchema, example: EXAMPLE_NEW_FOOD, limit: BODY_LIMITS.item },
  subjectField: 'userId',
  answer: {
    status: 201,
    known: WHAT_KNOWN_IDS_ANSWER,
    description: 'The food, with Location and ETag.',
    headers: ['ETag', 'Location'],
    schema: foodSchema,
    example: EXAMPLE_CUSTOM_FOOD_JSON,
  },
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
