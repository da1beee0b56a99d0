import { expect, test } from 'vitest';
import { type DecimalAmounts, parseAmounts } from './entry.ts';
import { entryWarnings } from './entry-warnings.ts';

const warned = (
  amounts: DecimalAmounts,
  more: Omit<Partial<Parameters<typeof entryWarnings>[0]>, 'amounts'> = {},
) => entryWarnings({ amounts: parseAmounts(amounts), ...more }).map(({ code, field }) => [code, field]);

const MEAL = { calories: 500, protein: 25, carbs: 50, fat: 22 };

test.each([
  ['a meal', MEAL],
  ['energy alone', { calories: 500 }],
  ['energy and one nutrient', { calories: 500, fat: 90 }],
  ['a glass of wine', { calories: 125, protein: 0.1, carbs: 3.9, fat: 0 }],
  ['much salt', { ...MEAL, sodium: 6_000 }],
  ['a gram of vitamin C', { ...MEAL, vitaminC: 1_000 }],
  ['rounded parts', { ...MEAL, sugars: 50.4 }],
])('%s is plausible', (_, amounts) => {
  expect(warned(amounts)).toEqual([]);
});

test.each([
  ['120 g of sodium', { ...MEAL, sodium: 120_000 }, ['above_pure_substance', 'sodium']],
  ['sugars above carbohydrates', { ...MEAL, sugars: 60 }, ['part_above_whole', 'nutrients.sugars']],
  ['saturates above fat', { ...MEAL, saturatedFat: 30 }, ['part_above_whole', 'nutrients.saturatedFat']],
  [
    'energy of nothing',
    { calories: 900, protein: 10, carbs: 10, fat: 10 },
    ['implausible_energy', 'calories'],
  ],
  [
    'too little energy',
    { calories: 50, protein: 25, carbs: 50, fat: 22 },
    ['implausible_energy', 'calories'],
  ],
  ['kJ', { calories: 2_092, protein: 25, carbs: 50, fat: 22 }, ['implausible_energy', 'calories']],
])('%s is not', (_, amounts, warning) => {
  expect(warned(amounts)).toEqual([warning]);
});

test('the weight counts if the unit has one', () => {
  const sodium = { calories: 0, sodium: 8_000 };
  expect(warned(sodium, { quantity: 25, unit: 'g' })).toEqual([]);
  expect(warned(sodium, { quantity: 10, unit: 'g' })).toEqual([['above_pure_substance', 'sodium']]);
  expect(warned({ calories: 500 }, { quantity: 50, unit: 'g' })).toEqual([
    ['implausible_energy', 'calories'],
  ]);
  expect(warned({ calories: 500 }, { quantity: 2, unit: 'slices' })).toEqual([]);
});

test('computed amounts are those of the food', () => {
  expect(warned({ ...MEAL, sodium: 120_000 }, { foodId: 'off:1' as never })).toEqual([]);
});
