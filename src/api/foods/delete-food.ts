import type { CustomFoodWriter } from '../../foods/custom/custom-food-writer.ts';
import { ifMatch, withConflictDetails } from '../etag.ts';
import { operation } from '../operation.ts';
import { enteredFoodParams, WHO_CHANGES_FOODS } from './food-input.ts';
import { customFoodObject } from './food-json.ts';

export const deleteFood = operation({
  method: 'DELETE',
  path: '/v1/foods/:id',
  id: 'deleteFood',
  tag: 'Foods (v1)',
  summary: 'Delete a custom food',
  description:
    'Diary entries keep what they recorded. With If-Match only while the food is still at that ETag. ' +
    WHO_CHANGES_FOODS,
  access: { credential: 'bearer', scope: 'foods:write' },
  counts: 'other',
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
