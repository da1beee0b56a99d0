import { MAX_LINE_LENGTH, MAX_LINES, MAX_LINES_LENGTH } from '@larder/text/parse/read-text.ts';
import { expect, test } from 'vitest';
import { Random } from '../../../bench/support/search-random.ts';
import { parseTextFields } from '../../../src/api/foods/text-json.ts';
import { recipeOrJsonLdSchema } from '../../../src/api/recipes/json-ld-schema.ts';
import { readBody } from '../../../src/api/validation.ts';
import { foodLines, graphAround, LONGEST_LINE, LONGEST_LIST, MOST_LINES } from './food-texts.ts';

test('lines have the maximum number and length that the service reads', () => {
  expect([MOST_LINES, LONGEST_LINE, LONGEST_LIST]).toEqual([MAX_LINES, MAX_LINE_LENGTH, MAX_LINES_LENGTH]);
  const random = new Random({ seed: 7 });
  for (let time = 0; time < 50; time++) {
    const lines = foodLines(random);
    expect(parseTextFields.text.parse(lines)).toEqual(lines);
    expect(readBody(recipeOrJsonLdSchema, graphAround(lines.slice(0, 99), 28))).toMatchObject({
      partial: true,
    });
  }
});
