import { z } from 'zod';
import type { FoodDirectory } from '../../foods/visible-foods.ts';
import { operation } from '../server/operation.ts';
import {
  countAsSearches,
  createTextReader,
  EXAMPLE_TEXT,
  exampleReadText,
  PARSE_TEXT_LIMIT,
  parseTextFields,
  readTextSchema,
} from '../shared/parse-text.ts';
import { foodJson, foodSchema } from './food-json.ts';

export const parseText = operation({
  method: 'POST',
  path: '/foods/parse',
  id: 'parseText',
  tag: 'Foods (unversioned)',
  summary: 'Read foods and amounts in text',
  description:
    'Finds the foods that a text names, converts their amounts to grams and says where each number comes from. What it cannot ' +
    'resolve is marked with `unresolved`.',
  access: { credential: 'x-api-key', scope: 'foods:read' },
  readsOnly: true,
  counts: 'search',
  alsoCounts: ({ text }) => countAsSearches(text),
  body: {
    schema: z.strictObject(parseTextFields).meta({ id: 'UnversionedTextInput' }),
    example: EXAMPLE_TEXT,
    limit: PARSE_TEXT_LIMIT,
  },
  answer: {
    description: 'The foods in the order of the text, and their sums.',
    schema: readTextSchema(foodSchema, 'Unversioned'),
    example: exampleReadText(foodJson),
  },
  handle: ({ foods }: { foods: FoodDirectory }) => {
    const read = createTextReader(foods, foodJson);
    return ({ caller, body }) => read(caller, body);
  },
});
