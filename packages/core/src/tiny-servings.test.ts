import { expect, test } from 'vitest';
import { roundedZeros } from './tiny-servings.ts';

const ZERO = { energy: 0, protein: 0, fat: 0, carbohydrates: 0 };
const ALL = ['energy', 'protein', 'fat', 'carbohydrates'];

test.each([
  ['an oil spray', ZERO, 0.25, ALL],
  ['mustard', { ...ZERO, sodium: 55 }, 5, ALL],
  ['hot sauce with calcium', { ...ZERO, sodium: 190, calcium: 0 }, 5, [...ALL, 'calcium']],
  ['a serving of 10 g', ZERO, 10, []],
  ['salt', { ...ZERO, sodium: 590 }, 1.5, []],
  ['sugar', { energy: 15, protein: 0, fat: 0, carbohydrates: 4, sodium: 0 }, 4, ['sodium']],
  ['butter', { energy: 36, protein: 0, fat: 4, carbohydrates: 0, sugars: 0 }, 5, ['sugars']],
  ['creamer', { energy: 10, protein: 0, fat: 0.5, carbohydrates: 1 }, 2, []],
  ['candy', { energy: 20, protein: 0, fat: 0, carbohydrates: 5 }, 6, []],
  ['sauce', { energy: 5, protein: 0, fat: 0, carbohydrates: 1 }, 5, []],
  [
    'mustard with energy',
    { energy: 5, protein: 0, fat: 0, carbohydrates: 0 },
    5,
    ['protein', 'fat', 'carbohydrates'],
  ],
])('zeros of %s', (_, nutrients, amount, zeros) => {
  expect(roundedZeros(nutrients, amount).sort()).toEqual([...zeros].sort());
});
