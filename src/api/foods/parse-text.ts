import { languageOfTag } from '@larder/text/language.ts';
import { readText } from '@larder/text/parse/read-text.ts';
import { z } from 'zod';
import { requireScope, viewerFor, viewerWithRecipes } from '../acting-user.ts';
import { operation } from '../operation.ts';
import { userIdText } from '../text-schemas.ts';
import { exampleOf, foodSchema } from './food-json.ts';
import { type FoodsPort, langQuery } from './food-query.ts';
import {
  countAsSearches,
  EXAMPLE_READ_TEXT,
  EXAMPLE_TEXT,
  PARSE_TEXT_LIMIT,
  parseTextFields,
  readTextSchema,
  textInLanguages,
  textObject,
} from './text-json.ts';

export const parseText = operation({
  method: 'POST',
  path: '/v1/foods/parse',
  id: 'parseTextV1',
  tag: 'Foods (v1)',
  summary: 'Read foods and amounts in text',
  description:
    'Finds the foods that a text names, converts their amounts to grams and says where each number comes from. What it cannot ' +
    'resolve is marked with `unresolved`, what it passed over is in `ignored`. With `userId` foods and recipes of this user are found too, and what this user eats is ' +
    'preferred; that needs the scope `diary:read` too.',
  access: { credential: 'bearer', scope: 'foods:read' },
  readsOnly: true,
  counts: 'search',
  subjectField: 'userId',
  alsoCounts: ({ text }) => countAsSearches(text),
  query: langQuery,
  body: {
    schema: z
      .strictObject({
        ...parseTextFields,
        userId: userIdText
          .optional()
          .describe('Find the foods of this user too, and prefer what this user eats.'),
      })
      .meta({ id: 'TextInput' }),
    example: EXAMPLE_TEXT,
    limit: PARSE_TEXT_LIMIT,
  },
  answer: {
    description: 'The foods in the order of the text, and their sums.',
    schema: readTextSchema(foodSchema, ''),
    example: exampleOf(EXAMPLE_READ_TEXT),
  },
  handle: async ({ caller, query, body: { text, lang, context, userId } }, { foods }: FoodsPort) => {
    if (userId !== undefined) requireScope(caller, 'diary:read');
    // Lines of recipes name foods: "tomato sauce" of a lasagne is not the own recipe of that name.
    const viewer = context === 'recipe' ? viewerFor(caller, userId) : viewerWithRecipes(caller, userId);
    const favourites = await foods.favouritesOf(viewer, userId);
    const finder = await foods.of(viewer);
    const language = lang === undefined ? undefined : languageOfTag(lang);
    const asRead = await readText(text, { finder, language, favourites, context });
    const read = textInLanguages(asRead, (food) => finder.inLanguages(food, query.lang));
    return { value: textObject(read) };
  },
});
