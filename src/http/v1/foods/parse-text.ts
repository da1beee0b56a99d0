import { z } from 'zod';
import type { FoodDirectory } from '../../../foods/visible-foods.ts';
import { userIdText } from '../../openapi/text-schemas.ts';
import { requireScope } from '../../server/guard.ts';
import { operation } from '../../server/operation.ts';
import { viewerFor } from '../../shared/food-queries.ts';
import {
  countAsSearches,
  createTextReader,
  EXAMPLE_TEXT,
  exampleReadText,
  PARSE_TEXT_LIMIT,
  parseTextFields,
  readTextSchema,
} from '../../shared/parse-text.ts';
import { exampleJson, foodJson, foodSchema } from './food-json.ts';

export const parseText = operation({
  method: 'POST',
  path: '/v1/foods/parse',
  id: 'parseTextV1',
  tag: 'Foods (v1)',
  summary: 'Read foods and amounts in text',
  description:
    'Finds the foods that a text names, converts their amounts to grams and says where each number comes from. What it cannot ' +
    'resolve is marked with `unresolved`. With `userId` foods of this user are found too, and what this user eats is ' +
    'preferred; that needs the scope `diary:read` too.',
  access: { credential: 'bearer', scope: 'foods:read' },
  readsOnly: true,
  counts: 'search',
  alsoCounts: ({ text }) => countAsSearches(text),
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
    example: exampleJson(JSON.stringify(exampleReadText(foodJson))),
  },
  handle: ({ foods }: { foods: FoodDirectory }) => {
    const read = createTextReader(foods, foodJson);
    return ({ caller, body }) => {
      const { userId } = body;
      if (userId !== undefined) requireScope(caller, 'diary:read');
      return read(viewerFor(caller, userId), body, userId);
    };
  },
});
