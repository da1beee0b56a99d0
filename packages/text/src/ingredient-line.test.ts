import { describe, expect, test } from 'vitest';
import { readIngredientLine } from './ingredient-line.ts';
import { languageOf } from './language.ts';

const read = (line: string) => {
  const { amount, name } = readIngredientLine(line, languageOf('en'));
  return [amount === undefined ? '' : `${amount.quantity} ${amount.unit ?? ''}`.trim(), name.text];
};

describe('ingredient lines in English', () => {
  test.each([
    ['150g/5¼oz canned chickpeas, drained and rinsed', '150 g', 'canned chickpeas'],
    ['2 tbsp finely chopped flat-leaf parsley', '2 tbsp', 'flat-leaf parsley'],
    ['1 (14 oz) can diced tomatoes', '1 can', 'diced tomatoes'],
    [
      '6 skinless, boneless chicken thighs (about 500g), cut into chunks',
      '6',
      'skinless boneless chicken thighs',
    ],
    ['8 garlic cloves, crushed', '8 clove', 'garlic'],
    ['1 tbsp cloves', '1 tbsp', 'cloves'],
    ['juice of 1 lemon', '1', 'lemon'],
    ['1 red, yellow or orange pepper, cored', '1', 'red yellow or orange pepper'],
    ['2 large eggs', '2', 'eggs'],
    ['salt and freshly ground black pepper, to taste', '', 'salt and black pepper'],
    ['plain flour, for dusting', '', 'plain flour'],
    ['1 tablespoon fresh tarragon or 1½ teaspoons dried', '1 tbsp', 'fresh tarragon'],
    ['4 large or 6 medium stalks bok choy', '4', 'bok choy'],
    ['¼ cup warm (110°F/38°C) milk', '0.25 cup', 'warm milk'],
    ['pinch of ground cinnamon, to garnish', '1 pinch', 'ground cinnamon'],
    ['thumb-sized piece of fresh ginger, finely shredded', '1 piece', 'fresh ginger'],
    ['3 dozen oysters', '36', 'oysters'],
    ['1 cup (235 ml sour milk', '1 cup', 'sour milk'],
    ['2 celery sticks, sliced', '2 stick', 'celery'],
    ['2 cinnamon sticks', '2', 'cinnamon sticks'],
    ['Salt, about ½ teaspoon (or to taste)', '0.5 tsp', 'Salt'],
    ['• 2 eggs', '2', 'eggs'],
    ['1. 2 eggs', '2', 'eggs'],
    ['eggs x 2', '2', 'eggs'],
    ['eggs x2', '2', 'eggs'],
    ['Salt: 1 tsp', '1 tsp', 'Salt'],
    ['Butter (50 g)', '50 g', 'Butter'],
    ['1 cup 2% milk', '1 cup', '2% milk'],
    ['7-Up', '', '7-Up'],
    ['3 T. butter', '3 tbsp', 'butter'],
    ['¼ tsp each ground cinnamon, ginger and nutmeg', '0.25 tsp', 'ground cinnamon ginger and nutmeg'],
    ['Egg whites, 7', '7', 'Egg whites'],
  ])('%s', (line, amount, name) => {
    expect(read(line)).toEqual([amount, name]);
  });

  test('keeps preparation, remarks, size and other amounts apart', () => {
    expect(
      readIngredientLine(
        '2 large onions (about 2 cups), thinly sliced, plus extra (optional)',
        languageOf('en'),
      ),
    ).toMatchObject({
      amount: { quantity: 2, alternatives: [{ quantity: 2, unit: 'cup' }] },
      name: { text: 'onions', start: 8, end: 14 },
      size: 'large',
      preparation: 'thinly sliced',
      comment: '(about 2 cups) plus extra (optional)',
      optional: true,
    });
  });
});
