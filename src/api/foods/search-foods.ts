import { z } from 'zod';
import { MAX_QUERY_LENGTH, MAX_SEARCH_OFFSET, parseSearchText } from '../../foods/visible-foods.ts';
import { requireScope, viewerWithRecipes } from '../acting-user.ts';
import { rankedQuery } from '../list-queries.ts';
import { rankedPageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { userIdText } from '../text-schemas.ts';
import { EXAMPLE_FOOD_JSON, foodSchema } from './food-json.ts';
import {
  type FoodsPort,
  foodObjects,
  includeQuery,
  langQuery,
  langText,
  MAX_CACHE_BYTES,
} from './food-query.ts';

export const searchQuery = includeQuery.extend({
  q: z
    .string()
    .optional()
    .describe('Search text. Without it, or with less than 2 characters, the answer is an empty list.')
    .meta({ maxLength: MAX_QUERY_LENGTH, example: 'chocolate spread' })
    .transform(parseSearchText),
  ...langQuery.shape,
  ...rankedQuery(MAX_SEARCH_OFFSET).shape,
  userId: userIdText
    .optional()
    .describe('Find the foods of this user too, and rank first what this user eats.'),
});

export const searchFoods = operation({
  method: 'GET',
  path: '/v1/foods/search',
  id: 'searchFoodsV1',
  tag: 'Foods (v1)',
  summary: 'Search foods by text',
  description:
    'Best match first. Words may be unfinished; names count more than brands. With `userId` foods that belong to this ' +
    'user are found too, as with a token of the user, and the foods that this user eats come first where they hold ' +
    'everything that was typed; that needs the scope `diary:read` too. With this scope the recipes of the user are found as foods, ' +
    'with `recipeId`; people also find those that others share with them.',
  access: { credential: 'bearer', scope: 'foods:read' },
  counts: 'search',
  query: searchQuery,
  answer: {
    description:
      'The foods found, best first; where `offset` was sent, with the address of the next page in Link.',
    headers: ['Link'],
    schema: z.array(foodSchema),
    example: [EXAMPLE_FOOD_JSON],
  },
  // A text that makes the URL too long is rejected with the error for long texts.
  refuseLongUrl: ({ q }) => void parseSearchText(String(q ?? '')),
  keeps: {
    maxBytes: MAX_CACHE_BYTES,
    placeOf({ caller, query: { q, lang, limit, offset, include = '', userId } }, { foods }: FoodsPort) {
      // The user's favourite foods change the order.
      const revision =
        q === undefined || userId !== undefined ? undefined : foods.now(viewerWithRecipes(caller))?.revision;
      if (revision === undefined) return undefined;
      return {
        key: `${limit}${offset === undefined ? '' : `+${offset}`}${include} ${lang.join()} ${q}`,
        revision,
      };
    },
  },
  handle: async ({ caller, query }, { foods }: FoodsPort) => {
    const { q, lang, limit, offset, include, userId } = query;
    if (userId !== undefined) requireScope(caller, 'diary:read');
    const viewer = viewerWithRecipes(caller, userId);
    if (q === undefined) return { value: [] };
    // All pages are parts of the longest list, so that pages neither repeat nor skip foods.
    const most = offset === undefined ? limit : MAX_SEARCH_OFFSET;
    const found = await foods.search(viewer, q, most, { eater: userId, languages: lang });
    const toObject = foodObjects(include);
    return offset === undefined
      ? { value: found.map(toObject) }
      : rankedPageOf({ ...query, lang: langText(lang) }, found, toObject);
  },
});
