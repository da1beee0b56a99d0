import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Catalogue } from '../../../../../src/foods/catalogue/catalogue.ts';
import { readStarterFoods } from '../../../../../src/foods/starter/starter-foods.ts';
import { compileFoods } from '../../../../../test/support/compiled-foods.ts';
import type { Amount } from '../../amount.ts';
import { tokenise } from '../../tokens.ts';
import { parseText } from '../parse-foods.ts';
import { remarksOf } from './remainder.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  ({ catalogue } = await compileFoods([[...readStarterFoods()]]));
});

describe('words that belong to no item are ignored', () => {
  test.each([
    ['2 onions, finely chopped', ['finely chopped']],
    [
      '1 tomato, wiped with a damp towel, soaked in hot water',
      ['wiped with a damp towel', 'soaked in hot water'],
    ],
    ['50 g butter, plus 1 tbsp for the pan', ['1 tbsp for the pan']],
    ['Salad: 100 g tomatoes, 50 g feta', ['Salad']],
    ['2 eggs, toast and coffee', []],
    ['I had 2 eggs and a delicious toast for lunch', []],
    ['zwei Eier und 200 g Reis, gekocht', ['gekocht']],
  ])('%s', (text, ignored) => {
    expect(parseText(text, { finder: catalogue }).ignored.map((part) => part.text)).toEqual(ignored);
  });
});

test('a weight without a food is an item of a meal, and ignored in a recipe', () => {
  const text = 'I had two bananas. 200 ml of zzz999.';
  const meal = parseText(text, { finder: catalogue, context: 'meal' });
  expect(meal.items.map(({ food, amount }) => [food?.name, amount?.quantity])).toEqual([
    ['Banana', 2],
    [undefined, 200],
  ]);
});

const PIECES =
  'rice|chicken breast|2 eggs|200 g salmon|1 cup milk|30g granola|toast|bread|coffee|xqzvw|100 g zunkel|3 slices of ham|a banana|' +
  'finely chopped|drained|to taste|for the pan|such as thyme|(about 200 g)|(see notes)|without sugar|fried in oil|or 1 cup cream';
const JOINTS = [', ', ' and ', ' with ', '; ', ' + ', ' ', '\n', '. '];
const SMALL = new Set('and with of a or for the to such as in about taste some extra'.split(' '));

test('every word belongs to an item, is ignored, or is a small word', () => {
  const texts = fc
    .array(fc.tuple(fc.constantFrom(...PIECES.split('|')), fc.constantFrom(...JOINTS)), {
      minLength: 1,
      maxLength: 8,
    })
    .map((pairs) => pairs.map((pair) => pair.join('')).join(''));
  fc.assert(
    fc.property(texts, fc.constantFrom('recipe' as const, 'meal' as const, undefined), (text, context) => {
      const { items, ignored } = parseText(text, { finder: catalogue, context });
      const extents = [
        ...items,
        ...ignored,
        ...items.flatMap(({ amount }) => (amount === undefined ? [] : all(amount))),
      ];
      const parts = new Set(
        items.flatMap(({ assumed }) => assumed.flatMap((each) => each.split(/[^\p{L}]+/u))),
      );
      const lost = tokenise(text).filter(
        ({ kind, start, end, folded, text: word }) =>
          (kind === 'word' || kind === 'number') &&
          !extents.some((extent) => start >= extent.start && end <= extent.end) &&
          !SMALL.has(folded) &&
          !parts.has(word),
      );
      expect(lost.map((token) => token.text)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

function all(amount: Amount): Amount[] {
  const others = [amount.each, amount.plus, ...amount.alternatives].filter((other) => other !== undefined);
  return [amount, ...others.flatMap(all)];
}

test('words of an item outside its name are its remarks', () => {
  const text = 'Reis, 45,5 % roh (kalt)';
  const [remarks] = remarksOf([{ start: 0, end: 4 }], { text, tokens: tokenise(text) });
  expect(remarks).toEqual({ stems: ['45.5%', 'roh', 'kalt'], text: '45,5% roh kalt' });
});

describe('the form of a text indicates a recipe or a meal', () => {
  test.each([
    ['2 onions, finely chopped', 'recipe'],
    ['1¼ cups couscous', 'recipe'],
    ['150g/5¼oz chickpeas', 'recipe'],
    ['2 EL Olivenöl', 'recipe'],
    ['200 g rice', 'recipe'],
    ['200 g rice, 2 eggs', 'meal'],
    ['2 eggs, toast and coffee', 'meal'],
    ['I had a bowl of finely chopped fruit', 'meal'],
    ['a banana', 'meal'],
  ])('%s', (text, context) => {
    expect(parseText(text, { finder: catalogue }).context).toBe(context);
  });
});
