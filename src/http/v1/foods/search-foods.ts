import { z } from 'zod';
import { userIdText } from '../../openapi/text-schemas.ts';
import { operation } from '../../server/operation.ts';
import {
  type FoodsPort,
  searchFoods as find,
  KEPT_SEARCHES,
  refuseLongText,
  searchQuery,
} from '../../shared/food-queries.ts';
import { EXAMPLE_FOOD_JSON, foodSchema, WORDS } from './food-json.ts';

export const searchFoods = operation({
  method: 'GET',
  path: '/v1/foods/search',
  id: 'searchFoodsV1',
  tag: 'Foods (v1)',
  summary: 'Search foods by text',
  description:
    'Best match first. Words may be unfinished; names count more than brands. With `userId` foods that belong to this ' +
    'user are found too, as with a token of the user, and the foods that this user eats come first where they hold ' +
    'everything that was typed; that needs the scope `diary:read` too.',
  access: { credential: 'bearer', scope: 'foods:read' },
  counts: 'search',
  query: searchQuery.extend({
    userId: userIdText
      .optional()
      .describe('Find the foods of this user too, and rank first what this user eats.'),
  }),
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
