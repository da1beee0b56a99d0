import { z } from 'zod';
import { operation } from '../server/operation.ts';
import { type FoodsPort, KEPT_SEARCHES, searchQuery, searchReply } from '../shared/food-queries.ts';
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
  keeps: KEPT_SEARCHES,
  handle: (request, ports: FoodsPort) => searchReply(PATH, request, ports, FOOD_WRITER),
});
