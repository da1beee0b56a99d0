import { z } from 'zod';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { operation } from '../server/operation.ts';
import { createFoodSearch, searchQuery } from '../shared/food-queries.ts';
import { EXAMPLE_FOOD_JSON, FOOD_WRITER, foodSchema } from './food-json.ts';

const PATH = '/foods/search';

export const searchFoods = operation({
  method: 'GET',
  path: PATH,
  id: 'searchFoods',
  tag: 'Foods (unversioned)',
  summary: 'Search foods by text',
  description: 'Best match first. Words may be unfinished; names count more than brands.',
  access: { credential: 'x-api-key', scope: 'foods:read' },
  counts: 'search',
  query: searchQuery,
  answer: {
    description:
      'The foods found, best first; where `offset` was sent, with the address of the next page in Link.',
    headers: ['Link'],
    schema: z.array(foodSchema),
    example: [EXAMPLE_FOOD_JSON],
  },
  errors: ['invalid_query'],
  handle: ({ foods }: { foods: FoodDirectory }) => {
    const search = createFoodSearch(PATH, foods, FOOD_WRITER);
    return ({ caller, query }) => search(caller, query);
  },
});
