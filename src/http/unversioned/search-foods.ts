import { z } from 'zod';
import { operation } from '../server/operation.ts';
import {
  type FoodsPort,
  searchFoods as find,
  KEPT_SEARCHES,
  refuseLongText,
  searchQuery,
} from '../shared/food-queries.ts';
import { EXAMPLE_FOOD_JSON, foodSchema, WORDS } from './food-json.ts';

export const searchFoods = operation({
  method: 'GET',
  path: '/foods/search',
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
  refuseLongUrl: refuseLongText,
  keeps: KEPT_SEARCHES,
  handle: (request, ports: FoodsPort) => find(request, ports, WORDS),
});
