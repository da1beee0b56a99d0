import { NUTRIENT_KEYS, NUTRIENT_UNITS } from '@larder/core/nutrients.ts';
import { expect, it } from 'vitest';
import { AMOUNT_NAMES, ofDiary, ofFood, readable, sumOfFoods, toDiaryFields, toSumLine } from './amounts.ts';

it('each name ends with the unit', () => {
  for (const key of NUTRIENT_KEYS)
    expect(AMOUNT_NAMES[key].toLowerCase()).toBe(`${key}${NUTRIENT_UNITS[key]}`.toLowerCase());
});

it('foods and the diary have one vocabulary, and arguments map to the fields of the diary', () => {
  const amounts = { energyKcal: 100, carbohydratesG: 20, sugarsG: 5, sodiumMg: 61 };
  expect(ofFood({ energy: 100, carbohydrates: 20, sugars: 5, sodium: 61 })).toEqual(amounts);
  const fields = { calories: 100, carbs: 20, sodium: 61, nutrients: { sugars: 5 } };
  expect(ofDiary(fields)).toEqual(amounts);
  expect(toDiaryFields({ ...amounts, foodName: 'Soup', quantity: 2 })).toEqual(fields);
});

it('omits amounts that the API returns as 0 because they are unknown', () => {
  expect(ofDiary({ calories: 100, protein: 0, carbs: 0, fat: 0, unknown: ['protein', 'fat'] })).toEqual({
    energyKcal: 100,
    carbohydratesG: 0,
  });
  expect(ofFood({ energy: 100, protein: 0, fat: 0 }, ['fat'])).toEqual({ energyKcal: 100, proteinG: 0 });
});

it.each([
  [{ amount: 61, statedBy: 4, foods: 12 }, 'at least 61 mg; 4 of 12 foods state it'],
  [{ amount: 61, statedBy: 12, foods: 12 }, '61 mg'],
  [{ amount: 0, statedBy: 0, foods: 12 }, 'unknown; 0 of 12 foods state it'],
  [{ amount: 0, statedBy: 0, foods: 0 }, 'no entries'],
  [{ amount: 0, statedBy: 0, foods: 0, goal: 100, left: 100 }, 'no entries; goal 100 mg, 100 mg left'],
  [
    { amount: 0, statedBy: 0, foods: 12, goal: 100, left: 100 },
    'unknown; 0 of 12 foods state it; goal 100 mg',
  ],
  [
    { amount: 441.256, statedBy: 2, foods: 2, goal: 2000, left: 1558.744 },
    '441 mg; goal 2000 mg, 1559 mg left',
  ],
  [{ amount: 61, statedBy: 2, foods: 2, goal: 100, left: 39 }, '61 mg; goal 100 mg, 39 mg left'],
  [{ amount: 161, statedBy: 2, foods: 2, goal: 100, left: -61 }, '161 mg; goal 100 mg, 61 mg over'],
  [
    { amount: 61, statedBy: 1, foods: 2, goal: 100, left: 39 },
    'at least 61 mg; 1 of 2 foods state it; goal 100 mg, at most 39 mg left',
  ],
  [
    { amount: 161, statedBy: 1, foods: 2, goal: 100, left: -61 },
    'at least 161 mg; 1 of 2 foods state it; goal 100 mg, at least 61 mg over',
  ],
])('%j is %s', (facts, text) => {
  expect(toSumLine('sodium', facts).text).toBe(text);
});

it('an amount that no food states is absent, and so is what is left of its goal', () => {
  const facts = { amount: 0, statedBy: 0, foods: 2, goal: 100, left: 100 };
  expect(toSumLine('sodium', facts)).toEqual({
    ...{ nutrient: 'sodium', unit: 'mg', statedBy: 0, foods: 2, goal: 100 },
    text: 'unknown; 0 of 2 foods state it; goal 100 mg',
  });
  expect(toSumLine('sodium', { amount: 0, statedBy: 0, foods: 0 })).not.toHaveProperty('amount');
  expect(toSumLine('sodium', { amount: 0 }, true).text).toBe('unknown; no foods state it');
});

it.each([
  ['energy', 441.256, 441],
  ['energy', 0.3, 0],
  ['protein', 12.345, 12.3],
  ['iron', 1.2345, 1.23],
  ['sodium', 441.256, 441],
  ['protein', -12.345, -12.3],
] as const)('%s of %d is read as %d', (nutrient, amount, read) => {
  expect(readable(nutrient, amount)).toBe(read);
});

it('without a count of foods only says whether all of them state it', () => {
  expect(toSumLine('sodium', { amount: 61 }, true).text).toBe('at least 61 mg; not all foods state it');
  expect(toSumLine('sodium', { amount: 61 }, false).text).toBe('61 mg');
});

it('sums of foods count the foods that state each amount', () => {
  expect(sumOfFoods([{ energy: 10.4, iron: 1 }, { energy: 20.4 }])).toMatchObject([
    { nutrient: 'energy', amount: 31, statedBy: 2, foods: 2 },
    { nutrient: 'iron', amount: 1, statedBy: 1, foods: 2 },
  ]);
});
