import type { CustomFoodWriter } from '../../foods/custom/custom-food-writer.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { applyChange, ifMatch } from '../etag.ts';
import { operation } from '../operation.ts';
import { enteredFoodParams, foodChangeSchema, READ_ONLY, WHO_CHANGES_FOODS } from './food-input.ts';
import { customFoodObject, customFoodOutcome, EXAMPLE_CUSTOM_FOOD_JSON, foodSchema } from './food-json.ts';

export const changeFood = operation({
  method: 'PATCH',
  path: '/v1/foods/:id',
  id: 'changeFood',
  tag: 'Foods (v1)',
  summary: 'Change a custom food',
  description: `With If-Match only while the food is still at that ETag. ${WHO_CHANGES_FOODS}`,
  access: { credential: 'bearer', scope: 'foods:write' },
  counts: 'other',
  params: enteredFoodParams,
  headers: ifMatch,
  body: {
    schema: foodChangeSchema,
    example: { name: 'Plum jam, homemade', macros: { sugars: 10 } },
    limit: BODY_LIMITS.item,
  },
  answer: {
    description: 'The food as it is now, with its ETag.',
    headers: ['ETag'],
    schema: foodSchema,
    example: EXAMPLE_CUSTOM_FOOD_JSON,
  },
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
